package dev.berth.simulator.chaos;

import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.Time;
import java.time.Duration;

/// Does something again and again, at intervals by chance, from its beginning to its end; it may
/// begin again.
final class PeriodicTask {
  private final Time time;
  private final Chance chance;
  private final Duration pause;
  private final Runnable beat;
  private boolean on;

  /// @param pause between two beats, on average
  PeriodicTask(Time time, Chance chance, Duration pause, Runnable beat) {
    this.time = time;
    this.chance = chance;
    this.pause = pause;
    this.beat = beat;
  }

  void begin() {
    on = true;
    next();
  }

  void end() {
    on = false;
  }

  private void next() {
    time.after(
        chance.around(pause),
        () -> {
          if (on) {
            beat.run();
            next();
          }
        });
  }
}
