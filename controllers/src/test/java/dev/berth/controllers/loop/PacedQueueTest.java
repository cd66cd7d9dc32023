package dev.berth.controllers.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PacedQueueTest {
  private static final int KEYS = 40;

  /// Whatever is added and removed, it keeps the keys that wait and no others, and hands on none
  /// that was removed.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void keepsWhatWaitsAlone(long seed) {
    var random = new Random(seed);
    var workers = new World().workers;
    Set<String> waiting = new HashSet<>();
    List<String> wrong = new ArrayList<>();
    var queue =
        new PacedQueue<String>(
            2,
            key -> key.substring(0, 1),
            workers,
            key -> {
              if (!waiting.remove(key)) {
                wrong.add(key);
              }
            });
    for (int i = 0; i < 2000; i++) {
      String key = (char) ('a' + random.nextInt(4)) + "" + random.nextInt(KEYS);
      switch (random.nextInt(4)) {
        case 0, 1 -> {
          waiting.add(key);
          queue.add(key, workers.time().instant().plusMillis(random.nextInt(5000)));
        }
        case 2 -> {
          waiting.remove(key);
          queue.remove(key);
        }
        default -> workers.turn(Duration.ofMillis(random.nextInt(1000)));
      }
      assertThat(queue.size()).isEqualTo(waiting.size());
    }
    workers.turn(Duration.ofMinutes(5));
    assertThat(wrong).as("handed on though removed").isEmpty();
    assertThat(waiting).as("never handed on").isEmpty();
  }
}
