package dev.berth.controllers.kube;

import java.time.Duration;

/// @param page objects per page of a list
/// @param firstPause after a failure; doubles, chance takes away up to half
/// @param longestPause it grows no further
/// @param patience how long what Berth saw still counts as fresh while there is no stream: as long
///   may plans be made that do not know of a limit that was lowered
/// @param silenceTimeout and while there is one; not below the read time-out of the connection
/// @param absent how often Berth looks whether a kind is installed by now
/// @param rounds failures in a row from one place after which Berth lists anew
public record WatchSettings(
    int page,
    Duration firstPause,
    Duration longestPause,
    Duration patience,
    Duration silenceTimeout,
    Duration absent,
    int rounds) {
  public static final WatchSettings DEFAULT =
      new WatchSettings(
          500,
          Duration.ofMillis(200),
          Duration.ofSeconds(8),
          Duration.ofSeconds(8),
          Duration.ofSeconds(210),
          Duration.ofSeconds(30),
          5);

  public WatchSettings {
    if (page < 1
        || rounds < 1
        || !firstPause.isPositive()
        || longestPause.compareTo(firstPause) < 0
        || !patience.isPositive()
        || !silenceTimeout.isPositive()
        || !absent.isPositive()) {
      throw new IllegalArgumentException(
          "page, rounds and every duration must be above zero, longestPause not below firstPause");
    }
  }
}
