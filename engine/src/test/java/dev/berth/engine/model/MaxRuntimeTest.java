package dev.berth.engine.model;

import static dev.berth.engine.QueueSketch.anything;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.QueueSketch;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MaxRuntimeTest {
  private final TreeMap<QueueName, Queue> queues = new TreeMap<>();

  private void queue(String name, QueueSketch sketch) {
    queues.put(new QueueName(name), sketch.named(name));
  }

  private MaxRuntime in(String queue) {
    return MaxRuntime.in(new QueueName(queue), name -> Optional.ofNullable(queues.get(name)));
  }

  private static MaxRuntime of(String queue, Duration length) {
    return new MaxRuntime(length, new QueueName(queue));
  }

  @Test
  void theNearestOfTheSmallestIsNamed() {
    queue("root", anything().maxRuntime(ofHours(2)));
    queue("middle", anything().below("root").maxRuntime(ofHours(2)));
    queue("leaf", anything().below("middle").maxRuntime(ofHours(3)));
    assertThat(in("leaf")).isEqualTo(of("middle", ofHours(2)));
    assertThat(in("root")).isEqualTo(of("root", ofHours(2)));
  }

  @Test
  void queuesThatSayNothingAndQueuesThatDoNotExistHaveNoRule() {
    queue("silent", anything());
    assertThat(in("silent")).isEqualTo(MaxRuntime.NONE);
    assertThat(in("missing")).isEqualTo(MaxRuntime.NONE);
  }

  /// Each queue of the circle counts, and the way ends.
  @Test
  void parentsThatLeadInACircleAreLookedAtOnce() {
    for (int length = 1; length <= 7; length++) {
      for (int before = 0; before < 6; before++) {
        for (int smallest = 0; smallest < length + before; smallest++) {
          queues.clear();
          for (int i = 0; i < length + before; i++) {
            int next = i + 1 < length + before ? i + 1 : before;
            var time = i == smallest ? ofHours(1) : ofHours(2);
            queue("q" + i, anything().below("q" + next).maxRuntime(time));
          }
          assertThat(in("q0"))
              .as("%s queues before a circle of %s", before, length)
              .isEqualTo(of("q" + smallest, ofHours(1)));
        }
      }
    }
  }

  @Test
  void theNearestWarningCountsThoughAnotherQueueSaysTheLength() {
    queue("root", anything().maxRuntime(ofHours(2)).maxRuntimeWarning(ofMinutes(20)));
    queue("middle", anything().below("root").maxRuntimeWarning(ofMinutes(40)));
    queue("leaf", anything().below("middle"));
    var most = in("leaf");
    assertThat(most).isEqualTo(new MaxRuntime(ofHours(2), new QueueName("root"), ofMinutes(40)));
    assertThat(most.warningOr(ofMinutes(5))).isEqualTo(ofMinutes(40));
    assertThat(of("q", ofHours(1)).warningOr(ofMinutes(5))).isEqualTo(ofMinutes(5));
    assertThat(of("q", ofMinutes(8)).warningOr(ofMinutes(5))).isEqualTo(ofMinutes(4));
  }

  @Test
  void saysWhoseRuleItIs() {
    assertThat(of("research", ofHours(36)).words())
        .isEqualTo("the max-runtime of queue research, 36h");
    assertThat(new MaxRuntime(ofMinutes(90), QueueName.NONE).words())
        .isEqualTo("its max-runtime of 1h30m");
    assertThat(MaxRuntime.text(ofMillis(1500))).isEqualTo("1.5s");
  }
}
