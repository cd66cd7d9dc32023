package dev.berth.controllers.injection;

import dev.berth.engine.injection.InjectionMode;
import java.time.Duration;
import java.util.Optional;

/// @param probes whether a node is proven before its first share; otherwise every node is believed
///   to give a container what `NVIDIA_VISIBLE_DEVICES` names
/// @param runtimeClass of shares; empty optional = `auto`, empty text = none
/// @param mode the one to try; empty = those that the guess names, in its order
/// @param patience how long a probe may take to end
/// @param retry after which a node whose probe failed is tried again
public record InjectionSettings(
    boolean probes,
    Optional<String> runtimeClass,
    Optional<InjectionMode> mode,
    Duration patience,
    Duration retry) {
  public static final InjectionSettings DEFAULT =
      new InjectionSettings(
          true, Optional.empty(), Optional.empty(), Duration.ofSeconds(30), Duration.ofMinutes(10));
}
