package dev.berth.controllers.groups;

import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.Workers;

/// What pods are told.
public final class PodMessages {
  private final PodReasons reasons;
  private final EndWarnings warnings;
  private final IdleNotices idle;

  /// @param reasons why they wait
  public PodMessages(
      PodReasons reasons,
      EventRecorder events,
      PodClient pods,
      Workers workers,
      GroupSettings settings) {
    var announcer = new Announcer(events, pods, workers, settings);
    this.reasons = reasons;
    this.warnings = new EndWarnings(announcer, workers);
    this.idle = new IdleNotices(announcer, workers);
  }

  PodReasons reasons() {
    return reasons;
  }

  /// That they end soon.
  EndWarnings warnings() {
    return warnings;
  }

  /// That their GPUs do nothing.
  IdleNotices idle() {
    return idle;
  }
}
