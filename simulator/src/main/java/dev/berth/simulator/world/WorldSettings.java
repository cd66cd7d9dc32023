package dev.berth.simulator.world;

import java.time.Duration;

/// @param seed of every choice in this world
/// @param watchDelay longest time until a watcher hears of a change; each takes a part of it
/// @param terminationLongest longest time that a pod takes to end once it is asked to
/// @param startLongest longest time from the binding to running
public record WorldSettings(
    long seed, Duration watchDelay, Duration terminationLongest, Duration startLongest) {
  public static WorldSettings of(long seed) {
    return new WorldSettings(
        seed, Duration.ofMillis(20), Duration.ofSeconds(2), Duration.ofMillis(1500));
  }
}
