package dev.berth.controllers.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// Pauses that double from `first` to `longest`, each shortened by chance to between half and
/// whole, so that many who failed together do not come again together. One thread at a time.
public final class Backoff {
  private final Duration first;
  private final Duration longest;
  private final RandomGenerator chance;
  private int failures;

  public Backoff(Duration first, Duration longest, RandomGenerator chance) {
    this.first = first;
    this.longest = longest;
    this.chance = chance;
  }

  /// The pause after one more failure.
  public Duration next() {
    return after(++failures, first, longest, chance);
  }

  /// It went well: the next pause is the first again.
  public void reset() {
    failures = 0;
  }

  public int failures() {
    return failures;
  }

  /// The pause after so many failures.
  static Duration after(int failures, Duration first, Duration longest, RandomGenerator chance) {
    long nanos = first.toNanos();
    for (int i = 1; i < failures && nanos < longest.toNanos(); i++) {
      nanos *= 2;
    }
    nanos = Math.min(nanos, longest.toNanos());
    return Duration.ofNanos(nanos / 2 + chance.nextLong(nanos / 2 + 1));
  }
}
