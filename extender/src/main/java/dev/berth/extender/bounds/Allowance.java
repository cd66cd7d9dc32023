package dev.berth.extender.bounds;

import java.util.concurrent.TimeUnit;

/// So much at once, and so much a second after that. For one thread at a time.
public final class Allowance {
  private final long atOnce;
  private final long aSecond;
  private long left;
  private long since;

  /// @param now in nanoseconds of any clock
  public Allowance(long atOnce, long aSecond, long now) {
    this.atOnce = atOnce;
    this.aSecond = aSecond;
    this.left = atOnce;
    this.since = now;
  }

  /// Whether there is so much left; where not, nothing is taken.
  public boolean takes(long wanted, long now) {
    long more = (long) ((double) (now - since) * aSecond / TimeUnit.SECONDS.toNanos(1));
    if (more > 0) {
      left = Math.min(atOnce, left + more);
      since = now;
    }
    if (left < wanted) {
      return false;
    }
    left -= wanted;
    return true;
  }
}
