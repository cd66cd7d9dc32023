package dev.berth.engine.ledger;

import dev.berth.engine.model.Backoffs.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// How often something went wrong for a workload or a namespace, and until when it pauses for that:
/// 10 s, then three times as long each time, up to 15 min. After an hour without another it is
/// forgotten. The oldest are forgotten where there are very many.
final class FailureCounts<K> {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final int GROWTH = 3;
  private static final Duration REMEMBERED = Duration.ofHours(1);
  private static final int MOST = 10_000;

  private final LinkedHashMap<K, Failed> known = new LinkedHashMap<>(); // oldest first

  /// @param at the latest time
  /// @param victims that left for nothing
  /// @param steps of the pause; 0 = there is none
  record Failed(Instant at, int victims, int steps, Backoff backoff) {
    /// Before the first failure.
    static final Failed NEVER = new Failed(Instant.MIN, 0, 0, new Backoff("", 0, "", Instant.MIN));

    int failures() {
      return backoff.failures();
    }
  }

  Optional<Failed> find(K key) {
    return Optional.ofNullable(known.get(key));
  }

  /// It fails once more, and pauses from now on.
  void fails(K key, Failed failed) {
    known.remove(key);
    known.put(key, failed);
    if (known.size() > MOST) {
      known.pollFirstEntry();
    }
  }

  /// One that failed, with what is different now. It keeps its place in the order.
  void becomes(K key, Failed failed) {
    known.replace(key, failed);
  }

  Optional<Failed> remove(K key) {
    return Optional.ofNullable(known.remove(key));
  }

  /// @return whether anything was
  boolean forgetUntil(Instant now) {
    boolean any = false;
    while (!known.isEmpty() && !known.firstEntry().getValue().at.plus(REMEMBERED).isAfter(now)) {
      known.pollFirstEntry();
      any = true;
    }
    return any;
  }

  static Duration pause(int steps) {
    Duration pause = steps > 0 ? FIRST : Duration.ZERO;
    for (int i = 1; i < steps && pause.compareTo(LONGEST) < 0; i++) {
      pause = pause.multipliedBy(GROWTH);
    }
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  /// Those that pause, or did when they failed last.
  Map<K, Backoff> pauses() {
    var pauses = new LinkedHashMap<K, Backoff>(known.size());
    known.forEach((key, failed) -> {
      if (failed.backoff.until().isAfter(failed.at)) {
        pauses.put(key, failed.backoff);
      }
    });
    return pauses;
  }
}
