package dev.berth.engine.ledger;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Standing;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/// A group while it is kept: its object, if that has been seen, and its members in their order.
final class GroupEntry {
  /// For pods that belong to no group: those of other schedulers, and holders.
  static final GroupEntry NONE = new GroupEntry(GroupKey.NONE, false);

  final GroupKey key;
  final boolean single;
  final TreeMap<Rank, PodEntry> members = new TreeMap<>();
  private Optional<GroupSpec> object = Optional.empty();
  private Optional<PodGroup> shown = Optional.empty();
  private boolean stale = true;

  GroupEntry(GroupKey key, boolean single) {
    this.key = key;
    this.single = single;
  }

  /// The order of members: task-priority, larger first, then name.
  record Rank(int taskPriority, PodKey key) implements Comparable<Rank> {
    static Rank of(Pod pod) {
      return new Rank(pod.belonging().taskPriority(), pod.key());
    }

    @Override
    public int compareTo(Rank other) {
      int byPriority = Integer.compare(other.taskPriority, taskPriority);
      return byPriority != 0 ? byPriority : key.compareTo(other.key);
    }
  }

  Optional<GroupSpec> object() {
    return object;
  }

  void become(Optional<GroupSpec> spec) {
    object = spec;
    stale = true;
  }

  boolean isForgettable() {
    return members.isEmpty() && object.isEmpty();
  }

  /// With an object, or a member that is not over.
  boolean isShown() {
    if (object.isPresent()) {
      return true;
    }
    for (PodEntry member : members.values()) {
      if (!(member.standing instanceof Standing.Over)) {
        return true;
      }
    }
    return false;
  }

  void changed() {
    stale = true;
  }

  /// What was shown last, made anew only if something changed; the same object if it came out the
  /// same.
  PodGroup shown(Supplier<PodGroup> anew) {
    if (stale || shown.isEmpty()) {
      PodGroup group = anew.get();
      if (!shown.equals(Optional.of(group))) {
        shown = Optional.of(group);
      }
      stale = false;
    }
    return shown.orElseThrow();
  }
}
