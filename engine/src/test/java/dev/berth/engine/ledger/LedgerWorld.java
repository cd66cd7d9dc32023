package dev.berth.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Cluster;
import dev.berth.engine.Contests;
import dev.berth.engine.Planner;
import dev.berth.engine.Settings;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Pod.Phase;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/// A contest whose ledger hears of it as of a cluster: victims and holders take their time, holders
/// fail, plans are bound when their room is clear, evicted pods come back.
final class LedgerWorld {
  /// A round whose plans the next one makes otherwise (shares change as pods leave) is rare, and as
  /// rare that it comes several times: each of the half a dozen that wait gives way twice at most.
  private static final int MOST_ROUNDS = 12;

  final Random random;
  private final Planner planner;
  final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  final TreeMap<PodUid, Pod> pods = new TreeMap<>();
  final TreeMap<PodKey, Pod> holders = new TreeMap<>();
  private final List<Pod> gone = new ArrayList<>();
  Instant now = Cluster.NOW;
  private long clock = 10;
  private int names;
  int withdrawals;
  int deadHolders;
  int mostRounds;

  LedgerWorld(long seed) {
    random = new Random(seed);
    planner = Settings.planner(seed);
    var snapshot = Contests.random(seed).snapshot();
    snapshot.nodes().forEach(room -> ledger.record(new Fact.NodeSeen(room.node())));
    snapshot.queues().forEach(queue -> ledger.record(new Fact.QueueSeen(queue)));
    snapshot.topologies().forEach(each -> ledger.record(new Fact.TopologySeen(each)));
    for (PodGroup group : snapshot.groups()) {
      ledger.record(new Fact.GroupSeen(group.spec()));
      group.members().forEach(this::enter);
    }
    while (!ledger.missingHolders().isEmpty()) {
      ledger.missingHolders().forEach(slot -> hold(slot, Phase.RUNNING, "GPU-" + slot));
    }
  }

  private void enter(Member member) {
    var pod = member.pod();
    var life =
        new Pod.Lifecycle(Phase.PENDING, NodeName.NONE, List.of(Pod.Lifecycle.GATE), false, "");
    var asks = pod.asks();
    var amounts = asks.request().amounts().plus(Amounts.of(Resource.PODS, 1));
    var request =
        new PodRequest(
            amounts,
            asks.request().devices(),
            asks.request().deviceContainer(),
            asks.request().models(),
            asks.request().isolation(),
            asks.request().hostPorts());
    var whole =
        new Pod(
            pod.uid(),
            pod.key(),
            1,
            pod.created(),
            pod.scheduler(),
            life,
            new Pod.Asks(request, asks.constraints(), asks.priority(), asks.preemptibility()),
            owned(pod),
            Pod.Written.NOTHING,
            Pod.Holding.NONE,
            List.of());
    see(
        member.standing() instanceof Standing.Bound(var placement)
            ? bound(whole, new WrittenPlan(placement, "", 1, now))
            : whole);
  }

  private static Pod.Belonging owned(Pod pod) {
    var before = pod.belonging();
    var job = pod.key().name();
    return new Pod.Belonging(
        before.queue(),
        before.group(),
        before.minMember(),
        before.subGroup(),
        new Pod.Owner(new OwnerUid("uid-" + job), "batch/v1", "Job", job),
        before.taskPriority());
  }

  private void see(Pod pod) {
    pods.put(pod.uid(), pod);
    ledger.record(new Fact.PodSeen(pod));
  }

  private Pod with(Pod pod, Pod.Lifecycle life, WrittenPlan plan) {
    return new Pod(
        pod.uid(),
        pod.key(),
        ++clock,
        pod.created(),
        pod.scheduler(),
        life,
        pod.asks(),
        pod.belonging(),
        new Pod.Written(plan, List.of()),
        pod.holding(),
        List.of());
  }

  private Pod bound(Pod pod, WrittenPlan plan) {
    var node = plan.placement().node();
    return with(pod, new Pod.Lifecycle(Phase.RUNNING, node, List.of(), false, ""), plan);
  }

  // ---- what we do

