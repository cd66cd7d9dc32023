package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static dev.berth.engine.PodSketch.gangOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Reason.NeverFits;
import dev.berth.engine.model.Reason.NoRoom;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The smaller minimum that a gang is told lets it start once as many GPUs are released as it is
/// told; one GPU less does not, wherever it is released, nor does a larger minimum.
class SmallerMinimumLawTest {
  private static final String HOST = "kubernetes.io/hostname";
  private static final Pattern TOLD =
      Pattern.compile("a minimum smaller by (\\d+)(?: \\(and then (\\d+) GPUs? released[^)]*\\))?");

  static LongStream seeds() {
    return Seeds.worlds(400);
  }

  /// GPUs of each node, and how many are taken of them; what each member of the gang asks for.
  private record World(int[] capacity, int[] used, int[] asked, boolean isApart) {
    static World of(Random random) {
      int[] capacity = random.ints(2 + random.nextInt(2), 2, 6).toArray();
      int[] used = new int[capacity.length];
      for (int n = 0; n < used.length; n++) {
        used[n] = random.nextInt(capacity[n] + 1);
      }
      int[] asked = new int[2 + random.nextInt(4)];
      Arrays.fill(asked, 1 + random.nextInt(3));
      return new World(capacity, used, asked, random.nextBoolean());
    }

    Decision decision(int members, int[] released) {
      var world = cluster();
      for (int n = 0; n < capacity.length; n++) {
        world.node("n" + n, gpus(capacity[n]).label(HOST, "n" + n));
        int left = used[n] - released[n];
        if (left > 0) {
          world.stranger("n" + n, gang(1).gpus(left));
        }
      }
      var some = gangOf(Arrays.copyOf(asked, members)).label("app", "x");
      world.waiting("x", "default", isApart ? some.apart(HOST, "app", "x") : some);
      return new Planner(PlannerSettings.DEFAULT)
          .plan(world.snapshot(), Collections.emptySortedMap())
          .decisions()
          .getFirst();
    }

    private boolean starts(int members, int[] released) {
      return decision(members, released) instanceof Decision.Reserve;
    }

    private boolean anyWay(int count, Predicate<int[]> does) {
      return Released.anyWay(used, count, does);
    }

    void holds(NeverFits never) {
      String sentence = Sentences.of(never);
      var told = TOLD.matcher(sentence);
      assertThat(told.find()).as(sentence).isTrue();
      if (told.group(2) == null && isApart && never.apart().isEmpty()) {
        return; // nodes are too few, and too small
      }
      int members = asked.length - Integer.parseInt(told.group(1));
      int count = told.group(2) == null ? 0 : Integer.parseInt(told.group(2));
      assertThat(anyWay(count, way -> starts(members, way))).as(sentence).isTrue();
      assertThat(count > 0 && anyWay(count - 1, way -> starts(members, way)))
          .as("fewer would do: " + sentence)
          .isFalse();
      assertThat(starts(members + 1, used)).as("more would do: " + sentence).isFalse();
    }

    /// Of what is free now.
    void holds(NoRoom room) {
      String sentence = Sentences.of(room);
      var told = TOLD.matcher(sentence);
      boolean isTold = told.find();
      assertThat(isTold || isApart).as(sentence).isEqualTo(room.placed() > 0 || isApart);
      if (isTold) {
        int members = asked.length - Integer.parseInt(told.group(1));
        var nothing = new int[capacity.length];
        assertThat(starts(members, nothing)).as(sentence).isTrue();
        assertThat(starts(members + 1, nothing)).as("more would do: " + sentence).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void ofAGangThatNeverFitsSoManyStartOnceSoMuchIsReleased(long seed) {
    var random = new Random(seed);
    for (int i = 0; i < 5; i++) {
      var world = World.of(random);
      var decision = world.decision(world.asked.length, new int[world.capacity.length]);
      if (decision instanceof Decision.Wait(_, NeverFits never, _) && never.most() > 0) {
        world.holds(never);
      } else if (decision instanceof Decision.Wait(_, NoRoom room, _)) {
        world.holds(room);
      }
    }
  }
}
