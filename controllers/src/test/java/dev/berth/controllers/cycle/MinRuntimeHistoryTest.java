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

  private Map<MinRuntimeWait, Instant> since(int second) {
    return history.waits(START.plusSeconds(second)).since();
  }

  private static TreeMap<MinRuntimeWait, Instant> at(MinRuntimeWait wait, int second) {
    return new TreeMap<>(Map.of(wait, START.plusSeconds(second)));
  }

  @Test
  void aWaitBeginsWithTheFirstPlanThatTellsIt() {
    planned(0);
    assertThat(since(0)).isEmpty();
    planned(5, TRAIN);
    planned(300, TRAIN);
    assertThat(since(300)).isEqualTo(at(TRAIN, 5));
    assertThat(history.waits(START.plusSeconds(300)))
        .isSameAs(history.waits(START.plusSeconds(400)));
  }

  @Test
  void theWaitForEachQueueIsOneByItself() {
    planned(0, TRAIN);
    planned(30, TRAIN, BESIDES);
    assertThat(since(30))
        .isEqualTo(new TreeMap<>(Map.of(TRAIN, START, BESIDES, START.plusSeconds(30))));
    planned(40, BESIDES);
    planned(100, BESIDES);
    assertThat(since(100)).isEqualTo(at(BESIDES, 30));
  }

  /// One plan with another reason does not end it.
  @Test
  void itGoesOnForAMomentInSpiteOfAnotherReason() {
    planned(0, TRAIN);
    planned(100);
    assertThat(since(109)).isEqualTo(at(TRAIN, 0));
    planned(109, TRAIN);
    assertThat(since(109)).isEqualTo(at(TRAIN, 0));
  }

  @Test
  void thenItDoesNotGoOnUntilItIsToldAgain() {
    planned(0, TRAIN);
    planned(3);
    assertThat(since(12)).isEqualTo(at(TRAIN, 0));
    assertThat(since(13)).isEmpty();
    planned(50, TRAIN);
    assertThat(since(50)).as("it had lasted for 3 s").isEqualTo(at(TRAIN, 47));
  }

  @Test
  void itEndsOnceAnotherReasonHasHeldForAMinute() {
    planned(0, TRAIN);
    planned(100);
    planned(159);
    planned(159, TRAIN);
    assertThat(since(159)).isEqualTo(at(TRAIN, 59));
    planned(200);
    planned(260);
    planned(300, TRAIN);
    assertThat(since(300)).isEqualTo(at(TRAIN, 300));
  }

  @Test
  void itEndsWithAPlaceAndWithTheGroup() {
    planned(0, TRAIN);
    var reserve =
        new Decision.Reserve(GROUP, List.of(), List.of(), List.of(), false, false, List.of());
    planned(world.snapshot(), 1, List.of(reserve), TRAIN);
    assertThat(since(1)).isEmpty();
    planned(2, TRAIN);
    assertThat(since(2)).containsKey(TRAIN);
    planned(Snapshot.empty(START), 3, List.of());
    assertThat(since(3)).isEmpty();
  }
}
