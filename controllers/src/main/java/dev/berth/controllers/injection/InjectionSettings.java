package dev.berth.controllers.injection;

import dev.berth.engine.injection.InjectionMode;
import java.time.Duration;
import java.util.Optional;

/// @param probe whether a node is proven before its first share; otherwise every node is believed
///   to give a container what `NVIDIA_VISIBLE_DEVICES` names
/// @param runtimeClass of shares; empty optional = `auto`, empty text = none
/// @param injection the one to try; empty = those that the guess names, in its order
/// @param probeTimeout how long a probe may take to end
/// @param probeRetry after which a node whose probe failed is tried again
public record InjectionSettings(
    boolean probe,
    Optional<String> runtimeClass,
    Optional<InjectionMode> injection,
    Duration probeTimeout,
    Duration probeRetry) {
  public static final InjectionSettings DEFAULT =
      new InjectionSettings(
          true, Optional.empty(), Optional.empty(), Duration.ofSeconds(30), Duration.ofMinutes(10));
}
