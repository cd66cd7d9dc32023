package dev.berth.engine.explain;

import dev.berth.engine.model.BinarySearch;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Spelling;
import java.util.ArrayList;
import java.util.List;

/// PodGroups whose names are almost that of one which does not exist. Found when the reason is told
/// and not when it is planned, as any other group may change it.
public final class NearGroups {
  /// Names on each side of the missing one, in their order, that are looked at.
  private static final int MOST = 32;

  private NearGroups() {}

  /// The same reason; of a missing PodGroup with one of its namespace that is called almost so.
  public static Reason told(Reason reason, Snapshot snapshot) {
    return reason instanceof Reason.NoSuchGroup none
        ? none.near(Spelling.nearest(none.group().name(), names(none.group(), snapshot)).orElse(""))
        : reason;
  }

  private static List<String> names(GroupKey missing, Snapshot snapshot) {
    var groups = snapshot.groups();
    int at = BinarySearch.indexOf(groups, PodGroup::key, missing);
    int there = at < 0 ? -1 - at : at;
    var names = new ArrayList<String>();
    for (int i = Math.max(0, there - MOST); i < Math.min(groups.size(), there + MOST); i++) {
      var group = groups.get(i);
      boolean isOther = !group.key().equals(missing) && group.origin() == PodGroup.Origin.OBJECT;
      if (isOther && group.key().namespace().equals(missing.namespace())) {
        names.add(group.key().name());
      }
    }
    return names;
  }
}
