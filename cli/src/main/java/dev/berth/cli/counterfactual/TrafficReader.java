package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTraffic.Event;
import dev.berth.cli.counterfactual.LoggedTraffic.Span;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Topology;
import dev.berth.engine.replay.LogEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Takes from the snapshots of a log what came into the cluster and went.
final class TrafficReader {
  private final WorkloadTraces workloads = new WorkloadTraces();
  private final ArrayList<Event> events = new ArrayList<>();
  private final TreeMap<QueueName, Queue> queues = new TreeMap<>();
  private final HashMap<NodeName, Node> nodes = new HashMap<>(); // looked up only
  private final HashMap<String, SortedMap<String, String>> namespaces = new HashMap<>(); // as above
  private Optional<PlannerSettings> settings = Optional.empty(); // until the log begins
  private Optional<Snapshot> first = Optional.empty();
  private Snapshot last = Snapshot.empty(Instant.MIN);
  private boolean settingsChanged;
  private long snapshots;
  private Duration longestGap = Duration.ZERO;

  private TrafficReader() {}

  /// @param files of one log, the oldest first
  /// @throws DecisionLogException where they are not of one process after the other, or hold
  ///   nothing
  static LoggedTraffic read(List<Path> files) throws IOException, DecisionLogException {
    var reader = new TrafficReader();
    for (Path file : files) {
      try (var entries = new DecisionFileReader(file)) {
        for (var next = entries.next(); next.isPresent(); next = entries.next()) {
          reader.see(file, next.get());
        }
      }
    }
    return reader.traffic();
  }

  private void see(Path file, LogEntry entry) throws DecisionLogException {
    switch (entry) {
      case LogEntry.Begin(_, PlannerSettings told) -> {
        settingsChanged |= settings.isPresent() && !settings.get().equals(told);
        settings = settings.or(() -> Optional.of(told));
      }
      case LogEntry.Accounted(var snapshot) -> see(file, snapshot);
      case LogEntry.Planned planned -> {
        see(file, planned.snapshot());
        if (planned.outcome() instanceof LogEntry.Outcome.Made(Plan plan)) {
          workloads.see(plan);
        }
      }
    }
  }

  private void see(Path file, Snapshot now) throws DecisionLogException {
    if (now.now().isBefore(last.now())) {
      throw new DecisionLogException(
          file
              + " goes back from "
              + last.now()
              + " to "
              + now.now()
              + ": its plans were made by more than one process at a time, which cannot be played"
              + " as one. Give the file of one of them");
    }
    if (now == last) {
      return;
    }
    if (first.isEmpty()) {
      first = Optional.of(now);
    } else {
      var gap = Duration.between(last.now(), now.now());
      longestGap = gap.compareTo(longestGap) > 0 ? gap : longestGap;
    }
    snapshots++;
    cluster(now);
    workloads.see(last, now, snapshots == 1);
    last = now;
  }

  private void cluster(Snapshot now) {
    nodes(now);
    ListChanges.between(
        last.queues(),
        now.queues(),
        Queue::name,
        i -> {
          var queue = last.queues().get(i);
          if (now.queue(queue.name()).isEmpty()) {
            queues.remove(queue.name());
            add(now, new Fact.QueueGone(queue.name(), queue.version()));
          }
        },
        j -> {
          var queue = now.queues().get(j);
          queues.put(queue.name(), queue);
          add(now, new Fact.QueueSeen(queue));
        });
    ListChanges.between(
        last.topologies(),
        now.topologies(),
        Topology::name,
        i -> {
          var topology = last.topologies().get(i);
          if (now.topology(topology.name()).isEmpty()) {
            add(now, new Fact.TopologyGone(topology.name(), topology.version()));
          }
        },
        j -> add(now, new Fact.TopologySeen(now.topologies().get(j))));
    budgets(now);
    strangers(now);
    namespaces(now);
  }

  private void namespaces(Snapshot now) {
    if (now.groups() == last.groups()) {
      return;
    }
    for (PodGroup group : now.groups()) {
      var labels = group.namespaceLabels();
      if (!labels.equals(namespaces.put(group.key().namespace(), labels))) {
        add(
            now,
            new Fact.NamespaceSeen(group.key().namespace(), snapshots, QueueName.NONE, labels));
      }
    }
  }

  private void nodes(Snapshot now) {
    ListChanges.between(
        last.nodes(),
        now.nodes(),
        NodeView::name,
        i -> {
          var node = last.nodes().get(i).node();
          if (now.node(node.name()).isEmpty()) {
            nodes.remove(node.name());
            add(now, new Fact.NodeGone(node.name(), node.version()));
          }
        },
        j -> {
          var node = now.nodes().get(j).node();
          boolean isSeen = !node.name().isNone(); // else pods are on it, and no watch has shown it
          if (isSeen && !node.equals(nodes.put(node.name(), node))) {
            add(now, new Fact.NodeSeen(node));
          }
        });
  }

  private void budgets(Snapshot now) {
    ListChanges.between(
        last.budgets(),
        now.budgets(),
        DisruptionBudget::key,
        i -> {
          var budget = last.budgets().get(i);
          if (now.budgets().stream().noneMatch(each -> each.key().equals(budget.key()))) {
            add(now, new Fact.BudgetGone(budget.key(), budget.version()));
          }
        },
        j -> add(now, new Fact.BudgetSeen(now.budgets().get(j))));
  }

  private void strangers(Snapshot now) {
    if (now.strangers() == last.strangers()) {
      return;
    }
    var there = new HashSet<PodUid>();
    now.strangers().forEach(pod -> there.add(pod.uid()));
    ListChanges.between(
        last.strangers(),
        now.strangers(),
        Pod::key,
        i -> {
          var pod = last.strangers().get(i);
          if (!there.contains(pod.uid())) {
            add(now, new Fact.PodGone(pod.key(), pod.uid()));
          }
        },
        j -> add(now, new Fact.PodSeen(now.strangers().get(j))));
  }

  private void add(Snapshot now, Fact fact) {
    events.add(new Event(now.now(), fact));
  }

  private LoggedTraffic traffic() throws DecisionLogException {
    if (settings.isEmpty() || first.isEmpty()) {
      throw new DecisionLogException("there is no plan in the log");
    }
    return new LoggedTraffic(
        settings.get(),
        first.get().usage(),
        events,
        queues,
        workloads.workloads(last.now()),
        new Span(first.get().now(), last.now(), snapshots, longestGap, settingsChanged),
        workloads.leftOut());
  }
}
