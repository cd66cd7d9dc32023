package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.Settings;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.Spread;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A planner that goes on from its last session plans as one that begins anew, whatever happened in
/// between.
class RollingLawTest {
  private static final QueueName DEFAULT_QUEUE = PlannerSettings.DEFAULT.defaultQueue();

  private static final Taint KEPT = new Taint("kept", "", "NoSchedule");

  static LongStream seeds() {
    String one = System.getProperty("seed", "");
    return one.isEmpty() ? LongStream.range(0, 200) : LongStream.of(Long.parseLong(one));
  }

  /// A cluster in which things happen at random, and plans are carried out in part.
  static final class World {
    final Random random;
    final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
    final TreeMap<PodUid, PodSketch> pods = new TreeMap<>();
    private final List<PodSketch> gone = new ArrayList<>();
    Instant now = START;
    private long clock = 10;
    private int names;

    World(long seed) {
      random = new Random(seed);
      for (String name : List.of("a", "b", "c")) {
        ledger.record(new Fact.NodeSeen(node(name, 4)));
      }
      queue("one", 2);
      queue("two", 6);
    }

    void queue(String name, long gpus) {
      var quota = new TreeMap<Resource, Long>();
      quota.put(Resource.GPU, gpus * 1000);
      quota.put(Resource.CPU, Queue.UNLIMITED);
      quota.put(Resource.MEMORY, Queue.UNLIMITED);
      ledger.record(
          new Fact.QueueSeen(
              new Queue(
                  new QueueName(name),
                  ++clock,
                  START,
                  QueueName.NONE,
                  100,
                  Amounts.of(quota),
                  new TreeMap<>(),
                  new TreeMap<>(),
                  Duration.ofSeconds(random.nextInt(3) == 0 ? 10 : 0),
                  Duration.ofSeconds(random.nextInt(3) == 0 ? 15 : 0),
                  List.of())));
    }

    void step(Plan plan) {
      clock++;
      now = now.plusSeconds(1);
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> create();
        case 3, 4 -> carryOut(plan);
        case 5, 6 -> bind();
        case 7 -> leave();
        case 8, 9 -> {
          comeBack();
          goAll();
        }
        case 10 -> change();
        default -> ledger.expire(now);
      }
    }

    private void create() {
      var queue = random.nextInt(9) == 0 ? "nowhere" : random.nextBoolean() ? "one" : "two";
      int members = 1 + random.nextInt(3);
      int ask = random.nextInt(4);
      int priority = random.nextInt(3) * 50;
      var name = "g" + names++;
      if (members > 1) {
        ledger.record(new Fact.GroupSeen(gang(name, 1 + random.nextInt(members))));
      }
      for (int i = 0; i < members; i++) {
        var sketch = pod(name + "-" + i).version(clock).queue(queue).priority(priority);
        sketch = members > 1 ? sketch.group(name).ofJob(name) : sketch;
        sketch = sketch.constraints(choice());
        see(ask == 0 ? sketch.share(share(500)) : sketch.gpus(ask));
      }
    }

    /// Half of the pods go anywhere.
    private Constraints choice() {
      var selector = new TreeMap<String, String>();
      var tolerations = new ArrayList<Toleration>();
      var spread = new ArrayList<Spread>();
      if (random.nextInt(4) == 0) {
        selector.put("rack", "r" + random.nextInt(2));
      }
      if (random.nextInt(4) == 0) {
        tolerations.add(new Toleration("kept", true, "", ""));
      }
      if (random.nextInt(6) == 0) {
        var all = new Peers(List.of("default"), false, List.of());
        spread.add(new Spread("rack", 3, 0, random.nextBoolean(), random.nextBoolean(), all));
      }
      return new Constraints(
          selector, List.of(), tolerations, new InterPod(List.of(), List.of(), spread));
    }

    /// It is labelled, kept or cordoned anew.
    private void relabel(String name) {
      var labels = new TreeMap<String, String>();
      if (random.nextInt(4) > 0) {
        labels.put("rack", "r" + random.nextInt(2));
      }
      var taints = random.nextInt(3) > 0 ? List.<Taint>of() : List.of(KEPT);
      var usual = node(name, name.equals("c") ? 3 + random.nextInt(2) : 4, ++clock);
      ledger.record(
          new Fact.NodeSeen(
              new Node(
                  usual.name(),
                  usual.version(),
                  labels,
                  taints,
                  random.nextInt(5) == 0,
                  random.nextInt(8) > 0,
                  usual.allocatable(),
                  usual.accelerator())));
    }

