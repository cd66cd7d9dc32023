package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Moves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MoveHistoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final MoveHistory history = new MoveHistory(new MoveSettings(3, Duration.ofMinutes(30)));

  @Test
  void nothingMovedLeavesAll() {
    assertThat(history.at(START)).isEqualTo(moves(3, List.of(), Instant.MAX));
  }

  @Test
  void whatWasMovedRestsAndCountsForAnHour() {
    history.add(START, "group a/train");
    history.add(START, "group a/train");
    history.add(minutes(10), "owner b");
    assertThat(history.at(minutes(10)))
        .isEqualTo(moves(0, List.of("group a/train", "owner b"), minutes(30)));
    assertThat(history.at(minutes(30))).isEqualTo(moves(0, List.of("owner b"), minutes(40)));
    assertThat(history.at(minutes(45))).isEqualTo(moves(0, List.of(), minutes(60)));
    assertThat(history.at(minutes(60))).isEqualTo(moves(2, List.of(), minutes(70)));
    assertThat(history.at(minutes(70))).isEqualTo(moves(3, List.of(), Instant.MAX));
  }

  @Test
  void aLongCooldownOutlivesTheHour() {
    var slow = new MoveHistory(new MoveSettings(3, Duration.ofHours(5)));
    slow.add(START, "owner b");
    assertThat(slow.at(minutes(120))).isEqualTo(moves(3, List.of("owner b"), minutes(300)));
    assertThat(slow.at(minutes(300))).isEqualTo(moves(3, List.of(), Instant.MAX));
  }

  private static Moves moves(int left, List<String> resting, Instant until) {
    return new Moves(left, new TreeSet<>(resting), until);
  }

  private static Instant minutes(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }
}