  /// Rounds until one decides nothing.
  void comeToRest(long seed, int step) {
    var trail = new StringBuilder();
    for (int round = 1; round <= MOST_ROUNDS; round++) {
      var told = round(seed, step);
      if (told.isEmpty()) {
        mostRounds = Math.max(mostRounds, round);
        return;
      }
      trail.append('\n').append(told);
    }
    throw new AssertionError("seed " + seed + ", step " + step + ": no rest:" + trail);
  }

  /// Plans, and has the ledger keep it; what was decided.
  private String round(long seed, int step) {
    now = now.plusSeconds(1);
    var snapshot = ledger.snapshot(now);
    var withdrawn = new ArrayList<Decision.Withdraw>();
    var reserves = new ArrayList<Decision.Reserve>();
    for (Decision decision : planner.plan(snapshot).decisions()) {
      switch (decision) {
        case Decision.Withdraw withdraw -> withdrawn.add(withdraw);
        case Decision.Reserve reserve -> reserves.add(reserve);
        case Decision.Evict evict -> throw new AssertionError("for nobody: " + evict);
        case Decision.Wait _ -> {}
      }
    }
    var assumed = ledger.assume(withdrawn, reserves, now.plusSeconds(3600));
    for (int i = 0; i < reserves.size(); i++) {
      var refused = reserves.get(i);
      assertThat(assumed.get(i).isPresent() || !withdrawn.isEmpty())
          .as(() ->
              "seed %s, step %s: refused: %s\nbeside %s\nafter %s\non %s"
                  .formatted(seed, step, refused, reserves, withdrawn, snapshot.nodes()))
          .isTrue();
    }
    withdrawals += withdrawn.size();
    return withdrawn.isEmpty() && reserves.isEmpty() ? "" : withdrawn + " " + reserves;
  }

  // ---- what happens

  void step() {
    if (random.nextBoolean()) {
      comeBack();
    }
    switch (random.nextInt(9)) {
      case 0, 1 -> askToLeave();
      case 2 -> goOne();
      case 3 -> goAll();
      case 4 -> bind();
      case 5, 6 -> keepHolders();
      case 7 -> failHolder();
      default -> leaveByItself();
    }
  }

  private List<Pod> those(boolean leaving) {
    var those = new ArrayList<Pod>();
    for (Pod pod : pods.values()) {
      boolean goes = ledger.standing(pod.uid()).orElseThrow() instanceof Standing.Leaving;
      if (goes && pod.life().leaving() == leaving) {
        those.add(pod);
      }
    }
    return those;
  }

  private void leave(Pod pod) {
    var life = pod.life();
    see(
        with(
            pod,
            new Pod.Lifecycle(life.phase(), life.node(), life.gates(), true, ""),
            pod.written().plan()));
  }

  /// The evictions are written, all or some.
  private void askToLeave() {
    for (Pod victim : those(false)) {
      if (random.nextInt(3) > 0) {
        leave(victim);
      }
    }
  }

  private void leaveByItself() {
    var running = new ArrayList<Pod>();
    for (Pod pod : pods.values()) {
      if (ledger.standing(pod.uid()).orElseThrow() instanceof Standing.Bound) {
        running.add(pod);
      }
    }
    if (!running.isEmpty()) {
      leave(running.get(random.nextInt(running.size())));
    }
  }

  private void goOne() {
    those(true).stream().findFirst().ifPresent(this::go);
  }

  private void goAll() {
    those(true).forEach(this::go);
  }

  /// Its owner makes another one, at once or later.
  private void go(Pod pod) {
    pods.remove(pod.uid());
    ledger.record(new Fact.PodGone(pod.key(), pod.uid()));
    if (random.nextInt(3) == 0) {
      gone.add(pod);
    } else {
      comeBack(pod);
    }
  }

  private void comeBack() {
    gone.forEach(this::comeBack);
    gone.clear();
    ledger.expire(now);
  }

  private void comeBack(Pod pod) {
    var life =
        new Pod.Lifecycle(Phase.PENDING, NodeName.NONE, List.of(Pod.Lifecycle.GATE), false, "");
    see(
        new Pod(
            new PodUid("another-" + names++),
            pod.key(),
            ++clock,
            now,
            pod.scheduler(),
            life,
            pod.asks(),
            pod.belonging(),
            Pod.Written.NOTHING,
            Pod.Holding.NONE,
            List.of()));
  }

