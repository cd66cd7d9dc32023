package dev.berth.extender;

import dev.berth.extender.verbs.Readiness;
import java.util.Optional;

/// What a process tells of itself.
///
/// @param leads whether the verbs are answered: `/leadz`
/// @param available whether the process counts as available, as a standby does: `/readyz`
/// @param lives whether it can get well by itself; else it should be started anew: `/livez`
public record Health(Readiness leads, Readiness available, Readiness lives) {
  /// Of a process that never stands by.
  public static Health of(Readiness readiness) {
    return new Health(readiness, readiness, Optional::empty);
  }
}