    private GroupSpec gang(String name, int minMember) {
      var usual = group(name, minMember);
      boolean semi = random.nextInt(4) == 0;
      var most = Duration.ofSeconds(random.nextInt(4) == 0 ? 12 : 0);
      return new GroupSpec(
          usual.key(),
          usual.uid(),
          usual.version(),
          START,
          QueueName.NONE,
          minMember,
          0,
          List.of(),
          GroupSpec.TopologyAsk.NONE,
          "",
          semi ? Preemptibility.SEMI_PREEMPTIBLE : Preemptibility.BY_PRIORITY,
          new GroupSpec.Patience(Duration.ZERO, Duration.ZERO, Duration.ZERO, most),
          Instant.EPOCH,
          List.of());
    }

    private void budget() {
      var key = new DisruptionBudget.Key("default", "all");
      if (random.nextInt(3) == 0) {
        ledger.record(new Fact.BudgetGone(key, ++clock));
      } else {
        ledger.record(
            new Fact.BudgetSeen(
                new DisruptionBudget(
                    key, ++clock, new LabelSelector(List.of()), false, random.nextInt(5))));
      }
    }

    private void see(PodSketch pod) {
      pods.put(new PodUid(pod.uid()), pod);
      ledger.record(new Fact.PodSeen(pod.made()));
    }

    private void carryOut(Plan plan) {
      for (Decision decision : plan.decisions()) {
        switch (decision) {
          case Decision.Withdraw withdraw -> {
            var _ = ledger.assume(List.of(withdraw), List.of(), now.plusSeconds(9));
          }
          case Decision.Reserve reserve -> {
            if (random.nextInt(4) > 0 && ledger.assume(reserve, now.plusSeconds(9)).isPresent()) {
              reserve.victims().forEach(victim -> leaving(victim.uid()));
            }
          }
          case Decision.Evict(_, var victims) -> victims.forEach(victim -> leaving(victim.uid()));
          case Decision.Wait _ -> {}
        }
      }
    }

    private void leaving(PodUid uid) {
      Optional.ofNullable(pods.get(uid)).ifPresent(pod -> see(pod.leaving().version(clock)));
    }

    private void bind() {
      for (var uid : new ArrayList<>(pods.keySet())) {
        var standing = ledger.standing(uid);
        if (standing.isPresent()
            && standing.get() instanceof Standing.Planned(var plan, _)
            && random.nextBoolean()
            && ledger.commit(uid, plan.placement().node()) instanceof BindCommit.Ready) {
          ledger.confirm(uid, plan.placement());
          see(pods.get(uid).on(plan.placement().node().value()).written(plan).version(clock));
        }
      }
    }

    private void leave() {
      if (!pods.isEmpty()) {
        leaving(new ArrayList<>(pods.keySet()).get(random.nextInt(pods.size())));
      }
    }

    private void goAll() {
      for (var pod : new ArrayList<>(pods.values())) {
        if (pod.life().leaving() && random.nextBoolean()) {
          pods.remove(new PodUid(pod.uid()));
          var key = new PodKey("default", pod.name());
          ledger.record(new Fact.PodGone(key, new PodUid(pod.uid())));
          gone.add(pod);
        }
      }
      if (random.nextBoolean()) {
        comeBack();
      }
    }

    /// Their owners make others in their stead.
    private void comeBack() {
      for (PodSketch pod : gone) {
        if (random.nextInt(3) > 0) {
          see(pod.reborn("again-" + names++).version(clock));
        }
      }
      gone.clear();
    }

    private void change() {
      switch (random.nextInt(11)) {
        case 7, 8, 9, 10 -> relabel(List.of("a", "b", "c").get(random.nextInt(3)));
        case 0 -> queue("one", 1 + random.nextInt(8));
        case 4, 5, 6 -> budget();
        case 1 -> ledger.record(new Fact.NodeSeen(node("c", 3 + random.nextInt(2), ++clock)));
        case 2 -> ledger.record(new Fact.NodeSeen(node("d", 2, ++clock)));
        default -> ledger.record(new Fact.NodeGone(Sketch.at("d"), ++clock));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void plansAreThoseOfAPlannerThatBeginsAnew(long seed) {
    var world = new World(seed);
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
    var world = new World(seed);
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
  void whoIsPlacedAloneIsJudgedAsByAViewThatBeginsAnew(long seed) {
    var world = new World(seed);
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

  private static List<Pod> probes(World world) {
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
      var world = new World(seed);
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
