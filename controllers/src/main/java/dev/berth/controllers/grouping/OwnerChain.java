package dev.berth.controllers.grouping;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.grouping.kinds.GroupSpecResolver;
import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.OwnerReference;
import dev.berth.controllers.grouping.kinds.WorkloadPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The way from a pod to the object that says what it belongs to.
///
/// It goes from owner to owner until an object has none, or may not be read, or has several: that
/// is an error, which is told. Where the pod names a group of another scheduler, that group takes
/// the place of its owners.
sealed interface OwnerChain {
  /// As far as it goes.
  record Done(WorkloadPod member) implements OwnerChain {}

  /// Something on the way is not there, or not read yet.
  ///
  /// @param watched its watch will tell when it is there
  record Short(OwnerReference lacking, boolean watched) implements OwnerChain {}

  /// Where objects are looked up.
  interface Looking {
    Look look(OwnerReference ref) throws ClientException;
  }

  sealed interface Look {
    record Here(KubeObject thing) implements Look {}

    /// May not be read.
    record Barred() implements Look {}

    record Lacking(boolean watched) implements Look {}
  }

  /// Longer chains are circles.
  int MOST_OWNERS = 16;

  /// @param pod as last seen, whatever is known of its owners
  static OwnerChain from(WorkloadPod pod, GroupSpecResolver verdicts, Looking looking)
      throws ClientException {
    var named = GroupSpecResolver.named(pod.pod());
    if (named.isPresent()) {
      return add(pod.withOwners(List.of()), List.of(named.get()), looking);
    }
    var owners = new ArrayList<KubeObject>(4);
    KubeObject at = pod.pod();
    for (var next = first(at); next.isPresent(); next = above(at)) {
      switch (looking.look(next.get())) {
        case Look.Here(KubeObject thing) -> {
          owners.add(thing);
          at = thing;
        }
        case Look.Lacking(boolean watched) -> {
          if (!pod.state().leaving()) {
            return new Short(next.get(), watched);
          }
          return new Done(pod.withOwners(owners)); // it goes with its owner
        }
        case Look.Barred() -> {
          return add(pod.withOwners(owners), verdicts, looking);
        }
      }
      if (owners.size() >= MOST_OWNERS) {
        break;
      }
    }
    return add(pod.withOwners(owners), verdicts, looking);
  }

  private static OwnerChain add(WorkloadPod pod, GroupSpecResolver verdicts, Looking looking)
      throws ClientException {
    var bare = pod.with(List.of());
    return add(bare, verdicts.wants(bare), looking);
  }

  private static OwnerChain add(WorkloadPod pod, List<OwnerReference> wanted, Looking looking)
      throws ClientException {
    var further = new ArrayList<KubeObject>(wanted.size());
    for (OwnerReference ref : wanted) {
      switch (looking.look(ref)) {
        case Look.Here(KubeObject thing) -> further.add(thing);
        case Look.Barred() -> {}
        case Look.Lacking(boolean watched) -> {
          if (!pod.state().leaving()) {
            return new Short(ref, watched);
          }
        }
      }
    }
    return new Done(pod.with(further));
  }

  /// The controller of a pod, else its first owner.
  private static Optional<OwnerReference> first(KubeObject pod) {
    for (OwnerReference owner : pod.owners()) {
      if (owner.controller()) {
        return Optional.of(owner);
      }
    }
    return pod.owners().stream().findFirst();
  }

  private static Optional<OwnerReference> above(KubeObject owner) {
    return owner.owners().size() == 1 ? Optional.of(owner.owners().getFirst()) : Optional.empty();
  }
}
