package dev.berth.engine.fairness;

import java.time.Duration;

/// How past use counts when shares are divided.
///
/// @param k how strongly: 0 = not at all, 1 = a queue that used its weight's worth twice over gets
///   nothing over quota while others want it
/// @param halfLife after which past use counts half
public record FairShareSettings(double k, Duration halfLife) {
  /// Time does not count.
  public static final FairShareSettings DEFAULT = new FairShareSettings(0, Duration.ofDays(7));

  private static final double MOST = 1e6;

  public FairShareSettings {
    if (!(k >= 0 && k <= MOST) || halfLife.isNegative() || halfLife.isZero()) {
      throw new IllegalArgumentException(
          "fairShare.k is "
              + k
              + ", but must be from 0 (off) to 1000000; fairShare.halfLife is "
              + halfLife
              + ", but must be longer than 0");
    }
  }
}