  /// Groups all of whose plans are clear; now and then only their gates open yet.
  private void bind() {
    for (PodGroup group : ledger.snapshot(now).groups()) {
      var block = new ArrayList<Assumed>();
      boolean clear = true;
      for (Member member : group.members()) {
        if (member.standing() instanceof Standing.Planned(var plan, _)) {
          block.add(new Assumed(member.pod(), plan));
          clear &= ledger.isClear(member.pod().uid());
        }
      }
      if (clear && !block.isEmpty()) {
        var lifted = ledger.renew(block, now.plusSeconds(3000)).orElseThrow();
        if (random.nextInt(4) > 0) {
          lifted.forEach(this::bind);
        }
      }
    }
  }

  private void bind(Assumed assumed) {
    var placement = assumed.plan().placement();
    var uid = assumed.pod().uid();
    var commit = ledger.commit(uid, placement.node());
    assertThat(commit instanceof BindCommit.Ready)
        .as(() -> assumed + " is clear, but " + commit)
        .isTrue();
    ledger.confirm(uid, placement);
    see(bound(assumed.pod(), assumed.plan()));
  }

  // ---- holders

  private void keepHolders() {
    for (SlotKey slot : ledger.missingHolders()) {
      hold(slot, Phase.RUNNING, random.nextInt(3) == 0 ? "" : "GPU-" + slot);
    }
    for (Pod holder : List.copyOf(holders.values())) {
      var slot = new SlotKey(holder.holding().node(), holder.holding().slot());
      if (!holder.isOver() && !holder.life().leaving() && random.nextBoolean()) {
        hold(slot, Phase.RUNNING, "GPU-" + slot);
      }
    }
    for (var idle : ledger.idleHolders()) {
      if (random.nextBoolean() && ledger.retire(idle.slot()).isPresent() && random.nextBoolean()) {
        holders.remove(idle.holder().key());
        ledger.record(new Fact.PodGone(idle.holder().key(), idle.holder().uid()));
      }
    }
    for (Pod dead : List.copyOf(holders.values())) {
      if (random.nextInt(3) == 0 && dead.isOver()) {
        holders.remove(dead.key());
        ledger.record(new Fact.PodGone(dead.key(), dead.uid()));
      }
    }
  }

  /// The kubelet ends it, or never admits it.
  private void failHolder() {
    var alive = new ArrayList<Pod>();
    for (Pod holder : holders.values()) {
      if (!holder.isOver()) {
        alive.add(holder);
      }
    }
    if (!alive.isEmpty()) {
      var one = alive.get(random.nextInt(alive.size())).holding();
      hold(new SlotKey(one.node(), one.slot()), Phase.FAILED, one.uuid());
      deadHolders++;
    }
  }

  private void hold(SlotKey slot, Phase phase, String uuid) {
    var key = new PodKey("berth", "holder-" + slot.node() + "-" + slot.slot());
    var known = holders.get(key);
    var amounts = Amounts.of(Resource.NVIDIA, 1).plus(Amounts.of(Resource.PODS, 1));
    var holder =
        new Pod(
            known == null ? new PodUid("holder-" + names++) : known.uid(),
            key,
            ++clock,
            now,
            "default-scheduler",
            new Pod.Lifecycle(phase, slot.node(), List.of(), false, ""),
            new Pod.Asks(
                new PodRequest(
                    amounts,
                    new DeviceRequest.Whole(Resource.NVIDIA, 1),
                    "",
                    List.of(),
                    Isolation.NONE,
                    List.of()),
                Constraints.NONE,
                0,
                Preemptibility.BY_PRIORITY),
            new Pod.Belonging(
                QueueName.NONE, GroupKey.NONE, 0, "", new Pod.Owner(OwnerUid.NONE, "", "", ""), 0),
            Pod.Written.NOTHING,
            new Pod.Holding(slot.node(), slot.slot(), uuid),
            List.of());
    holders.put(key, holder);
    ledger.record(new Fact.PodSeen(holder));
  }
}
