package dev.berth.simulator.world;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The time a world lives in: what is queued runs in the order of its instants, and of equal
/// instants in the order in which it was queued, one after the other, never in the calling thread.
public interface Time extends InstantSource {
  /// Queues something; an instant that has passed means as soon as possible.
  void at(Instant when, Runnable what);

  default void after(Duration pause, Runnable what) {
    at(instant().plus(pause), what);
  }
}
