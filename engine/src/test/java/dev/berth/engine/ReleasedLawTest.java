package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Reason.NoRoom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a gang of unlike members is told that must be released lets it start, and one GPU less does
/// not, wherever it is released.
class ReleasedLawTest {
  static LongStream seeds() {
    return Seeds.worlds(400);
  }

  /// GPUs of each node, and how many are taken of them; what each member of the gang asks for.
  private record World(int[] capacity, int[] used, int[] asked) {
    static World of(Random random) {
      int[] capacity = random.ints(2 + random.nextInt(2), 2, 6).toArray();
      int[] used = new int[capacity.length];
      for (int n = 0; n < used.length; n++) {
        used[n] = random.nextInt(capacity[n] + 1);
      }
      return new World(capacity, used, random.ints(2 + random.nextInt(3), 1, 4).toArray());
    }

    Decision decision(int[] released) {
      var world = cluster();
      for (int n = 0; n < capacity.length; n++) {
        world.node("n" + n, gpus(capacity[n]));
        int left = used[n] - released[n];
        if (left > 0) {
          world.stranger("n" + n, gang(1).gpus(left));
        }
      }
      world.waiting("mixed", "default", gangOf(asked));
      return new Planner(PlannerSettings.DEFAULT)
          .plan(world.snapshot(), Collections.emptySortedMap())
          .decisions()
          .getFirst();
    }

    private boolean starts(int[] released) {
      return decision(released) instanceof Decision.Reserve;
    }

    private boolean anyWay(int count, Predicate<int[]> does) {
      return Released.anyWay(used, count, does);
    }

    private static List<Integer> byNode(int[] released) {
      var byNode = new ArrayList<Integer>();
      for (int each : released) {
        if (each > 0) {
          byNode.add(each);
        }
      }
      byNode.sort(Comparator.reverseOrder());
      return byNode;
    }

    /// Whether the fewest that let it start leave more free than it asks for: placement tries two
    /// orders of members, and not every way to pack them.
    private boolean isWasteful() {
      int free = Arrays.stream(capacity).sum() - Arrays.stream(used).sum();
      int count = 0;
      while (count <= Arrays.stream(used).sum() && !anyWay(count, this::starts)) {
        count++;
      }
      return free + count > Arrays.stream(asked).sum();
    }

    void holds(NoRoom room) {
      var told = room.mixed().released();
      if (told.isNever()) {
        assertThat(starts(used)).as(() -> "it has room where nothing runs: " + room).isFalse();
        return;
      }
      if (!told.isTold()) {
        assertThat(isWasteful()).as(() -> "nothing is told: " + room).isTrue();
        return;
      }
      int count = told.byNode().stream().mapToInt(Integer::intValue).sum();
      assertThat(anyWay(count, way -> byNode(way).equals(told.byNode()) && starts(way)))
          .as(() -> "does not start: " + room)
          .isTrue();
      assertThat(anyWay(count - 1, this::starts)).as(() -> "fewer would do: " + room).isFalse();
    }

    boolean isMixed() {
      return Arrays.stream(asked).distinct().count() > 1;
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void asManyAsAreToldLetItStartAndOneLessDoesNot(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 5; i++) {
      var world = World.of(random);
      if (world.isMixed()
          && world.decision(new int[world.capacity.length])
              instanceof Decision.Wait(_, NoRoom room, _)) {
        world.holds(room);
      }
    }
  }
}
