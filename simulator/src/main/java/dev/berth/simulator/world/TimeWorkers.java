package dev.berth.simulator.world;

import dev.berth.controllers.loop.Workers;
import java.time.Instant;
import java.time.InstantSource;

/// The controllers' workers on a world's time: every task an event in the one queue.
public final class TimeWorkers implements Workers {
  private final Time time;
  private final Chance chance;

  public TimeWorkers(Time time, Chance chance) {
    this.time = time;
    this.chance = chance;
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

  @Override
  public double chance() {
    return chance.share();
  }
}
