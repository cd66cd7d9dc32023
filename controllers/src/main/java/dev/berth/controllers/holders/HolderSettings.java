package dev.berth.controllers.holders;

import java.time.Duration;

/// @param keepIdle how long an unused holder stays, in case the next share comes
/// @param readyTimeout how long a holder may take to report its device, before the pods that wait
///   for it are planned elsewhere
/// @param warm idle holders that each node keeps ready as long as a pod shares a device of it; they
///   give way to any pod that is planned onto their device
/// @param creationTimeout how long a holder may still come whose creation was not answered; its
///   device stays taken for so long
/// @param lossGrace how long a share runs on whose holder is gone, in case a new one gets the same
///   GPU
/// @param lossTermination the longest termination grace of a share that is stopped for that
public record HolderSettings(
    Duration keepIdle,
    Duration readyTimeout,
    int warm,
    Duration creationTimeout,
    Duration lossGrace,
    Duration lossTermination) {
  public static final HolderSettings DEFAULT =
      new HolderSettings(
          Duration.ofSeconds(2),
          Duration.ofSeconds(30),
          0,
          Duration.ofMinutes(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(2));
}
