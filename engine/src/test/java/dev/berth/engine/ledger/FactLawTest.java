package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.group;
import static dev.berth.engine.ledger.Sketch.holder;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.PersistentVolume;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.model.PersistentVolumeClaim.State;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.StorageClass;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What we believe follows from what was said, not from when it was heard.
class FactLawTest {
  static LongStream seeds() {
    String one = System.getProperty("seed", "");
    return one.isEmpty() ? LongStream.range(0, 300) : LongStream.of(Long.parseLong(one));
  }

  /// What a watch told of a random cluster, in the order in which it happened, and what is there at
  /// the end.
  private static final class History {
    final Random random;
    final List<Fact> facts = new ArrayList<>();
    final TreeMap<PodKey, Pod> pods = new TreeMap<>();
    final TreeMap<NodeName, Node> nodes = new TreeMap<>();
    final TreeMap<NodeName, Numa> zones = new TreeMap<>();
    private final TreeMap<String, PodSketch> sketches = new TreeMap<>();
    private long clock;
    private int incarnations;

    History(long seed) {
      random = new Random(seed);
      int steps = 10 + random.nextInt(120);
      for (int i = 0; i < steps; i++) {
        step();
      }
    }

    private void step() {
      clock++;
      switch (random.nextInt(14)) {
        case 13 -> volumeFact();
        case 12 -> volumeClaimFact();
        case 11 -> numaFact();
        case 0 -> nodeSeen();
        case 1 -> nodeGone();
        case 2 -> holderSeen();
        case 3 -> groupFact();
        case 4 -> namespaceSeen();
        case 5, 6 -> podCreated();
        case 7, 8, 9 -> podChanged();
        default -> podGone();
      }
    }

    private String aNode() {
      return "node-" + random.nextInt(3);
    }

    private void nodeSeen() {
      Node node = node(aNode(), 1 + random.nextInt(4), clock);
      nodes.put(node.name(), node);
      facts.add(new Fact.NodeSeen(node));
    }

    private void nodeGone() {
      var name = at(aNode());
      if (nodes.remove(name) != null) {
        facts.add(new Fact.NodeGone(name, clock));
      }
    }

    private void numaFact() {
      var name = at(aNode());
      if (random.nextInt(4) == 0) {
        zones.remove(name);
        facts.add(new Fact.NumaGone(name, clock));
        return;
      }
      var zone = new Numa.Zone(Sketch.amounts(32, 2), Sketch.amounts(16, random.nextInt(3)));
      var policy = Numa.Policy.values()[random.nextInt(4)];
      var numa = new Numa(policy, Numa.Scope.POD, List.of(zone));
      zones.put(name, numa);
      facts.add(new Fact.NumaSeen(name, clock, numa));
    }

    private void volumeClaimFact() {
      var key = new PersistentVolumeClaim.Key("default", "claim-" + random.nextInt(3));
      if (random.nextInt(4) == 0) {
        facts.add(new Fact.VolumeClaimGone(key, clock));
        return;
      }
      var state = State.values()[random.nextInt(State.values().length)];
      String volume = random.nextInt(4) == 0 ? "" : "volume-" + random.nextInt(2);
      String storageClass = "class-" + random.nextInt(2);
      facts.add(
          new Fact.VolumeClaimSeen(
              new PersistentVolumeClaim(
                  key, clock, state, volume, storageClass, NodeName.NONE, random.nextBoolean())));
    }

    private void volumeFact() {
      String volume = "volume-" + random.nextInt(2);
      String storageClass = "class-" + random.nextInt(2);
      var term = new Term(List.of(VolumesTest.in("zone", "z" + random.nextInt(2))));
      var nodes = random.nextBoolean() ? List.of(term) : List.<Term>of();
      var claim = new PersistentVolumeClaim.Key("default", "data-" + random.nextInt(2));
      var meant =
          random.nextBoolean() ? Optional.of(claim) : Optional.<PersistentVolumeClaim.Key>empty();
      facts.add(
          switch (random.nextInt(6)) {
            case 0 -> new Fact.VolumeGone(volume, clock);
            case 1 -> new Fact.StorageClassGone(storageClass, clock);
            case 2, 3 ->
                new Fact.VolumeSeen(
                    new PersistentVolume(
                        volume, clock, nodes, storageClass, meant, random.nextBoolean()));
            default ->
                new Fact.StorageClassSeen(
                    new StorageClass(
                        storageClass, clock, random.nextBoolean(), random.nextBoolean(), nodes));
          });
    }

