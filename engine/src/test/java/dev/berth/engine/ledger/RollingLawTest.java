package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.Settings;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A planner that goes on from its last session plans as one that begins anew, whatever happened in
/// between.
class RollingLawTest {
  private static final QueueName DEFAULT_QUEUE = PlannerSettings.DEFAULT.defaultQueue();

  static LongStream seeds() {
    String one = System.getProperty("seed", "");
    return one.isEmpty() ? LongStream.range(0, 200) : LongStream.of(Long.parseLong(one));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void plansAreThoseOfAPlannerThatBeginsAnew(long seed) {
    var world = new ChangingWorld(seed);
    var planner = Settings.planner(seed);
    IncrementalPlanner incremental = planner.incremental();
    var random = new Random(seed);
    for (int step = 0; step < 80; step++) {
      var snapshot = world.ledger.snapshot(world.now);
      if (step % 3 == 0) { // reading the accounts of queues changes nothing
        assertThat(incremental.accounts(snapshot))
            .as("seed %s, step %s", seed, step)
            .isEqualTo(planner.incremental().accounts(snapshot));
      }
      dropsOne(incremental, snapshot, random.nextInt(40));
      var plan = incremental.plan(snapshot, Collections.emptySortedMap());
      assertThat(plan).as("seed %s, step %s", seed, step).isEqualTo(planner.plan(snapshot));
      world.step(plan);
    }
  }

  /// A plan that is dropped where it is asked for the n-th time leaves nothing behind.
  private static void dropsOne(IncrementalPlanner incremental, Snapshot snapshot, int looks) {
    int[] left = {looks};
    var _ =
        incremental.planUnless(
            () -> left[0]-- <= 0, snapshot, Collections.emptySortedMap(), SearchEffort.A_SLICE);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aSessionThatGoesOnIsOneThatBeginsAnew(long seed) {
    var world = new ChangingWorld(seed);
    var planner = Settings.planner(seed);
    var session = Session.forPlanning(world.ledger.snapshot(world.now), DEFAULT_QUEUE);
    for (int step = 0; step < 80; step++) {
      world.step(planner.plan(world.ledger.snapshot(world.now)));
      var snapshot = world.ledger.snapshot(world.now);
      var anew = Session.forPlanning(snapshot, DEFAULT_QUEUE);
      session.rewind();
      session = session.advance(snapshot).isPresent() ? session : anew;
      assertThat(session.fingerprint())
          .as("seed %s, step %s", seed, step)
          .isEqualTo(Session.forPlanning(snapshot, DEFAULT_QUEUE).fingerprint());
      assertThat(session.waiting()).hasSameSizeAs(anew.waiting());
    }
  }

  /// Pods without a gate: a view that follows the ledger, forth and back, answers as one made anew.
  @ParameterizedTest
  @MethodSource("seeds")
  void podPlacedAloneIsJudgedAsByAViewThatBeginsAnew(long seed) {
    var world = new ChangingWorld(seed);
    var settings = Settings.of(seed);
    var planner = Settings.planner(seed);
    var before = world.ledger.snapshot(world.now);
    var view = SinglePodPlanner.over(before, settings);
    for (int look = 0; look < 12; look++) {
      for (int steps = look % 4; steps >= 0; steps--) {
        world.step(planner.plan(world.ledger.snapshot(world.now)));
      }
      var now = world.ledger.snapshot(world.now);
      for (Snapshot snapshot : List.of(now, before, now)) {
        view.see(snapshot);
        var anew = SinglePodPlanner.over(snapshot, settings);
        for (Pod probe : probes(world)) {
          assertThat(answers(view, snapshot, probe))
              .as("seed %s, look %s, %s", seed, look, probe.key())
              .isEqualTo(answers(anew, snapshot, probe));
        }
      }
      before = now;
    }
  }

  private static List<Pod> probes(ChangingWorld world) {
    var probes = new ArrayList<Pod>();
    probes.add(pod("whole").gpus(2).made());
    probes.add(pod("part").share(share(300)).made());
    world.pods.values().stream().limit(3).forEach(one -> probes.add(one.made()));
    return probes;
  }

  private static List<Object> answers(SinglePodPlanner view, Snapshot snapshot, Pod pod) {
    var nodes = snapshot.nodes().stream().map(NodeView::name).toList();
    var answers = new ArrayList<Object>();
    answers.add(view.judge(pod, nodes));
    answers.add(Arrays.toString(view.scores(pod, nodes)));
    nodes.forEach(node -> answers.add(view.placeOn(pod, node)));
    return answers;
  }

  /// Otherwise the laws above would test sessions that are always made anew, or worlds without
  /// victims.
  @Test
  void mostSessionsGoOnAndSomeHaveVictims() {
    int goOn = 0;
    int victims = 0;
    for (long seed = 0; seed < 20; seed++) {
      var world = new ChangingWorld(seed);
      var planner = Settings.planner(seed);
      var session = Session.forPlanning(world.ledger.snapshot(world.now), DEFAULT_QUEUE);
      for (int step = 0; step < 80; step++) {
        var plan = planner.plan(world.ledger.snapshot(world.now));
        for (Decision decision : plan.decisions()) {
          victims += decision instanceof Decision.Reserve reserve ? reserve.victims().size() : 0;
        }
        world.step(plan);
        var snapshot = world.ledger.snapshot(world.now);
        session.rewind();
        boolean goesOn = session.advance(snapshot).isPresent();
        goOn += goesOn ? 1 : 0;
        session = goesOn ? session : Session.forPlanning(snapshot, DEFAULT_QUEUE);
      }
    }
    assertThat(goOn).isGreaterThan(1_000);
    assertThat(victims).isGreaterThan(50);
  }
}
