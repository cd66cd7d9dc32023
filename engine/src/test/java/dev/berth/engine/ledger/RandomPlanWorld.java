package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.holder;
import static dev.berth.engine.ledger.Sketch.node;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A planner and a cluster that decide at random. Pods run where the ledger let them, and nowhere
/// else.
final class RandomPlanWorld {
  /// A Binding without an answer: it may be done until then.
  record Sent(WrittenPlan plan, Instant until) {}

  final Random random;
  final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  final TreeMap<PodUid, PodSketch> pods = new TreeMap<>();
  final TreeMap<PodKey, Pod> holders = new TreeMap<>();
  final TreeSet<SlotKey> retired = new TreeSet<>();

  /// Until when a holder may come whose creation was not answered.
  final TreeMap<SlotKey, Instant> unanswered = new TreeMap<>();

  final TreeMap<PodUid, Sent> sent = new TreeMap<>();
  int late;
  int boundLate;
  final List<Node> nodes = List.of(node("a", 2), node("b", 3), node("c", 0));
  Instant now = START;
  private long clock = 10;
  private int names;
  final TreeSet<PodUid> committing = new TreeSet<>();

  /// Pods that once had victims.
  final TreeSet<PodUid> preemptors = new TreeSet<>();

  /// Plans that stand and have victims: the victims that each named when it was made.
  final TreeMap<PodUid, List<PodUid>> counting = new TreeMap<>();

  int bindings;
  int runsOn;
  int namedAndRunsOn;

  RandomPlanWorld(long seed) {
    random = new Random(seed);
    nodes.forEach(node -> ledger.record(new Fact.NodeSeen(node)));
  }

  void step() {
    step(random.nextInt(19));
    counting.keySet().removeIf(preemptor -> !isPlanned(preemptor));
  }

  private boolean isPlanned(PodUid uid) {
    return ledger.standing(uid).filter(Standing.Planned.class::isInstance).isPresent();
  }

  private void step(int kind) {
    clock++;
    switch (kind) {
      case 0, 1 -> create();
      case 2, 3, 4, 5 -> assume();
      case 6, 7 -> bind();
      case 8 -> forget();
      case 9 -> lapse();
      case 10 -> leave();
      case 11 -> holders();
      case 12 -> idle();
      case 13 -> foreign();
      case 14 -> ledger.collapse();
      case 15 -> late();
      case 16 -> boundLate();
      case 17 -> runOn();
      default -> veto();
    }
  }

  private void see(PodSketch pod) {
    pods.put(new PodUid(pod.uid()), pod);
    ledger.record(new Fact.PodSeen(pod.made()));
  }

  private void create() {
    PodSketch pod = pod("pod-" + names++).version(clock);
    pod =
        switch (random.nextInt(4)) {
          case 0 -> pod.gpus(1 + random.nextInt(2));
          case 1 -> pod.ports("TCP:0.0.0.0:1");
          default -> pod.share(share(100 + 100 * random.nextInt(9)));
        };
    see(pod);
  }

  private PodSketch any() {
    return new ArrayList<>(pods.values()).get(random.nextInt(pods.size()));
  }

  private Optional<PodSketch> anyOnNode() {
    var onNodes = new ArrayList<>(pods.values());
    onNodes.removeIf(pod -> pod.life().node().isNone());
    return onNodes.isEmpty()
        ? Optional.empty()
        : Optional.of(onNodes.get(random.nextInt(onNodes.size())));
  }

  private Placement place(PodSketch pod) {
    String node = random.nextBoolean() ? "a" : "b";
    return pod.request().devices().isShare()
        ? slots(node, pod.request().devices().millisOn(0), random.nextInt(3))
        : Placement.on(at(node));
  }

  private void assume() {
    var block = new ArrayList<Reserved>();
    var victims = new ArrayList<Victim>();
    for (int i = random.nextInt(3); i >= 0 && !pods.isEmpty(); i--) {
      PodSketch pod = any();
      var uid = new PodUid(pod.uid());
      if (block.stream().noneMatch(reserved -> reserved.uid().equals(uid))) {
        block.add(new Reserved(uid, new PodKey("default", pod.name()), place(pod)));
      }
    }
    if (!pods.isEmpty() && random.nextInt(3) == 0) {
      PodSketch victim = anyOnNode().orElseGet(this::any);
      victims.add(
          new Victim(
              new PodUid(victim.uid()),
              new PodKey("default", victim.name()),
              Decision.Cause.RECLAIM,
              GroupKey.NONE,
              Duration.ofSeconds(30),
              random.nextBoolean() ? place(victim) : Placement.NONE));
    }
    if (!victims.isEmpty()) {
      block.forEach(reserved -> preemptors.add(reserved.uid()));
    }
    if (!block.isEmpty()) {
      int inBlock = 1 + random.nextInt(block.size());
      var decision =
          new Decision.Reserve(
              new GroupKey("default", "g"),
              block.subList(0, inBlock),
              block.subList(inBlock, block.size()),
              victims);
      var assumed = ledger.assume(decision, now.plusSeconds(1 + random.nextInt(20)));
      var named = victims.stream().map(Victim::uid).toList();
      assumed.ifPresent(plans -> plans.forEach(plan -> counting.put(plan.pod().uid(), named)));
    }
  }