    private void see(Pod pod) {
      pods.put(pod.key(), pod);
      facts.add(new Fact.PodSeen(pod));
    }

    private void holderSeen() {
      String node = aNode();
      int slot = random.nextInt(3);
      String uuid = random.nextBoolean() ? "GPU-" + node + slot : "";
      Pod holder = holder(node, slot, uuid, clock);
      if (!facts.contains(new Fact.PodGone(holder.key(), holder.uid()))) {
        see(holder);
      }
    }

    private void groupFact() {
      String name = "group-" + random.nextInt(2);
      if (random.nextInt(3) == 0) {
        facts.add(new Fact.GroupGone(new GroupKey("default", name), clock));
        return;
      }
      var spec = group(name, 1 + random.nextInt(3));
      facts.add(
          new Fact.GroupSeen(
              new dev.berth.engine.model.GroupSpec(
                  spec.key(),
                  spec.uid(),
                  clock,
                  spec.created(),
                  spec.queue(),
                  spec.minMember(),
                  0,
                  List.of(),
                  spec.topology(),
                  "",
                  spec.preemptibility(),
                  spec.patience(),
                  spec.staleSince(),
                  List.of())));
    }

    private void namespaceSeen() {
      facts.add(new Fact.NamespaceSeen("default", clock, new QueueName("q" + random.nextInt(3))));
    }

    private void podCreated() {
      String name = "pod-" + random.nextInt(8);
      if (sketches.containsKey(name)) {
        return;
      }
      PodSketch pod = pod(name).uid(name + "-" + incarnations++).version(clock);
      pod =
          switch (random.nextInt(5)) {
            case 0 -> pod.gpus(1 + random.nextInt(2));
            case 1, 2 -> pod.share(Sketch.share(100 + 100 * random.nextInt(9)));
            case 3 -> pod.share(new DeviceRequest.Memory(20_000, 20_000, 1 + random.nextInt(2)));
            default -> pod;
          };
      pod =
          switch (random.nextInt(6)) {
            case 0, 1 -> pod.group("group-" + random.nextInt(2));
            case 2, 3 -> pod.ofJob("job-" + random.nextInt(2));
            case 4 -> pod.scheduler("other");
            default -> pod;
          };
      if (random.nextInt(3) == 0) {
        pod = pod.volumes("claim-" + random.nextInt(3), "claim-" + random.nextInt(3));
      }
      if (random.nextInt(4) == 0) {
        pod = pod.ports("TCP:0.0.0.0:" + random.nextInt(3));
      }
      sketches.put(name, pod);
      see(pod.made());
    }

    private void podChanged() {
      if (sketches.isEmpty()) {
        return;
      }
      String name = new ArrayList<>(sketches.keySet()).get(random.nextInt(sketches.size()));
      PodSketch pod = sketches.get(name).version(clock);
      boolean bound = !pod.life().node().isNone();
      pod =
          switch (random.nextInt(6)) {
            case 0 -> bound ? pod.leaving() : pod.ungated();
            case 1 -> pod.over(random.nextBoolean());
            case 2 -> pod.taskPriority(random.nextInt(3));
            case 3 -> bound ? pod : pod.written(plan(place(pod), START.plusSeconds(clock)));
            default -> bound ? pod : bound(pod);
          };
      sketches.put(name, pod);
      see(pod.made());
    }

