package dev.berth.cli.gauges;

import dev.berth.cli.gauges.ClusterGauge.Sample;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.ListChanges;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// The cluster in numbers, as the last cycle saw it.
///
/// The planning thread only leaves its outcome here; the sums are brought up to date when they are
/// read. Reading costs what changed since they were read last, and a comparison of references for
/// each node and group where any changed; nothing where none did. Any thread.
public final class ClusterGauges {
  private static final Set<ClusterGauge> OF_NODES =
      EnumSet.range(ClusterGauge.NODES, ClusterGauge.HOLDERS);
  private static final Set<ClusterGauge> OF_OUTCOMES =
      EnumSet.range(ClusterGauge.WAITING_GROUPS, ClusterGauge.SEARCH_UNFINISHED);

  private record UsageSnapshot(Accounts accounts, Usage usage) {
    static final UsageSnapshot NONE = new UsageSnapshot(Accounts.NONE, Usage.NONE);
  }

  private volatile List<CycleOutcome> last = List.of(); // one, or none before the first
  private volatile UsageSnapshot lastUsage = UsageSnapshot.NONE;
  private volatile List<Queue> queues = List.of(); // of the last outcome
  private volatile QueueLabels labels = QueueLabels.NONE;

  // Under the lock.
  private final Tallies tallies = new Tallies();
  private final NodeCounts nodeCounts = new NodeCounts();
  private final GroupCounts groupCounts = new GroupCounts();
  private final TreeSet<String> gone = new TreeSet<>();
  private List<CycleOutcome> counted = List.of();
  private UsageSnapshot countedUsage = UsageSnapshot.NONE;
  private List<NodeView> nodes = List.of();
  private List<PodGroup> groups = List.of();

  /// A cycle has planned.
  public void planned(CycleOutcome outcome) {
    last = List.of(outcome);
    if (outcome.snapshot().queues() != queues) {
      label(outcome.snapshot().queues(), lastUsage.accounts());
    }
  }

  /// How queues stand.
  public void kept(Accounts accounts, Usage usage) {
    lastUsage = new UsageSnapshot(accounts, usage);
    label(queues, accounts);
  }

  /// The value of the label `queue`, the same in all metrics.
  public String label(QueueName queue) {
    return labels.of(queue);
  }

  /// The values of one metric, as of the last [#refresh].
  public synchronized List<Sample> of(ClusterGauge gauge) {
    if (counted.isEmpty()) {
      return List.of();
    }
    return gauge == ClusterGauge.OLDEST_PENDING ? groupCounts.oldest() : tallies.of(gauge);
  }

  /// Brings the sums up to date.
  ///
  /// @return values of the label `queue` that no queue has any more, each once
  public synchronized SortedSet<String> refresh() {
    try {
      var next = last;
      var nextUsage = lastUsage;
      if (!next.isEmpty()) {
        refresh(next.getFirst().snapshot(), nextUsage);
        if (next != counted) {
          outcome(next.getFirst());
        }
      }
      counted = next;
      countedUsage = nextUsage;
    } catch (RuntimeException internalError) {
      forget(); // nothing half done is kept: the next one counts all anew
      throw internalError;
    }
    var found = Collections.unmodifiableSortedSet(new TreeSet<>(gone));
    gone.clear();
    return found;
  }

  private void refresh(Snapshot snapshot, UsageSnapshot nextUsage) {
    var nodesBefore = nodes;
    nodes = snapshot.nodes();
    ListChanges.between(
        nodesBefore,
        nodes,
        NodeView::name,
        i -> nodeCounts.count(nodesBefore.get(i), tallies.negated()),
        j -> nodeCounts.count(snapshot.nodes().get(j), tallies));
    var groupsBefore = groups;
    groups = snapshot.groups();
    ListChanges.between(
        groupsBefore,
        groups,
        PodGroup::key,
        i -> go(groupsBefore.get(i)),
        j -> come(snapshot.groups().get(j)));
    if (nextUsage != countedUsage) {
      tallies.clear(AccountCounts.GAUGES);
      AccountCounts.count(nextUsage.accounts(), nextUsage.usage(), labels, tallies);
    }
  }

  private void go(PodGroup group) {
    groupCounts.go(group, label(group.queue()), tallies);
  }

  private void come(PodGroup group) {
    groupCounts.come(group, label(group.queue()), tallies);
  }

  /// Where queues come or go, groups are counted anew: it is rare.
  private synchronized void label(List<Queue> next, Accounts accounts) {
    var all = new ArrayList<>(next);
    accounts.queues().forEach(account -> all.add(account.queue())); // the default one has no object
    var nextLabels = QueueLabels.of(all);
    queues = next;
    if (!nextLabels.equals(labels)) {
      gone.addAll(labels.goneIn(nextLabels));
      labels = nextLabels;
      groups = List.of();
      groupCounts.clear();
      tallies.clear(GroupCounts.GAUGES);
      counted = List.of();
      countedUsage = UsageSnapshot.NONE;
    }
  }

  private void outcome(CycleOutcome outcome) {
    tallies.clear(OF_OUTCOMES);
    var snapshot = outcome.snapshot();
    waits(snapshot.groups(), outcome.waits().entrySet());
    outcome.staleSince().keySet().stream()
        .flatMap(key -> snapshot.group(key).stream())
        .forEach(group -> tallies.add(ClusterGauge.STALE_GROUPS, 1, label(group.queue())));
    var backoffs = snapshot.backoffs();
    tallies.add(ClusterGauge.BACKOFFS, backoffs.evicting().workloads().size(), "workload");
    tallies.add(ClusterGauge.BACKOFFS, backoffs.evicting().namespaces().size(), "namespace");
    tallies.add(ClusterGauge.SNAPSHOT_OBJECTS, snapshot.nodes().size(), "nodes");
    tallies.add(ClusterGauge.SNAPSHOT_OBJECTS, snapshot.queues().size(), "queues");
    tallies.add(ClusterGauge.SNAPSHOT_OBJECTS, snapshot.groups().size(), "groups");
    tallies.add(ClusterGauge.SNAPSHOT_OBJECTS, snapshot.strangers().size(), "foreign_pods");
    tallies.add(ClusterGauge.SEARCH_UNFINISHED, outcome.plan().searches() ? 1 : 0);
  }

  /// Both are in the order of the keys.
  private void waits(List<PodGroup> all, Set<Map.Entry<GroupKey, Reason>> waiting) {
    int i = 0;
    for (var wait : waiting) {
      while (i < all.size() && all.get(i).key().compareTo(wait.getKey()) < 0) {
        i++;
      }
      boolean isThere = i < all.size() && all.get(i).key().equals(wait.getKey());
      String queue = isThere ? label(all.get(i).queue()) : QueueLabels.UNKNOWN;
      tallies.add(ClusterGauge.WAITING_GROUPS, 1, queue, wait.getValue().code());
    }
  }

  private void forget() {
    counted = List.of();
    countedUsage = UsageSnapshot.NONE;
    nodes = List.of();
    groups = List.of();
    groupCounts.clear();
    tallies.clear(OF_NODES);
    tallies.clear(GroupCounts.GAUGES);
  }
}
