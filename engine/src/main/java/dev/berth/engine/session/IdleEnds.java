package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.PodGroup;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// The groups whose GPUs do nothing, or that say so while nothing was measured yet. A question
/// costs what is idle, not what runs.
///
/// Of one thread.
public final class IdleEnds {
  private final TreeSet<GroupKey> all = new TreeSet<>();

  /// Looks at a group that came, or changed.
  public void enter(PodGroup group) {
    if (!group.spec().run().idle().equals(Idleness.NONE)) {
      all.add(group.key());
    }
  }

  /// The group is gone, or changes.
  public void leave(GroupKey group) {
    all.remove(group);
  }

  /// No group is known.
  public void clear() {
    all.clear();
  }

  public SortedSet<GroupKey> groups() {
    return Collections.unmodifiableSortedSet(all);
  }
}