    private PodSketch bound(PodSketch pod) {
      String planned = pod.written().plan().placement().node().value();
      String node = planned.isEmpty() || random.nextInt(4) == 0 ? aNode() : planned;
      PodSketch bound = pod.on(node);
      return pod.request().devices().isShare() && random.nextBoolean()
          ? bound.written(pod.written().plan(), "GPU-" + node + random.nextInt(3))
          : bound;
    }

    private Placement place(PodSketch pod) {
      DeviceRequest devices = pod.request().devices();
      if (!devices.isShare()) {
        return Placement.on(at(aNode()));
      }
      return devices.count() == 2
          ? slots(aNode(), 250, 0, 2)
          : slots(aNode(), devices.millisOn(80_000), random.nextInt(3));
    }

    private void podGone() {
      if (pods.isEmpty()) {
        return;
      }
      Pod pod = new ArrayList<>(pods.values()).get(random.nextInt(pods.size()));
      pods.remove(pod.key());
      sketches.remove(pod.key().name());
      facts.add(new Fact.PodGone(pod.key(), pod.uid()));
    }
  }

  private static Ledger heard(List<Fact> facts) {
    var ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
    facts.forEach(ledger::record);
    return ledger;
  }

  /// Everything that a snapshot shows but the versions, which tell how often something was heard.
  private static String fingerprint(Ledger ledger) {
    Snapshot snapshot = ledger.snapshot(START);
    String text =
        String.join(
            "\n",
            snapshot.nodes().toString(),
            snapshot.queues().toString(),
            snapshot.groups().toString(),
            ledger.missingHolders().toString(),
            ledger.idleHolders().toString());
    // what is remembered of a run follows from what was seen of it on the way
    return text.replaceAll("version=\\d+", "version=_").replaceAll("run=Run\\[[^]]+]", "run=_");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theOrderOfFactsDoesNotMatter(long seed) {
    var history = new History(seed);
    String inOrder = fingerprint(heard(history.facts));
    for (int i = 0; i < 5; i++) {
      var heard = new ArrayList<>(history.facts);
      for (Fact fact : history.facts) { // some are heard twice
        if (history.random.nextInt(3) == 0) {
          heard.add(fact);
        }
      }
      Collections.shuffle(heard, history.random);
      assertThat(fingerprint(heard(heard))).as("seed %s", seed).isEqualTo(inOrder);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsKeptIsWhatACountFromNothingGives(long seed) {
    var history = new History(seed);
    var ledger = heard(history.facts);
    var recount = new LedgerRecount(ledger, history.pods.values());
    var rooms = new ArrayList<NodeView>();
    for (Node node : history.nodes.values()) {
      var numa = history.zones.getOrDefault(node.name(), Numa.NONE);
      rooms.add(recount.room(node, List.of()).in(numa));
    }
    assertThat(timeless(ledger.snapshot(START).nodes()))
        .as("seed %s", seed)
        .isEqualTo(timeless(rooms));
  }

  private static String timeless(List<NodeView> rooms) {
    return rooms.toString().replaceAll("version=\\d+", "version=_");
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aFactThatIsNoNewsChangesNoList(long seed) {
    var history = new History(seed);
    var ledger = heard(history.facts);
    var before = ledger.snapshot(START);
    for (Fact fact : history.facts) {
      assertThat(ledger.record(fact)).as("seed %s, %s", seed, fact).isFalse();
    }
    var after = ledger.snapshot(START);
    assertThat(after.nodes()).isSameAs(before.nodes());
    assertThat(after.groups()).isSameAs(before.groups());
    assertThat(after.version()).isEqualTo(before.version());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void snapshotsOnTheWayDoNotChangeWhereItEnds(long seed) {
    var history = new History(seed);
    var ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
    for (Fact fact : history.facts) {
      ledger.record(fact);
      var snapshot = ledger.snapshot(START);
      assertThat(snapshot.nodes()).isSortedAccordingTo((a, b) -> a.name().compareTo(b.name()));
      assertThat(snapshot.groups()).isSortedAccordingTo((a, b) -> a.key().compareTo(b.key()));
    }
    assertThat(fingerprint(ledger)).isEqualTo(fingerprint(heard(history.facts)));
  }
}
