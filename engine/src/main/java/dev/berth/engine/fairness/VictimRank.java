package dev.berth.engine.fairness;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/// When a group of a leaf has its turn to leave: the reverse of [WorkloadOrder].
///
/// @param progress of its next step: 2 = a surplus member leaves, 1 = the core of a group that has
///   its minimum, 0 = what is left of one that has not
record VictimRank(int priority, int progress, Instant created, GroupKey key)
    implements Comparable<VictimRank> {
  private static final Comparator<VictimRank> LAST_TO_FIRST =
      Comparator.comparingInt(VictimRank::priority)
          .thenComparing(Comparator.comparingInt(VictimRank::progress).reversed())
          .thenComparing(
              Comparator.comparing(VictimRank::created).thenComparing(VictimRank::key).reversed());

  /// @param units its steps
  /// @param chosen how many of them were chosen already
  static VictimRank of(Group group, List<EvictionUnit> units, int chosen) {
    boolean core = chosen < units.size() && units.get(chosen).core();
    int progress = !core ? 2 : group.isBelowMinimum() ? 0 : 1;
    var of = group.group();
    return new VictimRank(of.priority(), progress, of.created(), of.key());
  }

  @Override
  public int compareTo(VictimRank other) {
    return LAST_TO_FIRST.compare(this, other);
  }
}
