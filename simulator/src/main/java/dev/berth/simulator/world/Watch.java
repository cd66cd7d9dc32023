package dev.berth.simulator.world;

import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/// One watcher's stream: every event its own queue entry, a little late, of one watcher in order.
/// Called under the world's lock; delivers outside of it.
final class Watch {
  private final Time time;
  private final Watcher watcher;
  private final Set<Kind> kinds;
  private final Duration longest;
  private final Chance chance;
  private Instant last = Instant.EPOCH;
  private volatile boolean closed;

  Watch(Time time, Watcher watcher, Set<Kind> kinds, Duration longest, long seed, int number) {
    this.time = time;
    this.watcher = watcher;
    this.kinds = kinds;
    this.longest = longest;
    this.chance = new Chance(seed, "watch-" + number);
  }

  boolean closeIfFor(Watcher other) {
    closed |= watcher == other;
    return closed;
  }

  void close() {
    closed = true;
  }

  void seen(Kind kind, Map<String, Object> object) {
    if (kinds.contains(kind)) {
      deliver(() -> watcher.seen(kind, object));
    }
  }

  void gone(Kind kind, Map<String, Object> object) {
    if (kinds.contains(kind)) {
      deliver(() -> watcher.gone(kind, object));
    }
  }

  void synced(Kind kind) {
    deliver(() -> watcher.synced(kind));
  }

  private void deliver(Runnable event) {
    Instant when = time.instant().plus(chance.between(Duration.ZERO, longest));
    last = when.isBefore(last) ? last : when;
    time.at(
        last,
        () -> {
          if (!closed) {
            event.run();
          }
        });
  }
}
