package dev.berth.cli.lists;

import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.engine.explain.EndSentences;
import dev.berth.engine.explain.IdleSentences;
import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WorkloadPhase;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Workloads, which are PodGroups and single pods, and where they stand: what runs, what the next
/// plan would start, and why the others wait.
public final class WorkloadList {
  private WorkloadList() {}

  /// Which workloads are listed.
  ///
  /// @param namespace empty = all
  /// @param queue and those below it; empty = all
  public record Selection(Optional<String> namespace, Optional<String> queue) {
    private boolean has(PodGroup group, Set<QueueName> queues) {
      return namespace.map(group.key().namespace()::equals).orElse(true)
          && (queue.isEmpty() || queues.contains(group.queue()));
    }

    /// The queue and all below it.
    private Set<QueueName> queues(Snapshot cluster) {
      var all = new TreeSet<QueueName>();
      queue.ifPresent(name -> all.add(new QueueName(name)));
      for (boolean grows = queue.isPresent(); grows; ) {
        grows = false;
        for (Queue each : cluster.queues()) {
          grows |= all.contains(each.parent()) && all.add(each.name());
        }
      }
      return all;
    }
  }

  /// Those of which all pods are over are left out.
  public static Listed of(SeenCluster cluster, Selection selection) {
    var table =
        TextTable.of(
            "NAMESPACE",
            "NAME",
            "QUEUE",
            "PHASE",
            "PODS",
            "GPUS",
            "AGE",
            "+PRIORITY",
            "+PREEMPTIBILITY",
            "+NODES",
            "+ENDS",
            "+STARTS",
            "REASON");
    var names = new ArrayList<String>();
    var items = new ArrayList<Map<String, Object>>();
    var queues = selection.queues(cluster.snapshot());
    for (PodGroup group : cluster.snapshot().groups()) {
      var count = Count.of(group);
      if (!selection.has(group, queues) || count.pods == 0) {
        continue;
      }
      var decision = Optional.ofNullable(cluster.decisions().get(group.key()));
      String phase = phase(group, decision);
      String reason = reason(group, decision, cluster);
      var forecast = forecast(group, count, decision, cluster);
      var ending = EndSentences.ending(group, cluster.snapshot(), cluster.maxRuntimeWarning());
      var idle = IdleSentences.leavesAt(group, cluster.snapshot());
      var told = IdleSentences.notice(group);
      table.row(
          group.key().namespace(),
          group.key().name(),
          group.queue().value(),
          phase,
          count.bound + "/" + count.pods,
          count.gpus(),
          age(group.created(), cluster.snapshot().now()),
          Integer.toString(group.priority()),
          word(group.preemptibility()),
          String.join(",", count.nodes.keySet()),
          ends(ending, idle, cluster.snapshot().now()),
          forecast.map(it -> ForecastText.cell(it, cluster.snapshot().now())).orElse(""),
          reason);
      names.add(group.key().toString()); // as berth explain takes it
      var item = new LinkedHashMap<String, Object>();
      item.put("namespace", group.key().namespace());
      item.put("name", group.key().name());
      item.put("kind", group.single() ? "Pod" : "PodGroup");
      item.put("queue", group.queue().value());
      item.put("phase", phase);
      item.put("pods", count.pods);
      item.put("boundPods", count.bound);
      item.put("gpus", count.gpus());
      item.put("priority", group.priority());
      item.put("preemptibility", word(group.preemptibility()));
      item.put("created", group.created().toString());
      item.put("nodes", List.copyOf(count.nodes.keySet()));
      forecast.ifPresent(it -> item.put("forecast", tree(it)));
      if (!ending.end().equals(Instant.MAX)) {
        item.put("ending", EndSentences.fields(ending, cluster.snapshot().now()));
      }
      if (told.isGiven()) {
        item.put("idle", idleTree(told.since(), idle));
      }
      item.put("reason", reason);
      items.add(item);
    }
    return new Listed("workloads", table, names, items);
  }

  /// What stands on its PodGroup may be of before a member was bound, or of before something had to
  /// be changed.
  private static Optional<ForecastStatus> forecast(
      PodGroup group, Count count, Optional<Decision> decision, SeenCluster cluster) {
    boolean mustBeChanged =
        decision.orElse(null) instanceof Decision.Wait wait && !wait.reason().startsByItself();
    return Optional.ofNullable(cluster.forecasts().get(group.key()))
        .filter(_ -> count.bound == 0 && !mustBeChanged);
  }