  private void bind() {
    for (var uid : new ArrayList<>(pods.keySet())) {
      if (!(ledger.standing(uid).orElseThrow() instanceof Standing.Planned(WrittenPlan plan, _))
          || random.nextInt(3) == 0) {
        continue;
      }
      boolean clear = ledger.isClear(uid);
      assertThat(clear && !ledger.pendingEvictions(List.of(uid)).isEmpty())
          .as("who is clear waits for nobody")
          .isFalse();
      BindCommit commit = ledger.commit(uid, plan.placement().node());
      boolean mayWait = preemptors.contains(uid); // for its victims to be asked
      assertThat(commit instanceof BindCommit.Ready)
          .as("clear is what can be bound")
          .isEqualTo(clear || mayWait && commit instanceof BindCommit.Ready);
      if (!(commit instanceof BindCommit.Ready)) {
        continue;
      }
      if (plan.size() > 1 && random.nextInt(6) == 0) {
        continue; // waits for its gang
      }
      assertThat(ledger.commit(uid, plan.placement().node(), true))
          .as("nothing changed since the first look")
          .isInstanceOf(BindCommit.Ready.class);
      switch (random.nextInt(5)) {
        case 0 -> ledger.release(uid);
        case 1 -> committing.add(uid); // the reply is late
        case 2 -> {
          sent.put(uid, new Sent(plan, now.plusSeconds(10)));
          ledger.doubt(uid, now.plusSeconds(10));
        }
        default -> {
          bindings++;
          ledger.confirm(uid, plan.placement());
          if (random.nextBoolean()) {
            see(pods.get(uid).on(plan.placement().node().value()).written(plan).version(clock));
          }
        }
      }
    }
  }

  private void forget() {
    if (!pods.isEmpty()) {
      var uid = new PodUid(any().uid());
      if (ledger.standing(uid).orElseThrow() instanceof Standing.Planned(WrittenPlan plan, _)) {
        ledger.forget(uid, plan);
      }
    }
  }

  private void lapse() {
    now = now.plusSeconds(random.nextInt(8));
    ledger.expire(now);
  }

  private void leave() {
    if (pods.isEmpty()) {
      return;
    }
    PodSketch pod = any();
    var uid = new PodUid(pod.uid());
    if (random.nextBoolean()) {
      see(pod.leaving().version(clock));
    } else {
      pods.remove(uid);
      ledger.record(new Fact.PodGone(new PodKey("default", pod.name()), uid));
    }
  }

  /// Deleted, or evicted, with a grace of a year.
  private void runOn() {
    anyOnNode()
        .filter(pod -> !pod.life().leaving())
        .ifPresent(pod -> {
          see(pod.runningOn().version(clock));
          runsOn++;
          namedAndRunsOn += isNamed(new PodUid(pod.uid())) ? 1 : 0;
        });
  }

  private boolean isNamed(PodUid victim) {
    return counting.values().stream().anyMatch(named -> named.contains(victim));
  }

  private void holders() {
    for (SlotKey slot : ledger.missingHolders()) {
      if (random.nextInt(3) == 0) {
        unanswered.put(slot, now.plusSeconds(10));
        ledger.doubt(slot, now.plusSeconds(10));
        continue;
      }
      String uuid = random.nextInt(3) == 0 ? "" : "GPU-" + slot;
      hold(holder(slot.node().value(), slot.slot(), uuid, clock), slot);
    }
    for (Pod starting : new ArrayList<>(holders.values())) {
      var slot = new SlotKey(starting.holding().node(), starting.holding().slot());
      if (starting.holding().uuid().isEmpty() && random.nextBoolean()) {
        hold(holder(slot.node().value(), slot.slot(), "GPU-" + slot, clock), slot);
      }
    }
  }

