package dev.berth.controllers.loop;

import java.time.Duration;

/// @param atOnce keys in work at the same time
/// @param first pause after a first failure
/// @param longest the pause grows no further
public record KeyedLoopSettings(int atOnce, Duration first, Duration longest) {
  public static final KeyedLoopSettings DEFAULT =
      new KeyedLoopSettings(32, Duration.ofMillis(200), Duration.ofSeconds(30));

  public KeyedLoopSettings {
    if (atOnce < 1 || first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "atOnce "
              + atOnce
              + ", first "
              + first
              + ", longest "
              + longest
              + ": want 1 or more,"
              + " above zero, and longest not below first");
    }
  }
}