  /// When it is evicted for its max-runtime, or as its GPUs are idle: `35m`, `35m (warned)`, `12m
  /// (idle)`; `now` where that has passed.
  ///
  /// @param idle when it is evicted as idle; `MAX` = it is not
  private static String ends(RuntimeEnd ending, Instant idle, Instant now) {
    boolean hasEnd = !ending.end().equals(Instant.MAX);
    var leaves = hasEnd ? ending.leavesAtIfWarned(now) : Instant.MAX;
    if (idle.isBefore(leaves)) {
      return in(idle, now) + " (idle)";
    }
    return hasEnd ? in(leaves, now) + (ending.isWarned() ? " (warned)" : "") : "";
  }

  private static String in(Instant moment, Instant now) {
    return moment.isAfter(now) ? age(now, moment) : "now";
  }

  private static Map<String, Object> idleTree(Instant told, Instant leaves) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("toldSince", told.toString());
    if (!leaves.equals(Instant.MAX)) {
      tree.put("evictedAt", leaves.toString());
    }
    return tree;
  }

  private static Map<String, Object> tree(ForecastStatus forecast) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("median", forecast.median().toString());
    tree.put("p90", forecast.p90().toString());
    tree.put("updated", forecast.updated().toString());
    return tree;
  }

  private static String word(Enum<?> preemptibility) {
    return preemptibility.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String phase(PodGroup group, Optional<Decision> decision) {
    return WorkloadPhase.of(group, decision.filter(Decision.Wait.class::isInstance).isPresent())
        .word();
  }

  private static String reason(PodGroup group, Optional<Decision> decision, SeenCluster cluster) {
    return switch (decision.orElse(null)) {
      case Decision.Wait wait -> WaitSentences.of(wait, cluster.snapshot(), cluster.classes());
      case Decision.Reserve reserve ->
          reserve.victims().isEmpty()
              ? "next plan: starts"
              : "next plan: starts once %d pods have left".formatted(reserve.victims().size());
      case Decision.Evict evict ->
          "next plan: %d of its pods leave".formatted(evict.victims().size());
      case Decision.Withdraw _ -> "next plan: its places are given to another";
      case null -> ofPlaced(group, cluster);
    };
  }

  /// What the first pod that has a place and is not bound says.
  private static String ofPlaced(PodGroup group, SeenCluster cluster) {
    return group.members().stream()
        .filter(member -> member.standing() instanceof Standing.Planned)
        .flatMap(member -> Optional.ofNullable(cluster.said().get(member.pod().key())).stream())
        .findFirst()
        .orElse("");
  }

  /// The largest unit that is not zero, as kubectl has it: `12d`, `3h`, `5m`, `42s`.
  static String age(Instant since, Instant now) {
    var age = Duration.between(since, now);
    if (age.isNegative()) {
      return "0s";
    }
    if (age.toDays() > 1) {
      return age.toDays() + "d";
    }
    if (age.toHours() > 1) {
      return age.toHours() + "h";
    }
    return age.toMinutes() > 1 ? age.toMinutes() + "m" : age.toSeconds() + "s";
  }

  /// The members of a group that are not over.
  ///
  /// @param asked how many of them ask for what
  /// @param nodes that those which are bound are on
  private static final class Count {
    private int pods;
    private int bound;
    private final Map<String, Integer> asked = new LinkedHashMap<>();
    private final TreeMap<String, Integer> nodes = new TreeMap<>();

    static Count of(PodGroup group) {
      var count = new Count();
      group.members().forEach(count::add);
      return count;
    }

    private void add(PodGroup.Member member) {
      switch (member.standing()) {
        case Standing.Over _, Standing.Awaited _ -> {
          return;
        }
        case Standing.Waiting _, Standing.Planned _ -> {}
        case Standing.Bound(var placement) -> countBound(placement.node().value());
        case Standing.Leaving leaving -> countBound(leaving.placement().node().value());
      }
      pods++;
      var request = member.pod().asks().request();
      asked.merge(GpuWords.asked(request.devices(), request.amounts()), 1, Integer::sum);
    }

    private void countBound(String node) {
      bound++;
      nodes.merge(node, 1, Integer::sum);
    }

    /// Such as `0.5`, `4×8`, or `1×1 3×8` for unlike members.
    private String gpus() {
      var words = new ArrayList<String>();
      asked.forEach((gpus, count) -> {
        if (!gpus.isEmpty()) {
          words.add(count == 1 && asked.size() == 1 ? gpus : count + "×" + gpus);
        }
      });
      return String.join(" ", words);
    }
  }
}
