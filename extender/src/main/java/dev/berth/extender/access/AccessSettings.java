package dev.berth.extender.access;

import java.time.Duration;

/// @param remembered how long a yes is believed without asking again
/// @param doubted how long a no is
/// @param atOnce most tokens that are judged at the same time; further clients are told to wait
/// @param most answers that are remembered
public record AccessSettings(Duration remembered, Duration doubted, int atOnce, int most) {
  public static final AccessSettings DEFAULT =
      new AccessSettings(Duration.ofSeconds(10), Duration.ofSeconds(2), 4, 1000);

  public AccessSettings {
    if (atOnce < 1 || most < 1) {
      throw new IllegalArgumentException(
          "the number of concurrent reviews is "
              + atOnce
              + " and that of remembered answers "
              + most
              + ", but both must be 1 or more");
    }
  }
}
