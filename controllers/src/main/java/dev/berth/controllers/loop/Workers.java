package dev.berth.controllers.loop;

import java.time.Instant;
import java.time.InstantSource;

/// Where work runs, by which clock, and by whose chance. A task that throws is logged and lost; it
/// stops nothing else.
public interface Workers {
  /// Soon, on another thread (in the simulator: as the next event).
  void run(Runnable task);

  /// Not before `when`; a moment that has passed means soon.
  void at(Instant when, Runnable task);

  InstantSource time();

  /// 0 to below 1.
  double chance();
}
