package dev.berth.simulator.faults;

import dev.berth.simulator.world.Time;
import java.time.Duration;

/// Restarts something now and then: kube-scheduler, or Berth itself.
public final class Restarts {
  private final Time time;
  private final FaultInjector faultInjector;
  private final Duration every;
  private final Runnable restart;

  /// @param every how often the injector is asked
  public Restarts(Time time, FaultInjector faultInjector, Duration every, Runnable restart) {
    this.time = time;
    this.faultInjector = faultInjector;
    this.every = every;
    this.restart = restart;
  }

  public void start() {
    time.after(
        every,
        () -> {
          if (faultInjector.strikes(Fault.SCHEDULER_RESTART)) {
            restart.run();
          }
          start();
        });
  }
}
