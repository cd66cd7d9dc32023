package dev.berth.engine;

import dev.berth.engine.model.PodGroup;
import dev.berth.engine.session.Group;
import java.time.Instant;
import java.util.Collection;

/// When groups have run for their max-runtime, for a planner that runs only when something is due.
public final class MaxRuntimes {
  private MaxRuntimes() {}

  /// The first moment at which a group must end; `MAX` = none has to.
  public static Instant nextEnd(Collection<PodGroup> groups, Instant now) {
    var next = Instant.MAX;
    for (PodGroup group : groups) {
      if (!group.spec().patience().maxRuntime().isZero()) {
        var end = Group.outside(group).end(now);
        next = end.isBefore(next) ? end : next;
      }
    }
    return next;
  }
}
