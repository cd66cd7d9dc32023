package dev.berth.controllers.cycle;

import java.time.Duration;
import java.time.Instant;

/// How long plans may take together: a fifth of one core in the long run, and after some quiet a
/// few of them one after the other (a token bucket, filled by time, emptied by planning). So what
/// comes alone is planned at once, and under a stream of changes each plan takes in what came
/// meanwhile.
///
/// Of one thread at a time.
final class PlanningAllowance {
  private static final int SHARE = 5;
  private static final Duration MOST = Duration.ofMillis(400);

  private final Duration longestRest;
  private Duration left = MOST;
  private Instant last = Instant.MAX; // when the last plan was over

  PlanningAllowance(Duration longestRest) {
    this.longestRest = longestRest;
  }

  /// A plan was made.
  ///
  /// @return how long to rest before the next one
  Duration rest(Instant began, Instant now) {
    if (last.isBefore(now)) {
      left = atMost(MOST, left.plus(Duration.between(last, now).dividedBy(SHARE)));
    }
    last = now;
    left = left.minus(Duration.between(began, now));
    if (!left.isNegative()) {
      return Duration.ZERO;
    }
    var rest = atMost(longestRest, left.negated().multipliedBy(SHARE));
    if (rest.equals(longestRest)) {
      left = rest.negated().dividedBy(SHARE); // what is owed beyond the longest rest is let off
    }
    return rest;
  }

  private static Duration atMost(Duration most, Duration duration) {
    return duration.compareTo(most) > 0 ? most : duration;
  }
}
