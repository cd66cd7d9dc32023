package dev.berth.engine;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Group;

/// Whether a gang is stale, for the caller that remembers since when ([Planner#plan]).
public final class Staleness {
  private Staleness() {}

  /// Some members run while the group's tree does not meet its minimum. Terminating members count
  /// as running, failed ones do not; a group with a completed member that counts never is.
  public static boolean isStale(PodGroup group) {
    return Group.outside(group).isStale();
  }

  /// Whether it would be, were those members gone that are on their way out.
  public static boolean isLeftStale(PodGroup group) {
    var staying =
        group.members().stream()
            .filter(member ->
                !(member.standing() instanceof Standing.Leaving
                    || member.standing() instanceof Standing.Awaited))
            .toList();
    return isStale(group.of(staying));
  }
}
