package dev.berth.extender.verbs;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/// Access to the engine for a pod that came without a gate, and for pods of other schedulers. The
/// pod need not be in the snapshot. A node that the snapshot does not have is refused.
public interface UngatedPodPlanner {
  /// What the engine says of each node, in the order given: for a pod of Berth limits and room, for
  /// one of another scheduler room alone.
  List<Judgement> judge(Snapshot snapshot, Pod pod, List<NodeName> nodes);

  /// How good each node is, 0 … 10, in the order given.
  List<Integer> scores(Snapshot snapshot, Pod pod, List<NodeName> nodes);

  /// The best place on a node; empty if it has no room.
  Optional<Placement> placeOn(Snapshot snapshot, Pod pod, NodeName node);

  /// Whether the node would take the pod once these pods had left it.
  boolean fitsWithout(Snapshot snapshot, Pod pod, NodeName node, SortedSet<PodUid> victims);

  sealed interface Judgement {
    record Fits() implements Judgement {}

    /// @param words the same at every attempt, as kube-scheduler writes them on the pod: from a
    ///   closed list (`Reason.code()` or an obstacle), but for one node a sentence, where something
    ///   in the pod or its queue is invalid
    /// @param othersCouldLeave it is room that is missing, so preemption might help
    record Refused(String words, boolean othersCouldLeave) implements Judgement {}
  }
}
