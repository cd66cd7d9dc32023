package dev.berth.cli.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QueueLabelsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static Queue queue(String name, int age) {
    return new Queue(
        new QueueName(name),
        1,
        START.minusSeconds(age),
        QueueName.NONE,
        100,
        Amounts.NONE,
        new TreeMap<>(),
        new TreeMap<>(),
        Duration.ZERO,
        Duration.ZERO,
        List.of());
  }

  @Test
  void youngQueuesPushNoOlderOneOut() {
    var queues = new ArrayList<Queue>();
    queues.add(queue("research", 1000));
    for (int i = 0; i < 2 * QueueLabels.MOST; i++) {
      queues.add(queue("a" + i, 0));
    }
    Collections.shuffle(queues, new java.util.Random(1));
    var labels = QueueLabels.of(queues);
    assertThat(labels.of(new QueueName("research"))).isEqualTo("research");
    assertThat(queues.stream().map(queue -> labels.of(queue.name())).distinct())
        .hasSize(QueueLabels.MOST + 1)
        .contains(QueueLabels.OTHER);
  }

  @Test
  void aNameThatAnyPodMayCarryIsNoLabel() {
    assertThat(QueueLabels.of(List.of(queue("q", 1))).of(new QueueName("${jndi}")))
        .isEqualTo(QueueLabels.UNKNOWN);
  }

  @Test
  void tellsWhichLabelsEnd() {
    var before = QueueLabels.of(List.of(queue("a", 2), queue("b", 1)));
    assertThat(before.goneIn(QueueLabels.of(List.of(queue("b", 1), queue("c", 0)))))
        .containsExactly("a");
  }
}
