package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;

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
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueInPool;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/// A cluster in which things happen at random, and plans are carried out in part.
final class ChangingWorld {
  private static final Taint KEPT = new Taint("kept", "", "NoSchedule");

  final Random random;
  final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  final TreeMap<PodUid, PodSketch> pods = new TreeMap<>();
  private final List<PodSketch> gone = new ArrayList<>();
  Instant now = START;
  private long clock = 10;
  private int names;

  ChangingWorld(long seed) {
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
                0,
                START,
                QueueName.NONE,
                100,
                Amounts.of(quota),
                new TreeSet<>(),
                new TreeMap<>(),
                new TreeMap<>(),
                pools(),
                Duration.ofSeconds(random.nextInt(3) == 0 ? 10 : 0),
                Duration.ofSeconds(random.nextInt(3) == 0 ? 15 : 0),
                Duration.ZERO,
                Duration.ZERO,
                IdleRule.NONE,
                Optional.empty(),
                List.of())));
  }

  /// Some queues have another quota, limit or weight in the pool of one rack.
  private TreeMap<String, QueueInPool> pools() {
    var pools = new TreeMap<String, QueueInPool>();
    if (random.nextInt(3) == 0) {
      var some = Map.of(Resource.GPU, 1000L * random.nextInt(4));
      pools.put(
          "r" + random.nextInt(3),
          new QueueInPool(
              random.nextBoolean()
                  ? Optional.of(Amounts.of(new TreeMap<>(some)))
                  : Optional.empty(),
              new TreeSet<>(),
              random.nextBoolean() ? Optional.of(new TreeMap<>(some)) : Optional.empty(),
              random.nextBoolean()
                  ? Optional.of(new TreeMap<>(Map.of(Resource.GPU, 2.0)))
                  : Optional.empty()));
    }
    return pools;
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
