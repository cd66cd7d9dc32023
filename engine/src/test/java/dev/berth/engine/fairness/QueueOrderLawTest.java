package dev.berth.engine.fairness;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.PlannerSettings;
import dev.berth.engine.Seeds;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Equal pods of a queue are passed over at once; it comes to the same as one after the other. What
/// changes in some queues between two turns comes to the same as if all were compared anew.
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
  void groupThatLeftTheOrderAndCameBackStandsAsBefore(long seed) {
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

  /// Many siblings on three levels, and what runs in them.
  private static Session wide(Random random) {
    var world = cluster().node("n1", gpus(200)).queue("root", quota(random.nextInt(50)));
    for (int i = 0; i < 4; i++) {
      world.queue("team-" + i, quota(random.nextInt(9)).below("root"));
    }
    int leaves = 1 + random.nextInt(40);
    for (int i = 0; i < leaves; i++) {
      var parent = random.nextInt(3) == 0 ? "root" : "team-" + random.nextInt(4);
      var leaf = "leaf-" + i;
      world.queue(leaf, quota(random.nextInt(4)).priority(random.nextInt(4) / 3).below(parent));
      if (random.nextBoolean()) {
        world.runningIfItFits("runs-" + i, leaf, pod().gpus(1 + random.nextInt(3)));
      }
      for (int n = random.nextInt(4); n > 0; n--) {
        world.waiting("p" + i + "-" + n, leaf, pod().gpus(1 + random.nextInt(3)));
      }
    }
    return Session.over(world.snapshot(), QueueName.NONE);
  }

  private static List<MemberState> running(Session session) {
    var running = new ArrayList<MemberState>();
    for (Group group : session.groups()) {
      group.seats().stream().filter(seat -> seat.origin().isSomewhere()).forEach(running::add);
    }
    return running;
  }

  /// Some pods leave or come back, and stay so or not.
  private static void change(Session session, Random random) {
    var running = running(session);
    for (int i = running.isEmpty() ? 0 : random.nextInt(3); i > 0; i--) {
      var seat = running.get(random.nextInt(running.size()));
      try (Statement statement = session.open()) {
        if (seat.isPlaced()) {
          statement.evict(seat, Decision.Cause.RECLAIM, seat.group().key());
        } else {
          statement.place(seat, seat.origin(), false);
        }
        if (random.nextBoolean()) {
          statement.keep();
        }
      }
    }
  }

  /// One pod comes and goes more often than is remembered: each queue is compared anew.
  private static void forgetChanges(Session session) {
    var placed = running(session).stream().filter(MemberState::isPlaced).findFirst();
    long since = session.queues().version();
    while (placed.isPresent() && session.queues().version() - since < 1_200) {
      try (Statement statement = session.open()) {
        statement.evict(placed.get(), Decision.Cause.RECLAIM, placed.get().group().key());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void changesThatAreToldComeToTheSameAsAllComparedAnew(long seed) {
    var told = wide(new Random(seed));
    var anew = wide(new Random(seed));
    var order = order(told);
    var expected = order(anew);
    for (int turn = told.waiting().size(); turn >= 0; turn--) {
      change(told, new Random(seed + turn));
      change(anew, new Random(seed + turn));
      forgetChanges(anew);
      assertThat(order.next().map(Group::key)).isEqualTo(expected.next().map(Group::key));
    }
    assertThat(order.next()).isEmpty();
  }

  private static QueueOrder order(Session session) {
    var shares = Shares.of(session, PlannerSettings.DEFAULT.fairShare());
    return QueueOrder.of(session, shares, session.waiting());
  }
}
