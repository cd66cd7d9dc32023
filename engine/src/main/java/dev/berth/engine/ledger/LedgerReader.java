package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.HeldUp;
import dev.berth.engine.ledger.view.Overfull;
import dev.berth.engine.ledger.view.PendingEvictions;
import dev.berth.engine.ledger.view.Provisioning;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PastUse;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// What only reads the ledger.
public interface LedgerReader {
  /// Grows with every change.
  long version();

  /// What the statuses of queues keep of their past use, in name order: where the next process
  /// begins.
  List<PastUse> pastUse();

  /// The cluster as known now. The same lists as before where nothing changed. Two snapshots of one
  /// version may differ in what NUMA zones have left, a hint that starts no cycle. What has ended
  /// by then ends, for all.
  Snapshot snapshot(Instant now);

  /// Where a pod stands; empty for a pod Berth does not know (or not yet).
  Optional<Standing> standing(PodUid uid);

  /// For whose plan a pod is to leave; of several, and of those that inherited it from a plan that
  /// is no more, the first. Empty for a pod that leaves for no plan.
  Optional<GroupKey> leavesFor(PodUid uid);

  /// Whether a pod is spared after [#keep].
  boolean isKept(PodUid uid, Instant now);

  /// The first by key of the disruption budgets that cover a pod. Searched outside of the lock.
  Optional<DisruptionBudget.Key> budgetOf(PodUid uid);

  /// A node as last seen.
  Optional<Node> node(NodeName name);

  /// A group by its key, as a snapshot would show it.
  Optional<PodGroup> group(GroupKey key);

  /// The value of the PriorityClass of that name; empty = there is none.
  OptionalInt priorityOf(String name);

  /// All of them; the same object where nothing changed. Their versions are not told.
  PriorityClasses priorityClasses();

  /// The object of a group as last seen, whatever its owners say.
  Optional<GroupSpec> object(GroupKey key);

  /// The pod as last seen.
  Optional<Pod> pod(PodUid uid);

  /// The group that a pod belongs to, as a snapshot would show it.
  Optional<PodGroup> groupOf(PodUid uid);

  Injection injection(NodeName node);

  /// Plans behind their gates that wait for a shared device, in the order of the devices.
  List<HeldUp> heldUp();

  /// Nodes of which more devices are given out than they have, by name. Looks at every node.
  List<Overfull> overfull();

  /// Of plans behind their gates those that wait for others to leave, in the given order.
  List<PendingEvictions> pendingEvictions(Collection<PodUid> planned);

  /// Planned pods that kube-scheduler binds once a volume of theirs is provisioned.
  List<Provisioning> provisioning();

  /// Whether the plan of a pod could be bound now: its node has the room without anything that is
  /// still leaving, the holders of its slots have reported, and all of its victims are leaving.
  /// Gates open only then.
  boolean isClear(PodUid uid);
}