  /// A creation that is no longer awaited is done, unless the name is taken: there is room.
  private void late() {
    for (SlotKey slot : mayCome()) {
      var made = holder(slot.node().value(), slot.slot(), "", ++clock);
      if (!holders.containsKey(made.key()) && random.nextBoolean()) {
        hold(made, slot);
        late++;
        var node = nodes.get(slot.node().equals(at("a")) ? 0 : 1);
        assertThat(bound(node.name(), Set.of()).plus(held(node.name())).fitsIn(node.allocatable()))
            .as("%s comes late to %s", made.key(), ledger.snapshot(now).nodes())
            .isTrue();
      }
    }
  }

  /// A Binding that is no longer awaited is done, unless the pod is bound or leaves.
  private void boundLate() {
    for (var uid : mayBeBound()) {
      var pod = pods.get(uid);
      var life = pod == null ? null : pod.made().life();
      if (life != null && life.node().isNone() && !life.leaving() && random.nextBoolean()) {
        var plan = sent.get(uid).plan();
        see(pod.on(plan.placement().node().value()).written(plan).version(++clock));
        boundLate++;
      }
    }
  }

  private List<PodUid> mayBeBound() {
    sent.values().removeIf(binding -> !binding.until().isAfter(now));
    return List.copyOf(sent.keySet());
  }

  private TreeSet<SlotKey> mayCome() {
    unanswered.values().removeIf(until -> !until.isAfter(now));
    return new TreeSet<>(unanswered.keySet());
  }

  private Amounts held(NodeName node) {
    var used = Amounts.NONE;
    var slots = new TreeSet<Integer>();
    for (Pod holder : holders.values()) {
      if (holder.holding().node().equals(node)) {
        used = used.plus(holder.asks().request().amounts());
        slots.add(holder.holding().slot());
      }
    }
    for (SlotKey slot : mayCome()) {
      if (slot.node().equals(node) && slots.add(slot.slot())) {
        used = used.plus(holder(node.value(), 0, "", 1).asks().request().amounts());
      }
    }
    return used;
  }

  private void hold(Pod made, SlotKey slot) {
    var known = holders.get(made.key());
    var uid = known == null ? new PodUid("holder-" + names++) : known.uid();
    var holder =
        new Pod(
            uid,
            made.key(),
            ++clock,
            made.created(),
            made.scheduler(),
            made.life(),
            made.asks(),
            made.belonging(),
            made.written(),
            new Pod.Holding(slot.node(), slot.slot(), made.holding().uuid()),
            List.of());
    holders.put(holder.key(), holder);
    ledger.record(new Fact.PodSeen(holder));
  }

  private void idle() {
    for (IdleHolder idle : ledger.idleHolders()) {
      if (ledger.retire(idle.slot()).isEmpty()) {
        continue;
      }
      switch (random.nextInt(3)) {
        case 0 -> ledger.reopen(idle.slot());
        case 1 -> retired.add(idle.slot());
        default -> {
          holders.remove(idle.holder().key());
          ledger.record(new Fact.PodGone(idle.holder().key(), idle.holder().uid()));
        }
      }
    }
    for (SlotKey slot : new ArrayList<>(retired)) {
      if (random.nextBoolean()) {
        retired.remove(slot);
        ledger.reopen(slot);
      }
    }
  }

  /// A pod of another scheduler, which sees holders and what is bound, but no plan.
  private void foreign() {
    if (random.nextInt(3) != 0) {
      return;
    }
    var node = nodes.get(random.nextInt(2));
    PodSketch pod = pod("pod-" + names++).scheduler("other").gpus(1).version(clock);
    var used = bound(node.name(), perhaps()).plus(pod.request().amounts()).plus(held(node.name()));
    if (used.fitsIn(node.allocatable())) {
      see(pod.on(node.name().value()));
    }
  }

  private Set<PodUid> perhaps() {
    var perhaps = new TreeSet<>(committing);
    perhaps.addAll(mayBeBound());
    return perhaps;
  }

  private Amounts bound(NodeName node, Set<PodUid> perhaps) {
    var used = Amounts.NONE;
    for (PodSketch pod : pods.values()) {
      boolean here =
          switch (ledger.standing(new PodUid(pod.uid())).orElseThrow()) {
            case Standing.Bound(Placement bound) -> bound.node().equals(node);
            case Standing.Leaving(Placement bound, _, _) -> bound.node().equals(node);
            default -> perhaps.contains(new PodUid(pod.uid()));
          };
      used = here ? used.plus(pod.request().amounts()) : used;
    }
    return used;
  }

