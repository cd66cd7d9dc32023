package dev.berth.engine.ledger;

import dev.berth.engine.model.PersistentVolumeClaim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;

/// Pods of claims of which something has changed: what their volumes mean for them is to be judged
/// anew.
final class UnsettledVolumes {
  /// Pods that one snapshot looks at anew. One claim may be that of thousands of pods, and be
  /// changed by any tenant: the others wait for the next.
  private static final int AT_ONCE = 256;

  private final SetsByKey<PersistentVolumeClaim.Key, PodRecord> users;

  /// Claims whose pods are to be judged anew.
  private final LinkedHashSet<PersistentVolumeClaim.Key> changed = new LinkedHashSet<>();

  /// Pods that are, in the order in which their claims changed.
  private final LinkedHashSet<PodRecord> due = new LinkedHashSet<>();

  /// @param users pods by claim, as they are now
  UnsettledVolumes(SetsByKey<PersistentVolumeClaim.Key, PodRecord> users) {
    this.users = users;
  }

  /// @return whether a pod uses it
  boolean changed(PersistentVolumeClaim.Key claim) {
    boolean isUsed = users.has(claim);
    if (isUsed) {
      changed.add(claim);
    }
    return isUsed;
  }

  /// @return whether a pod uses any
  boolean allChanged() {
    changed.addAll(users.keys());
    return !users.isEmpty();
  }

  void changed(Collection<PodRecord> pods) {
    due.addAll(pods);
  }

  void leaves(PodRecord pod) {
    due.remove(pod);
  }

  /// Those of which something has changed since they were last among these, as many as one snapshot
  /// looks at.
  Collection<PodRecord> settle() {
    changed.forEach(claim -> due.addAll(users.of(claim)));
    changed.clear();
    var now = new ArrayList<PodRecord>(Math.min(AT_ONCE, due.size()));
    while (!due.isEmpty() && now.size() < AT_ONCE) {
      now.add(due.removeFirst());
    }
    return now;
  }

  boolean isEmpty() {
    return changed.isEmpty() && due.isEmpty();
  }
}
