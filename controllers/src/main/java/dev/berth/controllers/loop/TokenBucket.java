package dev.berth.controllers.loop;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// How much may be done per second, with a burst: what keeps a mistake from deleting everything at
/// once. Any thread.
public final class TokenBucket {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final double burst;
  private final InstantSource time;
  private double tokens;
  private Instant filled;

  /// @param burst the most that may be taken at once; the bucket begins full
  public TokenBucket(double perSecond, int burst, InstantSource time) {
    if (!(perSecond > 0) || burst < 1) {
      throw new IllegalArgumentException(
          "a bucket of " + burst + " with " + perSecond + " per second is always empty");
    }
    this.perSecond = perSecond;
    this.burst = burst;
    this.time = time;
    this.tokens = burst;
    this.filled = time.instant();
  }

  /// Takes one, if there is one.
  public synchronized boolean tryTake() {
    fill();
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  }

  /// When the next will be there; now or earlier = already.
  public synchronized Instant next() {
    fill();
    return tokens >= 1
        ? filled
        : filled.plusNanos((long) Math.ceil((1 - tokens) / perSecond * NANOS));
  }

  private void fill() {
    Instant now = time.instant();
    if (now.isAfter(filled)) { // a clock that was set back fills nothing
      double seconds = Duration.between(filled, now).toNanos() / NANOS;
      tokens = Math.min(burst, tokens + seconds * perSecond);
    }
    filled = now;
  }
}
