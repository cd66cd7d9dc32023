package dev.berth.controllers.holders;

import java.time.Duration;

/// @param keepIdle how long a holder that nobody uses stays, in case the next share comes
public record HolderSettings(Duration keepIdle) {
  public static final HolderSettings DEFAULT = new HolderSettings(Duration.ofSeconds(2));
}
