package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Moves;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MoveHistoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Workload TRAIN = new GroupKey("a", "train");
  private static final Workload B = new Workload.Owned("default", new OwnerUid("b"));

  private final MoveHistory history = new MoveHistory(new MoveSettings(3, Duration.ofMinutes(30)));

  @Test
  void nothingMovedLeavesAll() {
    assertThat(history.at(START)).isEqualTo(moves(3, Instant.MAX, List.of(), Instant.MAX));
  }

  @Test
  void whatWasMovedRestsAndCountsForAnHour() {
    history.add(START, TRAIN);
    history.add(START, TRAIN);
    history.add(minutes(10), B);
    assertThat(history.at(minutes(10)))
        .isEqualTo(moves(0, minutes(60), List.of(TRAIN, B), minutes(30)));
    assertThat(history.at(minutes(30))).isEqualTo(moves(0, minutes(60), List.of(B), minutes(40)));
    assertThat(history.at(minutes(45))).isEqualTo(moves(0, minutes(60), List.of(), minutes(60)));
    assertThat(history.at(minutes(60))).isEqualTo(moves(2, minutes(70), List.of(), minutes(70)));
    assertThat(history.at(minutes(70))).isEqualTo(moves(3, Instant.MAX, List.of(), Instant.MAX));
  }

  @Test
  void aLongCooldownOutlivesTheHour() {
    var slow = new MoveHistory(new MoveSettings(3, Duration.ofHours(5)));
    slow.add(START, B);
    assertThat(slow.at(minutes(120))).isEqualTo(moves(3, Instant.MAX, List.of(B), minutes(300)));
    assertThat(slow.at(minutes(300))).isEqualTo(moves(3, Instant.MAX, List.of(), Instant.MAX));
  }

  private static Moves moves(int left, Instant more, List<Workload> resting, Instant until) {
    return new Moves(left, more, Set.copyOf(resting), until);
  }

  private static Instant minutes(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }
}
