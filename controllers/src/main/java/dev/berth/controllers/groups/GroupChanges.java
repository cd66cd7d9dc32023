package dev.berth.controllers.groups;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Of which groups there is something new since the last cycle: of the group itself, of why it
/// waits, of since when it is below its minimum, of its end, of whether its GPUs do nothing.
///
/// Of one thread.
final class GroupChanges {
  private List<PodGroup> groups = List.of();
  private HashMap<GroupKey, Reason> waits = new HashMap<>();
  private HashMap<GroupKey, Instant> staleSince = new HashMap<>();
  private HashMap<GroupKey, RuntimeEnd> endings = new HashMap<>();
  private HashMap<GroupKey, IdleEnd> idle = new HashMap<>();

  /// @param now in key order; those that did not change by reference
  /// @return in key order, those that are gone included
  List<GroupKey> until(
      List<PodGroup> now,
      Map<GroupKey, Reason> reasons,
      Map<GroupKey, Instant> stale,
      Map<GroupKey, RuntimeEnd> ends,
      Map<GroupKey, IdleEnd> idling) {
    var turnover = SnapshotDiff.between(groups, now).orElseThrow();
    var changed = new TreeSet<>(turnover.come().keySet());
    for (int index : turnover.gone()) {
      changed.add(groups.get(index).key());
    }
    groups = now;
    waits = compare(waits, reasons, changed);
    staleSince = compare(staleSince, stale, changed);
    endings = compare(endings, ends, changed);
    idle = compare(idle, idling, changed);
    return List.copyOf(changed);
  }

  /// Whatever comes next is new.
  void forget() {
    groups = List.of();
    waits.clear();
    staleSince.clear();
    endings.clear();
    idle.clear();
  }

  /// @param before is used up
  /// @return a copy of what is now
  private static <V> HashMap<GroupKey, V> compare(
      HashMap<GroupKey, V> before, Map<GroupKey, V> now, TreeSet<GroupKey> changed) {
    now.forEach((key, value) -> {
      if (!value.equals(before.remove(key))) {
        changed.add(key);
      }
    });
    changed.addAll(before.keySet());
    return new HashMap<>(now);
  }
}
