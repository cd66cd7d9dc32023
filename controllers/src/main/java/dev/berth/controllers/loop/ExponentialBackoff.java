package dev.berth.controllers.loop;

import java.time.Duration;
import java.time.Instant;

/// Pauses between things that may come again and again: each is twice the one before, up to the
/// longest; the first one again after a time without any. Not for two threads at once.
public final class ExponentialBackoff {
  private final Backoff backoff;
  private final Duration untilQuiescent;
  private Instant last = Instant.EPOCH;
  private Duration pause = Duration.ZERO;

  public ExponentialBackoff(Duration first, Duration longest, Duration untilQuiescent) {
    this.backoff = new Backoff(first, longest);
    this.untilQuiescent = untilQuiescent;
  }

  /// When the next one may come.
  public Instant next() {
    return last.plus(pause);
  }

  public void happened(Instant now) {
    boolean isQuiescent = pause.isZero() || !now.isBefore(last.plus(untilQuiescent));
    pause = isQuiescent ? backoff.first() : backoff.next(pause);
    last = now;
  }
}
