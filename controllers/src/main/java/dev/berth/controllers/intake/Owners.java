package dev.berth.controllers.intake;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Workload;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Owners of pods whose kind nobody watches (all but Jobs). They have no more to say than that
/// their pods are groups of one, and they are there as long as one of their pods is.
///
/// Called by the thread that delivers pods.
final class Owners {
  private final Map<PodUid, OwnerUid> ownerOf = new HashMap<>();
  private final Map<OwnerUid, Integer> pods = new HashMap<>();

  /// A pod was seen.
  ///
  /// @return what its owner says, when it is the first pod of that owner
  Optional<Fact> with(Pod pod) {
    var owner = pod.belonging().owner();
    if (isWatched(owner) || ownerOf.putIfAbsent(pod.uid(), owner.uid()) != null) {
      return Optional.empty();
    }
    return pods.merge(owner.uid(), 1, Integer::sum) == 1
        ? Optional.of(noGang(owner.uid()))
        : Optional.empty();
  }

  /// A pod is gone; its farewell need not name the owner.
  ///
  /// @return that its owner is gone, when it was the last
  Optional<Fact> without(PodUid pod) {
    OwnerUid owner = ownerOf.remove(pod);
    if (owner == null || pods.merge(owner, -1, Integer::sum) > 0) {
      return Optional.empty();
    }
    pods.remove(owner);
    return Optional.of(new Fact.WorkloadGone(owner));
  }

  /// Whether somebody else speaks for it, or there is nobody to speak of.
  private static boolean isWatched(Pod.Owner owner) {
    return owner.isNone() || owner.kind().equals("Job") && owner.apiVersion().startsWith("batch/");
  }

  private static Fact noGang(OwnerUid owner) {
    return new Fact.WorkloadSeen(new Workload(owner, 0, GroupKey.NONE, 0, QueueName.NONE));
  }
}
