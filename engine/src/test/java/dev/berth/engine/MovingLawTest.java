package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.pods;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// In a consolidation no group loses anything, however long victims take to leave. A moved pod runs
/// in the end, whatever arrives meanwhile, if that comes after it in the ordinary order and no
/// group reclaims or preempts.
class MovingLawTest {
  private static final Planner PLANNER =
      new Planner(
          PlannerSettings.DEFAULT.with(
              ActionSettings.DEFAULT
                  .with(new ActionSettings.Reclaiming(false, 1))
                  .withoutPreempt()));

  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void movedPodRunsInTheEnd(long seed) {
    var moved = new TreeSet<PodKey>();
    var waiting = new TreeSet<PodKey>();
    for (PodGroup group : atRest(seed, moved).groups()) {
      for (PodGroup.Member member : group.members()) {
        if (member.standing() instanceof Standing.Waiting) {
          waiting.add(member.pod().key());
        }
      }
    }
    waiting.retainAll(moved);
    assertThat(waiting).as("moved, and waiting in the end").isEqualTo(new TreeSet<PodKey>());
  }

  /// Important work that is scattered over the nodes, less important work that waits for more than
  /// any of them has left, and still less important work that would fit anywhere, but comes later.
  private static Cluster scattered(Random random) {
    var cluster = cluster();
    int nodes = 2 + random.nextInt(4);
    for (int n = 0; n < nodes; n++) {
      cluster.node("n" + n, gpus(2));
      cluster.running("r" + n, "default", small(random).priority(60).on("n" + n));
    }
    for (int i = 0; i < 2; i++) {
      int count = 1 + random.nextInt(2);
      var wide = random.nextBoolean() ? gang(count) : pods(count);
      cluster.waiting("w" + i, "default", wide.gpus(2).priority(40));
    }
    for (int i = 0; i < random.nextInt(4); i++) {
      cluster.waiting("z" + i, "default", small(random).priority(20));
    }
    return cluster;
  }

  private static PodSketch small(Random random) {
    var one = gang(1).minutesOld(random.nextInt(60));
    return random.nextInt(3) == 0 ? one.share(100 * (2 + random.nextInt(8))) : one;
  }

  private static Snapshot atRest(long seed, TreeSet<PodKey> moved) {
    var all = scattered(new Random(seed)).snapshot();
    var late = all.groups().stream().filter(group -> group.priority() == 20).toList();
    var soon = all.groups().stream().filter(group -> group.priority() > 20).toList();
    var snapshot = all.of(all.nodes(), all.queues(), soon);
    for (int round = 0; round < 50; round++) {
      var plan = PLANNER.plan(snapshot);
      boolean rests = plan.decisions().stream().allMatch(Decision.Wait.class::isInstance);
      if (round > 0 && rests && Aftermath.isSettled(snapshot)) {
        return snapshot;
      }
      for (Decision decision : plan.decisions()) {
        if (decision instanceof Reserve reserve) {
          reserve.victims().forEach(victim -> moved.add(victim.pod()));
        }
      }
      snapshot = Aftermath.slow(snapshot, plan);
      if (round == 0) {
        snapshot =
            snapshot.of(snapshot.nodes(), snapshot.queues(), together(snapshot.groups(), late));
      }
    }
    throw new AssertionError("no rest after 50 plans");
  }

  private static List<PodGroup> together(List<PodGroup> some, List<PodGroup> others) {
    var all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  @Test
  void theWorldsAreNotIdle() {
    int worlds = 0;
    for (long seed = 0; seed < 200; seed++) {
      var moved = new TreeSet<PodKey>();
      atRest(seed, moved);
      worlds += moved.isEmpty() ? 0 : 1;
    }
    assertThat(worlds > 100).as("worlds in which somebody is moved: " + worlds).isTrue();
  }
}
