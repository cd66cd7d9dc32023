package dev.berth.simulator.world;

import dev.berth.controllers.loop.Workers;
import java.time.Instant;
import java.time.InstantSource;

/// The controllers' workers on a world's time: every task an event in the one queue.
public final class TimeWorkers implements Workers {
  private final Time time;

  public TimeWorkers(Time time) {
    this.time = time;
  }

  @Override
  public void run(Runnable task) {
    time.at(time.instant(), task);
  }

  @Override
  public void at(Instant when, Runnable task) {
    time.at(when, task);
  }

  @Override
  public InstantSource time() {
    return time;
  }
}
