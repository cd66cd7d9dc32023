package dev.berth.controllers.client;

import java.time.Duration;
import java.util.Optional;

/// Whether this process may act: only the lease holder, and only while the lease is surely its own.
/// Any thread; cheap.
public interface Fence {
  /// Why it may not; empty = it may.
  Optional<String> barred();

  /// How long a write that begins now may take before another process may act; zero = it must not
  /// begin.
  Duration left();

  /// A write got no answer: it may still be done, for as long as it was allowed to take.
  void unanswered();

  /// There is no other process: a simulation, or a single process without a lease.
  Fence OPEN =
      new Fence() {
        @Override
        public Optional<String> barred() {
          return Optional.empty();
        }

        @Override
        public Duration left() {
          return Duration.ofDays(1);
        }

        @Override
        public void unanswered() {}
      };
}
