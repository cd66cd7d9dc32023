package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MinRuntimeWait;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class MinRuntimeHistoryTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final GroupKey GROUP = new GroupKey("default", "train");
  private static final MinRuntimeWait TRAIN = new MinRuntimeWait(GROUP, new QueueName("speech"));
  private static final MinRuntimeWait BESIDES = new MinRuntimeWait(GROUP, new QueueName("vision"));

  private final World world = new World();
  private final MinRuntimeHistory history = new MinRuntimeHistory();

  MinRuntimeHistoryTest() {
    world.pod("train", "", "", "");
  }

  private void planned(
      Snapshot snapshot, int second, List<Decision> decisions, MinRuntimeWait... wait) {
    var at = START.plusSeconds(second);
    history.planned(
        snapshot, new Plan(1, at, decisions, Instant.MAX, false, 0, new TreeSet<>(List.of(wait))));
  }

  private void planned(int second, MinRuntimeWait... wait) {
    planned(world.snapshot(), second, List.of(), wait);
  }

  private Map<MinRuntimeWait, Instant> since() {
    return history.waits().since();
  }

  @Test
  void aWaitBeginsWithTheFirstPlanThatTellsIt() {
    planned(0);
    assertThat(since()).isEmpty();
    planned(5, TRAIN);
    planned(300, TRAIN);
    assertThat(since()).isEqualTo(new TreeMap<>(Map.of(TRAIN, START.plusSeconds(5))));
    assertThat(history.waits()).isSameAs(history.waits());
  }

  @Test
  void theWaitForEachQueueIsOneByItself() {
    planned(0, TRAIN);
    planned(30, TRAIN, BESIDES);
    assertThat(since())
        .isEqualTo(new TreeMap<>(Map.of(TRAIN, START, BESIDES, START.plusSeconds(30))));
    planned(40, BESIDES);
    planned(100, BESIDES);
    assertThat(since()).containsOnlyKeys(BESIDES);
  }

  /// One plan with another reason does not end it.
  @Test
  void itEndsOnceAnotherReasonHasHeldForAMinute() {
    planned(0, TRAIN);
    planned(100);
    planned(159);
    assertThat(since()).containsKey(TRAIN);
    planned(159, TRAIN);
    planned(200);
    planned(259);
    assertThat(since()).as("it was told again meanwhile").containsKey(TRAIN);
    planned(260);
    assertThat(since()).isEmpty();
    planned(300, TRAIN);
    assertThat(since()).containsValue(START.plusSeconds(300));
  }

  @Test
  void itEndsWithAPlaceAndWithTheGroup() {
    planned(0, TRAIN);
    var reserve =
        new Decision.Reserve(GROUP, List.of(), List.of(), List.of(), false, false, List.of());
    planned(world.snapshot(), 1, List.of(reserve), TRAIN);
    assertThat(since()).isEmpty();
    planned(2, TRAIN);
    assertThat(since()).containsKey(TRAIN);
    planned(Snapshot.empty(START), 3, List.of());
    assertThat(since()).isEmpty();
  }
}
