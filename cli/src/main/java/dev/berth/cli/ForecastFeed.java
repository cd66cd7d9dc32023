package dev.berth.cli;

import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.forecast.StartForecasts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/// Shows the plans of a leader to [StartForecasts], which learns from them how long groups wait. A
/// cycle leaves its outcome and goes on; another thread looks at the last one, a second after the
/// first that was not looked at. It holds no outcome for longer than that.
final class ForecastFeed {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final StartForecasts forecasts;
  private final Workers workers;
  private final AtomicReference<List<CycleOutcome>> last = // one, or none
      new AtomicReference<>(List.of());

  ForecastFeed(StartForecasts forecasts, Workers workers) {
    this.forecasts = forecasts;
    this.workers = workers;
  }

  /// A cycle has planned. Of the planning thread.
  void planned(CycleOutcome outcome) {
    if (last.getAndSet(List.of(outcome)).isEmpty()) {
      workers.at(workers.time().instant().plus(LOOK), this::look);
    }
  }

  private void look() {
    last.getAndSet(List.of())
        .forEach(outcome -> forecasts.look(outcome.snapshot(), outcome.waits()));
  }
}
