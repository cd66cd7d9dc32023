package dev.berth.engine.explain;

import dev.berth.engine.explain.Trials.Attempt;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;

/// Room that there could be: workloads that end, nodes that come, time that passes.
final class RoomLevers {
  private static final int MOST_NODES = 8;
  private static final int MOST_LOOKS = 8;

  /// Sets of workloads that are tried in order of their GPUs; then no longer the smallest is
  /// sought, but one that does.
  private static final int MOST_SETS = 160;

  private final Trials trials;

  RoomLevers(Trials trials) {
    this.trials = trials;
  }

  /// A workload that holds room, and how many thousandths of GPUs.
  private record Holding(GroupKey key, long gpuMillis, List<NodeName> nodes) {}

  /// A set of workloads by their places in the list, ascending.
  private record Some(long gpuMillis, List<Integer> places) {
    int last() {
      return places.getLast();
    }
  }

  /// The time at which it starts though nothing else happens.
  Optional<Attempt> later(Attempt base) {
    Instant now = base.world().now();
    var attempt = base;
    for (int i = 0; i < MOST_LOOKS && trials.hasPlan(); i++) {
      Instant next = trials.plan(attempt).map(Plan::nextLook).orElse(Instant.MAX);
      if (!next.isAfter(now) || next.equals(Instant.MAX)) {
        return Optional.empty();
      }
      now = next;
      attempt = base.with(new Remedy.NotBefore(next));
      if (trials.starts(attempt)) {
        return Optional.of(attempt);
      }
    }
    return Optional.empty();
  }

  /// The workloads with the fewest GPUs whose end lets it start.
  Optional<Attempt> ends(Attempt base) {
    var running = running(base);
    if (running.isEmpty() || !trials.starts(without(base, running, false))) {
      return Optional.empty(); // it waits even if all of them end
    }
    return smallestSet(base, running).or(() -> someSet(base, running));
  }

  private Optional<Attempt> smallestSet(Attempt base, List<Holding> running) {
    var next =
        new PriorityQueue<>(
            Comparator.comparingLong(Some::gpuMillis)
                .thenComparing(some -> some.places().size())
                .thenComparing(some -> some.places().toString()));
    next.add(new Some(running.getFirst().gpuMillis(), List.of(0)));
    for (int i = 0; i < MOST_SETS && !next.isEmpty() && trials.hasPlan(); i++) {
      var some = next.remove();
      var attempt = without(base, some.places().stream().map(running::get).toList(), true);
      if (trials.starts(attempt)) {
        return Optional.of(attempt);
      }
      if (some.last() + 1 < running.size()) {
        next.add(with(some, running, false));
        next.add(with(some, running, true));
      }
    }
    return Optional.empty();
  }

  /// The set with the next workload besides, or in the stead of the last: so each set comes once.
  private static Some with(Some some, List<Holding> running, boolean instead) {
    var places = new ArrayList<>(some.places());
    long millis = some.gpuMillis() + running.get(some.last() + 1).gpuMillis();
    if (instead) {
      millis -= running.get(places.removeLast()).gpuMillis();
    }
    places.add(some.last() + 1);
    return new Some(millis, places);
  }

  /// Those of the nodes that are cheapest to clear, without those that are not needed.
  private Optional<Attempt> someSet(Attempt base, List<Holding> running) {
    var chosen = new ArrayList<Holding>();
    for (NodeName node : cheapestFirst(running)) {
      for (Holding each : running) {
        if (each.nodes().contains(node) && !chosen.contains(each)) {
          chosen.add(each);
        }
      }
      if (trials.starts(without(base, chosen, false))) {
        return Optional.of(without(base, needed(base, chosen), false));
      }
    }
    return Optional.empty();
  }

  private static List<NodeName> cheapestFirst(List<Holding> running) {
    var millis = new TreeMap<NodeName, Long>();
    for (Holding each : running) {
      each.nodes().forEach(node -> millis.merge(node, each.gpuMillis(), Long::sum));
    }
    return millis.keySet().stream()
        .sorted(Comparator.comparing((NodeName node) -> millis.getOrDefault(node, 0L)))
        .toList();
  }

  private List<Holding> needed(Attempt base, List<Holding> chosen) {
    var needed = new ArrayList<>(chosen);
    var dearestFirst = new ArrayList<>(chosen);
    dearestFirst.sort(Comparator.comparingLong(Holding::gpuMillis).reversed());
    for (Holding each : dearestFirst) {
      var fewer = new ArrayList<>(needed);
      fewer.remove(each);
      if (!fewer.isEmpty() && trials.starts(without(base, fewer, false))) {
        needed = fewer;
      }
    }
    return needed;
  }

  private static Attempt without(Attempt base, List<Holding> ending, boolean isSmallest) {
    long millis = ending.stream().mapToLong(Holding::gpuMillis).sum();
    var keys = ending.stream().map(Holding::key).toList();
    return base.with(new Remedy.EndWorkloads(keys, millis, isSmallest));
  }

  /// Workloads that hold room, those with the fewest GPUs first.
  private List<Holding> running(Attempt base) {
    var running = new ArrayList<Holding>();
    for (PodGroup group : base.world().groups()) {
      var nodes = new TreeSet<NodeName>();
      long millis = 0;
      for (Member member : group.members()) {
        var placement = member.standing().placement();
        if (!placement.isNone()) {
          nodes.add(placement.node());
          millis += member.pod().asks().request().devices().millisAt(placement);
        }
      }
      if (!nodes.isEmpty() && !group.key().equals(trials.key())) {
        running.add(new Holding(group.key(), millis, List.copyOf(nodes)));
      }
    }
    running.sort(Comparator.comparingLong(Holding::gpuMillis).thenComparing(Holding::key));
    return running;
  }

  /// One node that takes pods again.
  Optional<Attempt> uncordon(Attempt base) {
    return base.world().nodes().stream()
        .filter(view -> view.node().unschedulable() && view.node().ready())
        .limit(MOST_NODES)
        .map(view -> base.with(new Remedy.Uncordon(view.name())))
        .filter(trials::starts)
        .findFirst();
  }

  /// The fewest empty nodes of one shape that the cluster has.
  Optional<Attempt> nodes(Attempt base) {
    Optional<Attempt> fewest = Optional.empty();
    int most = MOST_NODES;
    for (NodeView like : shapes(base)) {
      for (int count = 1; count <= most && trials.hasPlan(); count++) {
        var attempt = base.with(new Remedy.AddNodes(count, like.name()));
        if (trials.starts(attempt)) {
          fewest = Optional.of(attempt);
          most = count - 1;
        }
      }
    }
    return fewest;
  }

  /// A node of each shape that pods can be told apart by, the first by name.
  private static List<NodeView> shapes(Attempt base) {
    var shapes = new TreeMap<String, NodeView>();
    for (NodeView view : base.world().nodes()) {
      var node = view.node();
      var labels = new TreeMap<>(node.labels());
      labels.remove("kubernetes.io/hostname");
      if (node.ready() && !node.unschedulable()) {
        shapes.putIfAbsent(
            node.allocatable() + " " + node.accelerator() + " " + node.taints() + " " + labels,
            view);
      }
    }
    return shapes.values().stream().limit(MOST_NODES).toList();
  }
}
