package dev.berth.extender.barrier;

import java.time.Instant;
import java.time.InstantSource;

/// What time it is, and a way to be woken at another: the wall clock, or the simulator's.
public interface Timer extends InstantSource {
  /// Runs something once, at that moment or (if it has passed) soon; never on the caller's stack.
  void at(Instant when, Runnable what);
}
