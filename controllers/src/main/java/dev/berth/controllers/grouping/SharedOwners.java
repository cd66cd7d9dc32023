package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.KubeObject;
import dev.berth.controllers.grouping.kinds.WorkloadPod;
import java.util.ArrayList;
import java.util.Optional;

/// Owners as the pods of a namespace have them: one object for all, and none older than what one of
/// them has. Guarded by [Grouping].
final class SharedOwners {
  private final PodsByOwner podsByOwner;
  private final Warnings warnings;
  private final Gangs gangs;

  SharedOwners(PodsByOwner podsByOwner, Warnings warnings, Gangs gangs) {
    this.podsByOwner = podsByOwner;
    this.warnings = warnings;
    this.gangs = gangs;
  }

  /// A member with its owners as all others have them. What is newer than that they learn.
  WorkloadPod asKnown(String namespace, WorkloadPod climbed) {
    var member = climbed;
    for (KubeObject each : climbed.others()) {
      var owner = new OwnerInNamespace(namespace, each.uid());
      var known = each.uid().isEmpty() ? Optional.of(each) : podsByOwner.known(owner);
      if (known.isEmpty()) {
        learn(owner, each);
      } else if (isSame(known.get(), each) || isOlder(each, known.get())) {
        member = member.with(known.get());
      } else {
        replace(owner, each);
      }
    }
    return member;
  }

  private void learn(OwnerInNamespace owner, KubeObject now) {
    podsByOwner.learn(owner, now);
    warnings.look(now);
  }

  private static boolean isSame(KubeObject one, KubeObject other) {
    return one == other || one.fields().equals(other.fields());
  }

  /// Where both versions are told; Jobs, of which none is, come by their watch in order.
  private static boolean isOlder(KubeObject one, KubeObject other) {
    return one.version() != 0 && other.version() != 0 && one.version() < other.version();
  }

  /// An owner as it is now. Compared once, not for each of its pods.
  void replace(OwnerInNamespace owner, KubeObject now) {
    if (!podsByOwner.has(owner)
        || podsByOwner.known(owner).filter(it -> isSame(it, now)).isPresent()) {
      return;
    }
    boolean isNews = podsByOwner.known(owner).filter(it -> it.isMetadataSameAs(now)).isEmpty();
    learn(owner, now);
    var changed = new ArrayList<GroupedPod>();
    for (GroupedPod entry : podsByOwner.of(owner)) {
      if (entry.climbed) {
        entry.member = entry.member.with(now);
        changed.add(entry);
      }
    }
    if (isNews) {
      gangs.tell(changed);
    }
  }
}