  private void veto() {
    if (!pods.isEmpty()) {
      var uid = new PodUid(any().uid());
      ledger.veto(uid, at(random.nextBoolean() ? "a" : "b"), "no", now.plusSeconds(5));
    }
  }

  private List<Pod> everything() {
    var all = new ArrayList<Pod>();
    pods.values().forEach(pod -> all.add(pod.made()));
    all.addAll(holders.values());
    return all;
  }

  void check(long seed, int step) {
    var snapshot = ledger.snapshot(now);
    var recount = new LedgerRecount(ledger, everything());
    var rooms = new ArrayList<NodeView>();
    nodes.forEach(node -> rooms.add(recount.room(node, retired, mayCome())));
    assertThat(snapshot.nodes().toString())
        .as("seed %s, step %s: kept is counted", seed, step)
        .isEqualTo(rooms.toString());
    for (NodeView room : snapshot.nodes()) {
      checkBound(room, seed, step);
    }
    assertThat(ledger.snapshot(now).nodes()).isSameAs(snapshot.nodes());
    assertThat(ledger.snapshot(now).groups()).isSameAs(snapshot.groups());
  }

  /// The room of a pod is being left while it is deleted with a short grace, and while a plan
  /// stands that names it.
  void checkLeaving(long seed, int step) {
    for (PodSketch pod : pods.values()) {
      var uid = new PodUid(pod.uid());
      var standing = ledger.standing(uid).orElseThrow();
      boolean leaving = standing instanceof Standing.Leaving;
      if (leaving || standing instanceof Standing.Bound) {
        assertThat(leaving)
            .as("seed %s, step %s: %s is leaving, named by %s", seed, step, pod.name(), counting)
            .isEqualTo(pod.life().leaving() || isNamed(uid));
      }
    }
  }

  /// Every plan ends, every Binding is known, nothing is under way any more.
  void comeToRest() {
    committing.forEach(ledger::release);
    now = now.plusSeconds(3600);
    ledger.expire(now);
    pods.keySet().forEach(ledger::release);
    ledger.expire(now);
    retired.forEach(ledger::reopen);
    for (PodSketch pod : List.copyOf(pods.values())) {
      var at = boundAt(new PodUid(pod.uid()));
      if (!at.isNone() && pod.life().node().isNone()) { // the watch is late no more
        see(pod.on(at.node().value()).written(Sketch.plan(at, now)).version(++clock));
      }
    }
  }

  private Placement boundAt(PodUid uid) {
    return switch (ledger.standing(uid).orElseThrow()) {
      case Standing.Bound(Placement at) -> at;
      case Standing.Leaving(Placement at, _, _) -> at;
      default -> Placement.NONE;
    };
  }

  /// A ledger that sees the same objects for the first time.
  Ledger madeAnew() {
    var other = new Ledger(LedgerSettings.DEFAULT, () -> {});
    nodes.forEach(node -> other.record(new Fact.NodeSeen(node)));
    everything().forEach(pod -> other.record(new Fact.PodSeen(pod)));
    return other;
  }

  /// Rooms, and where each pod stands; not the new places of pods that are leaving already.
  String fingerprint(Ledger of) {
    var text = new StringBuilder();
    of.snapshot(now).nodes().forEach(room -> text.append(room).append('\n'));
    for (PodUid uid : pods.keySet()) {
      var standing =
          switch (of.standing(uid).orElseThrow()) {
            case Standing.Leaving(Placement at, _, _) -> new Standing.Leaving(at);
            case Standing other -> other;
          };
      text.append(uid).append(' ').append(standing).append('\n');
    }
    return text.toString();
  }

  /// What is bound fits: every slot, every device, every port.
  private void checkBound(NodeView room, long seed, int step) {
    var used = Amounts.NONE;
    var millis = new TreeMap<Integer, Integer>();
    var ports = new ArrayList<String>();
    for (PodSketch pod : pods.values()) {
      Placement placement = boundAt(new PodUid(pod.uid()));
      if (placement.node().equals(room.name())) {
        used = used.plus(pod.request().amounts());
        ports.addAll(pod.request().hostPorts());
        placement.slots().forEach(slot -> millis.merge(slot, placement.millis(), Integer::sum));
      }
    }
    for (int ignored : millis.keySet()) {
      used = used.plus(Sketch.amounts(0, 1));
    }
    assertThat(used.fitsIn(room.node().allocatable()))
        .as("seed %s, step %s: %s fits on %s", seed, step, used, room)
        .isTrue();
    assertThat(millis.values()).allMatch(sum -> sum <= 1000);
    assertThat(ports).doesNotHaveDuplicates();
  }
}
