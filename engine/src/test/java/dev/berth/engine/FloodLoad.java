package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long plans take where one tenant sends many pods that all ask for something else, on a small
/// cluster full of fragments: a moved pod would make room on one node, and finds none elsewhere.
/// All in one queue, or one in each of many below a queue of his own.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=FloodLoad [-Dshapes=1200]`.
class FloodLoad {
  private static final int SHAPES = Integer.getInteger("shapes", 1_200);

  /// On each of eight nodes: how many pods, of how many GPUs, and what preemptors ask for.
  private record Fragments(int pods, int size, int asked) {
    private static final List<Fragments> ALL =
        List.of(
            new Fragments(2, 3, 5),
            new Fragments(3, 2, 4),
            new Fragments(6, 1, 8),
            new Fragments(7, 1, 8),
            new Fragments(2, 3, 8),
            new Fragments(5, 1, 4));

    void standIn(Cluster world) {
      for (int n = 0; n < 8; n++) {
        world.node("n" + n, gpus(8));
        for (int i = 0; i < pods; i++) {
          world.running("r" + n + "-" + i, "default", gang(1).gpus(size).on("n" + n));
        }
      }
    }

    @Override
    public String toString() {
      return pods + " x " + size + " GPUs on each, claimants of " + asked;
    }
  }

  @Test
  void fragments() {
    for (Fragments each : Fragments.ALL) {
      var world = cluster();
      each.standIn(world);
      for (int i = 0; i < SHAPES; i++) {
        world.waiting("w" + i, "default", gang(1).gpus(each.asked).asks(Resource.CPU, 1L + i));
      }
      flood(each.toString(), world);
    }
  }

  @Test
  void manyQueues() {
    for (Fragments each : Fragments.ALL) {
      var world = cluster().queue("default", quota(32)).queue("own", quota(32));
      each.standIn(world);
      for (int i = 0; i < SHAPES; i++) {
        world.queue("own." + i, quota(1 + i % 7).below("own"));
        world.waiting("w" + i, "own." + i, gang(1).gpus(each.asked).asks(Resource.CPU, 1L + i));
      }
      flood(each + ", a queue each", world);
    }
  }

  /// Its queue has no more, and what runs there was placed by the same plan.
  @Test
  void manyQueuesAtTheirLimit() {
    var world = cluster().queue("default", quota(64)).queue("own", quota(8).limit(8));
    for (int n = 0; n < 16; n++) {
      world.node("n" + n, gpus(8));
    }
    for (int i = 0; i < SHAPES; i++) {
      world.queue("own." + i, quota(0).below("own"));
      world.waiting("w" + i, "own." + i, gang(1).gpus(1 + i % 3).asks(Resource.CPU, 1L + i));
    }
    flood("at the limit, a queue each", world);
  }

  private void flood(String what, Cluster world) {
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<String>();
    for (int i = 0; i < 6; i++) {
      if (i == 3) {
        world.waiting("v", "default", gang(1).gpus(1));
      }
      var snapshot = world.snapshot();
      long began = System.nanoTime();
      var plan =
          incremental.plan(
              snapshot,
              Collections.emptySortedMap(),
              i % 2 == 0 ? SearchEffort.AT_ONCE : SearchEffort.A_SLICE);
      times.add(Duration.ofNanos(System.nanoTime() - began).toMillis() + " ms " + plan.trials());
      assertThat(plan.decisions()).isNotEmpty();
    }
    System.out.println(what + ": " + times);
  }
}
