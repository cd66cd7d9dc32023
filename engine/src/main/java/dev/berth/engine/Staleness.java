package dev.berth.engine;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.session.Group;

/// Whether a gang is stale, for the caller that remembers since when ([Planner#plan]).
public final class Staleness {
  private Staleness() {}

  /// Some members run while the group's tree does not meet its minimum. Terminating members count
  /// as running, failed ones do not; a group with a completed member that counts never is.
  public static boolean isStale(PodGroup group) {
    return Group.outside(group).isStale();
  }
}
