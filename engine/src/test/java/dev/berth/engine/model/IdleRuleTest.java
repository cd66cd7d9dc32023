package dev.berth.engine.model;

import static dev.berth.engine.QueueSketch.anything;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.QueueSketch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class IdleRuleTest {
  private final TreeMap<QueueName, Queue> queues = new TreeMap<>();

  private void queue(String name, QueueSketch sketch) {
    queues.put(new QueueName(name), sketch.named(name));
  }

  private List<String> in(String queue) {
    return IdleRules.in(new QueueName(queue), name -> Optional.ofNullable(queues.get(name)))
        .stream()
        .map(rule -> rule.queue().value())
        .toList();
  }

  @Test
  void theRulesOfTheQueuesAboveHoldBesideItsOwn() {
    queue("root", anything().evictsIdle(ofHours(4), ofMinutes(15)));
    queue("middle", anything().below("root"));
    queue("leaf", anything().below("middle").reportsIdle(ofHours(1)));
    assertThat(in("leaf")).containsExactly("leaf", "root");
    assertThat(in("middle")).containsExactly("root");
    assertThat(in("none")).isEmpty();
  }

  @Test
  void parentsThatLeadInACircleAreLookedAtOnce() {
    queue("a", anything().below("b").reportsIdle(ofHours(1)));
    queue("b", anything().below("c").reportsIdle(ofHours(2)));
    queue("c", anything().below("a"));
    assertThat(in("a")).containsExactly("a", "b");
    assertThat(in("c")).containsExactly("a", "b");
  }

  @Test
  void saysWhoseRuleItIs() {
    var rule = anything().evictsIdle(ofMinutes(90), Duration.ZERO).named("research").idle();
    assertThat(rule.words()).isEqualTo("the idle rule of queue research, 1h30m below 5 %");
  }

  @Test
  void aNoticeOfAReportAnnouncesNoEviction() {
    var at = Instant.parse("2026-01-01T10:00:00Z");
    assertThat(new Idleness.Notice(at, true).dueAt(ofMinutes(15))).isEqualTo(at.plusSeconds(900));
    assertThat(new Idleness.Notice(at, false).dueAt(ofMinutes(15))).isEqualTo(Instant.MAX);
    assertThat(Idleness.Notice.NONE.dueAt(ofMinutes(15))).isEqualTo(Instant.MAX);
    assertThat(Idleness.Notice.RECALLED.dueAt(ofMinutes(15))).isEqualTo(Instant.MAX);
  }
}
