package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.ConfiguredKind;
import java.time.Duration;
import java.util.List;

/// @param definitions kinds that the configuration describes
/// @param schedulers whose pods are grouped
/// @param readAgain how often the owners of pods that wait are read again
public record GroupingSettings(
    List<ConfiguredKind> definitions, List<String> schedulers, Duration readAgain) {
  public GroupingSettings {
    definitions = List.copyOf(definitions);
    schedulers = List.copyOf(schedulers);
  }
}
