package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// One tenant sends many pods that all ask for something else, on a small cluster, where each
/// search alone would be exhaustive: all room is in fragments, and no move makes more. All into one
/// queue, or each into one of its own.
class FloodTest {
  private static final int SHAPES = 200;

  /// All of one queue: four slices for moves, and a slice of wide searches. A trial is at least two
  /// of these steps.
  private static final long MOST_TRIALS = (4 + 1) * 250 / 2;

  private static Cluster fragments() {
    var world = cluster().queue("a", QueueSketch.quota(32)).queue("b", QueueSketch.quota(32));
    for (int n = 0; n < 8; n++) {
      world.node("n" + n, gpus(8));
      world.running("r" + n + "-0", "a", gang(1).gpus(3).on("n" + n));
      world.running("r" + n + "-1", "a", gang(1).gpus(3).on("n" + n));
    }
    return world;
  }

  private static Cluster flooded() {
    var world = fragments();
    for (int i = 0; i < SHAPES; i++) {
      world.waiting("w" + i, "a", gang(1).gpus(5).asks(Resource.CPU, 1L + i));
    }
    return world;
  }

  /// As [#flooded], each in a queue of its own below one.
  private static Cluster floodedQueues() {
    var world = fragments().queue("own", QueueSketch.quota(32));
    for (int i = 0; i < SHAPES; i++) {
      world.queue("own-" + i, QueueSketch.quota(i % 7).below("own"));
      world.waiting("w" + i, "own-" + i, gang(1).gpus(5).asks(Resource.CPU, 1L + i));
    }
    return world;
  }

  private static Plan plan(IncrementalPlanner incremental, Snapshot snapshot, SearchEffort effort) {
    return incremental.plan(snapshot, Collections.emptySortedMap(), effort);
  }

  private static Optional<Decision> of(Plan plan, String group) {
    return plan.decisions().stream()
        .filter(decision -> decision.group().equals(new GroupKey("default", group)))
        .findFirst();
  }

  private static long notProven(Plan plan) {
    return plan.decisions().stream()
        .filter(decision ->
            decision instanceof Decision.Wait(_, var reason, _)
                && reason instanceof Reason.NotProven)
        .count();
  }

  @Test
  void noPlanSearchesForAllOfThem() {
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var snapshot = flooded().snapshot();
    for (SearchEffort effort : SearchEffort.values()) {
      assertThat(plan(incremental, snapshot, effort).trials()).isLessThan(MOST_TRIALS);
    }
  }

  @Test
  void norWhereEachHasAQueueOfItsOwn() {
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var snapshot = floodedQueues().snapshot();
    for (SearchEffort effort : SearchEffort.values()) {
      assertThat(plan(incremental, snapshot, effort).trials()).isLessThan(4 * MOST_TRIALS);
    }
  }

  /// At its limit a queue gains nothing by moves of others.
  @Test
  void noMoveIsTriedForAGroupAtTheLimit() {
    var world = cluster().queue("own", QueueSketch.quota(8).limit(8));
    for (int n = 0; n < 16; n++) {
      world.node("n" + n, gpus(8));
    }
    for (int i = 0; i < SHAPES; i++) {
      world.queue("own-" + i, QueueSketch.quota(0).below("own"));
      world.waiting("w" + i, "own-" + i, gang(1).gpus(1 + i % 3).asks(Resource.CPU, 1L + i));
    }
    var plan =
        plan(
            new Planner(PlannerSettings.DEFAULT).incremental(),
            world.snapshot(),
            SearchEffort.AT_ONCE);
    assertThat(plan.trials()).isZero();
    assertThat(notProven(plan)).isZero();
  }

  @Test
  void groupOfAnotherQueueDoesNotWaitForThem() {
    isPlacedAtOnce(flooded());
    isPlacedAtOnce(floodedQueues());
  }

  private static void isPlacedAtOnce(Cluster flooded) {
    var world = flooded.waiting("v", "b", gang(1).gpus(3));
    var plan =
        plan(
            new Planner(PlannerSettings.DEFAULT).incremental(),
            world.snapshot(),
            SearchEffort.AT_ONCE);
    assertThat(notProven(plan)).isPositive();
    assertThat(of(plan, "v").orElseThrow()).isInstanceOf(Decision.Reserve.class);
  }

  @Test
  void eachIsSearchedForInTheEnd() {
    allAreSearchedFor(flooded().snapshot());
    allAreSearchedFor(floodedQueues().snapshot());
  }

  private static void allAreSearchedFor(Snapshot snapshot) {
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var plan = plan(incremental, snapshot, SearchEffort.AT_ONCE);
    assertThat(plan.searches()).as("a search goes on").isTrue();
    int slices = 0;
    while (plan.searches() && slices < SHAPES) {
      plan = plan(incremental, snapshot, SearchEffort.A_SLICE);
      slices++;
    }
    assertThat(plan.searches()).as("a search goes on").isFalse();
    assertThat(notProven(plan)).isZero();
    assertThat(slices).isGreaterThan(1);
  }

  @Test
  void theSameFactsGiveTheSamePlans() {
    var one = new Planner(PlannerSettings.DEFAULT).incremental();
    var other = new Planner(PlannerSettings.DEFAULT).incremental();
    var snapshot = flooded().snapshot();
    for (int i = 0; i < 5; i++) {
      var effort = i % 2 == 0 ? SearchEffort.AT_ONCE : SearchEffort.A_SLICE;
      assertThat(plan(one, snapshot, effort)).isEqualTo(plan(other, snapshot, effort));
    }
  }

  /// Charges, shares and limits are as long as there are resources that count: queues that name
  /// more do not make them longer.
  @Test
  void namesOfWhatNoNodeHasCostNothing() {
    var plain = flooded().queue("own", QueueSketch.quota(0));
    var named = flooded().queue("own", QueueSketch.quota(0));
    for (int i = 0; i < SHAPES; i++) {
      var sketch = QueueSketch.quota(0).below("own");
      plain.queue("own-" + i, sketch);
      for (int r = 0; r < 64; r++) {
        var odd = i + "-" + r;
        sketch =
            sketch
                .quota(new Resource("example.com/q" + odd), 1)
                .limit(new Resource("example.com/l" + odd), 2)
                .weight(Resource.gpuOfModel("w" + odd), 3);
      }
      named.queue("own-" + i, sketch);
    }
    assertThat(Session.over(named.snapshot()).queues().width())
        .isEqualTo(Session.over(plain.snapshot()).queues().width());
    assertThat(new Planner(PlannerSettings.DEFAULT).plan(named.snapshot()).decisions())
        .isEqualTo(new Planner(PlannerSettings.DEFAULT).plan(plain.snapshot()).decisions());
  }
}
