package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Equal pods of a queue are passed over at once; it comes to the same as one after the other.
class QueueOrderLawTest {
  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  /// Three leaves, two of them siblings, with up to forty pods that wait, in runs of equal ones.
  private static Session world(Random random) {
    var world =
        cluster()
            .node("n1", gpus(8))
            .queue("left", quota(random.nextInt(8)).priority(random.nextInt(2) * 100))
            .queue("a", quota(random.nextInt(4)).below("left"))
            .queue("b", quota(random.nextInt(4)).below("left"))
            .queue("right", quota(random.nextInt(8)));
    var leaves = List.of("a", "b", "right");
    for (String leaf : leaves) {
      if (random.nextBoolean()) {
        world.runningIfItFits("runs-" + leaf, leaf, pod().gpus(1 + random.nextInt(3)));
      }
    }
    int pods = random.nextInt(40);
    int gpus = 1;
    int priority = 0;
    for (int i = 0; i < pods; i++) {
      gpus = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : gpus;
      priority = random.nextInt(10) == 0 ? random.nextInt(3) : priority;
      world.waiting(
          "p" + i,
          leaves.get(random.nextInt(3)),
          pod().gpus(gpus).priority(priority).minutesOld(random.nextInt(6)));
    }
    return Session.over(world.snapshot(), QueueName.NONE);
  }

  private static List<Group> all(QueueOrder order) {
    var all = new ArrayList<Group>();
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      all.add(next.get());
    }
    return all;
  }

  private static List<Group> some(List<Group> of, Random random) {
    var some = new ArrayList<>(of);
    some.removeIf(_ -> random.nextInt(3) > 0);
    return some;
  }

  private static List<Group> among(Session session, List<Group> few, PendingGroups all) {
    var shares = Shares.of(session, PlannerSettings.DEFAULT.fairShare());
    return all(QueueOrder.among(session, shares, few, all, Group::next));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aFewComeInTheOrderThatTheyHaveAmongAll(long seed) {
    var random = new Random(seed);
    var session = world(random);
    var waiting = session.waiting();
    var few = some(waiting, random);
    var shares = Shares.of(session, PlannerSettings.DEFAULT.fairShare());
    var expected = all(QueueOrder.of(session, shares, waiting));
    expected.retainAll(new HashSet<>(few));
    assertThat(among(session, few, new PendingGroups(session, waiting))).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whoLeftTheLineAndCameBackStandsAsBefore(long seed) {
    var random = new Random(seed);
    var session = world(random);
    var waiting = session.waiting();
    var few = some(waiting, random);
    var gone = some(waiting, random);
    var stay = new ArrayList<>(waiting);
    stay.removeAll(new HashSet<>(gone));

    var line = new PendingGroups(session, waiting);
    gone.forEach(group -> line.changed(group, false));
    assertThat(among(session, few, line))
        .as("without %s", gone)
        .isEqualTo(among(session, few, new PendingGroups(session, stay)));

    Collections.shuffle(gone, random);
    gone.forEach(group -> line.changed(group, true));
    assertThat(among(session, few, line))
        .as("again")
        .isEqualTo(among(session, few, new PendingGroups(session, waiting)));
  }
}
