package dev.berth.extender.access;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Answers of the API server that are believed for a while; a bounded number of them. Any thread.
final class AnswerCache<Q, A> {
  private final int most;
  private final InstantSource time;
  private final Map<Q, Remembered<A>> remembered = new LinkedHashMap<>(); // guarded by itself

  private record Remembered<A>(A answer, Instant until) {}

  /// @param most beyond which the oldest are forgotten
  AnswerCache(int most, InstantSource time) {
    this.most = most;
    this.time = time;
  }

  Optional<A> recall(Q question) {
    synchronized (remembered) {
      return Optional.ofNullable(remembered.get(question))
          .filter(answer -> time.instant().isBefore(answer.until()))
          .map(Remembered::answer);
    }
  }

  void remember(Q question, A answer, Duration holds) {
    synchronized (remembered) {
      remembered.remove(question);
      remembered.put(question, new Remembered<>(answer, time.instant().plus(holds)));
      while (remembered.size() > most) {
        remembered.remove(remembered.keySet().iterator().next()); // the oldest
      }
    }
  }
}
