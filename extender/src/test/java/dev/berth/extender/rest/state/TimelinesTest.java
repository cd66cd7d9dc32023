package dev.berth.extender.rest.state;

import static dev.berth.extender.verbs.VerbCluster.key;
import static dev.berth.extender.verbs.VerbCluster.pod;
import static dev.berth.extender.verbs.VerbCluster.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.extender.barrier.WallClockTimer;
import dev.berth.extender.verbs.VerbCluster;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What became of workloads.
class TimelinesTest {
  private static final Instant CREATED = Instant.parse("2025-12-31T23:00:00Z");
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final WallClockTimer timer = new WallClockTimer(InstantSource.system());
  private final VerbCluster cluster = new VerbCluster(timer, VerbCluster.ON_A_CLOCK).nodes("n1");
  private final Timelines timelines = new Timelines();

  @AfterEach
  void close() {
    timer.close();
  }

  private void look(int second) {
    timelines.look(cluster.ledger.snapshot(NOW.plusSeconds(second)));
  }

  private static GroupKey group(String name) {
    return new GroupKey("ml", name);
  }

  private List<String> told(String name) {
    return timelines.of(group(name)).stream()
        .map(one ->
            Duration.between(NOW, one.at()).toSeconds()
                + " "
                + one.what().word()
                + " "
                + one.pods()
                + (one.cause().isEmpty() ? "" : " " + one.cause()))
        .toList();
  }

  private static Plan plan(int second, String name) {
    var at = Placement.on(new NodeName("n1"));
    var reserved = new Decision.Reserved(uid(name), key(name), at);
    return new Plan(
        1,
        NOW.plusSeconds(second),
        List.of(new Decision.Reserve(group(name), List.of(reserved), List.of(), List.of())));
  }

  @Test
  void fromGateToEnd() {
    look(0);
    cluster.seen(pod("a").gated());
    look(1);
    timelines.planned(plan(2, "a"));
    cluster.seen(pod("a").on("n1"));
    look(3);
    cluster.seen(pod("a").on("n1").phase(Phase.RUNNING));
    look(4);
    timelines.evicted(group("a"), NOW.plusSeconds(5), "reclaim");
    cluster.gone("a");
    look(6);
    assertThat(told("a"))
        .containsExactly(
            "-3600 gated 1",
            "2 planned 1",
            "3 bound 1",
            "4 running 1",
            "5 evicted 1 reclaim",
            "6 ended 1");
  }

  @Test
  void ofWhatWasThereBeforeOnlyTheBeginningIsKnown() {
    cluster.seen(pod("old").on("n1").phase(Phase.RUNNING));
    look(0);
    assertThat(told("old")).containsExactly("-3600 gated 1");
    assertThat(timelines.of(group("old")).getFirst().at()).isEqualTo(CREATED);
  }

  @Test
  void itIsBounded() {
    for (int i = 0; i < 100; i++) {
      timelines.planned(plan(2 * i, "a"));
      timelines.evicted(group("a"), NOW.plusSeconds(2 * i + 1), "reclaim");
    }
    for (int i = 0; i < Timelines.MOST_WORKLOADS; i++) {
      timelines.evicted(group("w" + i), NOW, "stale");
    }
    look(0);
    assertThat(told("a")).as("the least recently changed one").isEmpty();
    timelines.planned(plan(1000, "w1"));
    for (int i = 0; i < 100; i++) {
      timelines.planned(plan(2 * i, "w2"));
      timelines.evicted(group("w2"), NOW.plusSeconds(2 * i + 1), "reclaim");
    }
    look(1);
    assertThat(told("w2")).hasSize(Timelines.MOST_MOMENTS).endsWith("199 evicted 1 reclaim");
  }
}
