package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.Charge;
import dev.berth.engine.ledger.SharedDevice.Held;
import dev.berth.engine.ledger.objects.Interner;
import dev.berth.engine.ledger.objects.SemanticEquality;
import dev.berth.engine.ledger.objects.SortedCopy;
import dev.berth.engine.ledger.pods.Effect;
import dev.berth.engine.ledger.pods.PodEvent;
import dev.berth.engine.ledger.pods.PodState;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The pods: what the watch says of them, what only we know, and where each of them stands.
///
/// | it is | it stands | it takes room |
/// |---|---|---|
/// | moved, and failed on its way out | `Awaited` | no |
/// | succeeded, failed | `Over` | no |
/// | bound, or confirmed by us | `Bound`, `Leaving` | yes |
/// | unbound and being deleted | `Over`: nobody plans for it, and it never runs | no |
/// | with a plan, kept or written | `Planned` | yes |
/// | anything else | `Waiting` | no |
final class PodRecords {
  /// Far more than any pod asks for, and so little that sums over a node never overflow: more
  /// counts as this.
  private static final long MOST = 1L << 48;

  private static final int MOST_GONE = 1 << 16;

  private final Map<PodUid, PodRecord> byUid = new HashMap<>();
  private final Map<PodKey, PodRecord> byKey = new HashMap<>();
  private final LinkedHashSet<PodUid> gone = new LinkedHashSet<>();
  private final SortedCopy<PodKey, Pod> strangers = new SortedCopy<>(Pod::key);
  private final TreeSet<Deadline> deadlines = new TreeSet<>();

  /// Victims of plans that ended, or were not kept; nobody, once a change is done.
  private final LinkedHashSet<PodRecord> spared = new LinkedHashSet<>();

  /// Effects that are still to be executed; none, once a change is done.
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();

  private boolean settling;

  private final LedgerSettings settings;
  private final NodeUsageTable rooms;
  private final GroupStates groups;
  private final Vetoes vetoes;
  private final ArrivalCounts arrivals;
  private final FailedPlans failedPlans;
  private final Volumes volumes;
  private final Relocations moved;
  private final Interner alike = new Interner();

  PodRecords(
      LedgerSettings settings,
      NodeUsageTable rooms,
      GroupStates groups,
      Vetoes vetoes,
      ArrivalCounts arrivals,
      FailedPlans failedPlans,
      Volumes volumes) {
    this.settings = settings;
    this.rooms = rooms;
    this.groups = groups;
    this.vetoes = vetoes;
    this.arrivals = arrivals;
    this.failedPlans = failedPlans;
    this.volumes = volumes;
    this.moved = new Relocations(settings.keepPlace());
  }

  private record Pending(PodRecord pod, Effect effect) {}

  private record Deadline(Instant until, PodUid uid) implements Comparable<Deadline> {
    @Override
    public int compareTo(Deadline other) {
      int byTime = until.compareTo(other.until);
      return byTime != 0 ? byTime : uid.compareTo(other.uid);
    }
  }

  Optional<PodRecord> find(PodUid uid) {
    return Optional.ofNullable(byUid.get(uid));
  }

  /// Pods for whose groups evictions were requested, in no order.
  List<PodRecord> preemptorsWithoutPlan() {
    return byUid.values().stream()
        .filter(entry -> entry.pod.written().preemptor())
        .filter(entry -> entry.standing instanceof Standing.Waiting)
        .toList();
  }

  /// Pods of other schedulers that are on nodes, by key: those who must be near them or apart from
  /// them ask.
  List<Pod> strangers() {
    return strangers.list(key ->
        Optional.ofNullable(byKey.get(key)).filter(PodRecords::isStranger).map(entry -> entry.pod));
  }

  private static boolean isStranger(PodRecord entry) {
    return !entry.ours && entry.pod.isBound() && !entry.pod.isOver() && !entry.pod.isHolder();
  }

  /// A sighting. It is late when its incarnation is gone, when that has been seen later, or when
  /// its name has been taken by a later one.
  boolean seen(Pod sighted) {
    Pod pod = believed(sighted);
    if (gone.contains(pod.uid())) {
      return false;
    }
    var known = byKey.get(pod.key());
    if (known == null) {
      enter(pod);
      return true;
    }
    boolean late = pod.version() != 0 && pod.version() <= known.pod.version();
    if (known.pod.uid().equals(pod.uid())) {
      return !late && update(known, pod);
    }
    if (late) {
      bury(pod.uid());
      return false;
    }
    leave(known);
    enter(pod);
    return true;
  }

  /// Labels are words that tenants can write, too: a holder is one only where Berth alone makes
  /// pods. Elsewhere it is a pod like any other, and takes what it asks for.
  private Pod believed(Pod pod) {
    String home = settings.holdersNamespace();
    return pod.isHolder() && !home.isEmpty() && !pod.key().namespace().equals(home)
        ? pod.withoutHolding()
        : pod;
  }

  private void enter(Pod seen) {
    Pod pod = alike.of(volumes.judge(seen));
    var entry = new PodRecord(pod);
    volumes.enters(entry);
    byKey.put(pod.key(), entry);
    byUid.put(pod.uid(), entry);
    entry.ours = isOurs(pod);
    if (entry.ours) {
      if (!pod.isOver()) {
        arrivals.add(pod);
      }
      groups.join(entry, Optional.empty());
      comes(entry);
    }
    strangers.touch(pod.key());
    refresh(entry);
  }

  /// A pod that may come in the stead of one that leaves, or was moved.
  private void comes(PodRecord entry) {
    moved
        .predecessor(entry)
        .ifPresent(victim -> {
          moved.isLate(victim, Instant.MAX);
          isReplaced(victim);
        });
    moved.succeeds(entry);
  }

  /// It is asked to leave. If it was to start again elsewhere, that is remembered though its plan
  /// may end before it is seen to leave.
  void isAsked(PodUid uid) {
    find(uid).ifPresent(moved::isAsked);
  }

  /// The API server refused that.
  void isRefused(PodUid uid, Instant now) {
    find(uid)
        .filter(victim -> !victim.pod.life().leaving())
        .ifPresent(victim -> {
          victim.moves = false;
          victim.refusedAt = now;
        });
  }

  /// A victim, and where it was placed again; none = it is lost.
  void move(PodRecord victim, Placement again) {
    moved.begin(victim, again);
  }

  /// Who comes in its stead is there, or is awaited no more.
  private void isReplaced(PodRecord victim) {
    boolean gone = moved.isGone(victim);
    moved.end(victim);
    if (gone) {
      groups.part(victim, victim.pod);
    } else {
      refresh(victim);
    }
  }

  /// Those who were moved and are not back after a moment are not coming.
  ///
  /// @return whether there was anybody
  boolean stopAwaiting(Instant now) {
    var overdue = moved.overdue(now);
    for (PodRecord each : overdue) {
      moved.isOverdue(each, now);
      isReplaced(each);
    }
    var tooLate = moved.tooLate(now);
    tooLate.forEach(groups::touch);
    return !overdue.isEmpty() || !tooLate.isEmpty();
  }

  /// A Job that makes no pods sends nobody in the stead of those that left.
  ///
  /// @return whether anybody is awaited no more
  boolean jobSeen(OwnerUid job, boolean makesPods) {
    if (makesPods) {
      moved.makesPods(job);
      return false;
    }
    var late = moved.noneIsLate(job);
    late.forEach(groups::touch);
    var leaving = moved.makesNone(job);
    leaving.forEach(this::isReplaced);
    return !late.isEmpty() || !leaving.isEmpty();
  }

  private boolean update(PodRecord entry, Pod sighted) {
    Pod before = entry.pod;
    Pod seen = volumes.judge(sighted);
    Pod told = seen.asks().equals(before.asks()) ? seen.asking(before.asks()) : alike.of(seen);
    entry.own = told.belonging();
    Pod pod = dressed(entry, told);
    entry.pod = pod;
    if (SemanticEquality.of(before, pod)) {
      return false;
    }
    boolean wasOurs = entry.ours;
    entry.ours = isOurs(pod);
    strangers.touch(pod.key());
    if (wasOurs && !entry.ours) {
      groups.part(entry, before);
    } else if (entry.ours && (!wasOurs || !before.belonging().equals(pod.belonging()))) {
      endIfRegrouped(entry, before);
      groups.join(entry, wasOurs ? Optional.of(before) : Optional.empty());
    }
    entry.memberChanged();
    groups.touch(entry);
    if (pod.life().leaving() && !pod.isBound()) {
      endItsBlock(entry);
    }
    if (pod.life().leaving() && !before.life().leaving()) {
      isOnItsWay(entry);
    }
    if (pod.isOver()) {
      failedPlans.ended(entry);
      gaveBack(before);
    }
    refresh(entry);
    return true;
  }

  /// Something may have changed about the volumes of these.
  void judge(Collection<PodRecord> using) {
    for (PodRecord entry : using) {
      Pod judged = volumes.judge(entry.pod);
      if (judged.equals(entry.pod)) {
        continue;
      }
      entry.pod = alike.of(judged);
      strangers.touch(judged.key());
      if (entry.ours) {
        entry.memberChanged();
        groups.touch(entry);
      }
    }
  }

  /// The pod as it was before it ended.
  private void gaveBack(Pod before) {
    if (isOurs(before) && before.isBound() && !before.isOver()) {
      arrivals.gaveBack(before);
    }
  }

  /// Who is moved starts anew for others: they give way to nobody any more, or it would be for
  /// nothing, and whoever takes that room (it may be the moved one) is moved again. Nor does
  /// whoever has a plan that is [firm][dev.berth.engine.model.Decision.Reserve#firm].
  private void isOnItsWay(PodRecord victim) {
    moved.isAsked(victim);
    moved.isLate(victim, Instant.MAX);
    failedPlans.left(victim);
    for (PodRecord.VictimOf markVictims : victim.victimOf) {
      if (victim.again.isNone() && !markVictims.isFirm()) {
        continue;
      }
      markVictims
          .beneficiary()
          .ifPresent(beneficiary -> {
            beneficiary.account().moved();
            groups.touch(beneficiary);
          });
    }
  }

  private static Pod dressed(PodRecord entry, Pod pod) {
    var belonging = entry.membership.of(entry.own);
    return belonging.equals(pod.belonging()) ? pod : pod.belongingTo(belonging);
  }

  /// Somebody looked at its owners. A pod that we do not know has gone meanwhile.
  boolean grouped(PodUid uid, Membership membership) {
    var entry = byUid.get(uid);
    if (entry == null || isKnown(entry, membership)) {
      return false;
    }
    Pod before = entry.pod;
    entry.membership = membership;
    entry.pod = dressed(entry, before);
    if (entry.ours) {
      endIfRegrouped(entry, before);
      var group = entry.group;
      groups.join(entry, Optional.of(before));
      if (entry.group != group) {
        moved.succeedsNoMore(entry);
        comes(entry);
      }
      if (membership.isTold()) { // else others may have said something of the group that it names
        entry.group.say(membership);
      }
      entry.memberChanged();
      groups.touch(entry);
      refresh(entry); // its plan may have ended with a block of the gang that it belongs to now
    }
    return true;
  }

  /// Others may have said something else of the gang meanwhile.
  private static boolean isKnown(PodRecord entry, Membership membership) {
    return entry.membership.equals(membership)
        && (!entry.ours
            || !membership.isTold()
            || entry.group.said().said().equals(membership.said()));
  }

  /// A pod goes before it was bound: those that were planned with it will not start without it. One
  /// that has reached bind may have passed the barrier with the others: they go on.
  private void endItsBlock(PodRecord entry) {
    if (entry.isPlanned() && !entry.isBinding()) {
      var _ = giveBack(entry, new PlanEnd(Way.MEMBER_GONE));
    }
  }

  /// A pod whose gate is not lifted belongs to another group now: it was planned as a member of the
  /// other one, and charged as that is.
  private void endIfRegrouped(PodRecord entry, Pod before) {
    boolean moves = !before.belonging().group().equals(entry.pod.belonging().group());
    if (moves && entry.pod.isGated()) {
      endItsBlock(entry);
    }
  }

  private boolean isOurs(Pod pod) {
    return !pod.isHolder() && settings.schedulers().contains(pod.scheduler());
  }

  boolean gone(PodKey key, PodUid uid) {
    bury(uid);
    var known = byKey.get(key);
    if (known == null || !known.pod.uid().equals(uid)) {
      return false;
    }
    leave(known);
    return true;
  }

  private void bury(PodUid uid) {
    gone.add(uid);
    if (gone.size() > MOST_GONE) {
      gone.removeFirst();
    }
  }

  private void leave(PodRecord entry) {
    isOnItsWay(entry);
    gaveBack(entry.pod);
    endItsBlock(entry);
    bury(entry.pod.uid());
    byKey.remove(entry.pod.key());
    strangers.touch(entry.pod.key());
    byUid.remove(entry.pod.uid());
    volumes.leaves(entry);
    rooms.hold(entry, Optional.empty());
    rooms.recharge(entry, Charge.NONE);
    rooms.allocated(entry.pod.key(), NodeName.NONE, List.of());
    vetoes.endAllOf(entry);
    schedule(entry, Instant.MAX);
    moved.succeedsNoMore(entry);
    moved.isLate(entry, Instant.MAX); // its plan may have ended meanwhile
    boolean awaited = moved.isAwaited(entry);
    entry.standing = awaited ? new Standing.Awaited(entry.again) : new Standing.Over(false);
    ends(entry); // its Binding may have been under way, and its plan with it
    if (entry.ours && awaited) {
      entry.memberChanged();
      groups.touch(entry);
    } else if (entry.ours) {
      if (entry.pod.life().phase() == Pod.Phase.SUCCEEDED) {
        entry.group.loses(entry);
      }
      groups.part(entry, entry.pod);
    }
  }

  /// An event of a pod's plan, and all that follows from it.
  void apply(PodRecord entry, PodEvent event) {
    var transition = entry.state.on(event);
    entry.state = transition.next();
    transition.effects().forEach(effect -> pending.add(new Pending(entry, effect)));
    settle();
  }

  /// Brings up to date what follows from a pod: its room, its standing, its deadline.
  void refresh(PodRecord entry) {
    pending.add(new Pending(entry, Effect.REASSESS));
    settle();
  }

  /// Executes effects until none is left. An effect that asks for others has them executed here,
  /// not on its own way: no pod is seen halfway through its change.
  private void settle() {
    if (settling) {
      return;
    }
    settling = true;
    try {
      for (var next = pending.poll(); next != null; next = pending.poll()) {
        execute(next.pod, next.effect);
      }
    } finally {
      settling = false;
    }
  }

  private void execute(PodRecord entry, Effect effect) {
    switch (effect) {
      case REASSESS -> reassess(entry);
      case FOLLOW_BLOCK -> {
        if (entry.isPlanned() && entry.group.hasEnded(entry.plan().gang())) {
          var _ = giveBack(entry, new PlanEnd(Way.AFTER_ITS_BLOCK));
        }
      }
      case RELEASE_VICTIMS -> ends(entry);
    }
  }

  private void reassess(PodRecord entry) {
    Pod pod = entry.pod;
    rooms.hold(
        entry,
        pod.isHolder()
            ? Optional.of(new Held(pod, pod.asks().request().amounts().cappedAt(MOST)))
            : Optional.empty());
    rooms.recharge(entry, charge(entry));
    boolean counts = !pod.isHolder() && !pod.isOver();
    rooms.allocated(pod.key(), pod.life().node(), counts ? pod.life().allocated() : List.of());
    stand(entry);
  }

  /// The seat of a pod may have changed.
  void stand(PodRecord entry) {
    Standing next = standing(entry);
    if (!next.equals(entry.standing)) {
      entry.standing = next;
      entry.memberChanged();
      groups.touch(entry);
    }
    if (!entry.node().isNone()) {
      moved.isBack(entry).ifPresent(groups::touch);
    }
    groups.settle(entry);
    rooms.planned(entry, entry.isPlanned());
    schedule(entry, deadline(entry));
    if (!entry.isPlanned()) {
      pending.add(new Pending(entry, Effect.RELEASE_VICTIMS));
      settle();
    }
  }

  private static Instant deadline(PodRecord entry) {
    if (!entry.isPlanned()) {
      return Instant.MAX;
    }
    Instant until = entry.plan().until();
    Instant longer =
        entry.state instanceof PodState.Binding binding ? binding.settledAt() : entry.patient;
    return longer.isAfter(until) ? longer : until;
  }

  /// The one way on which a plan with victims ends, be it bound or not, whoever ended it.
  private void ends(PodRecord entry) {
    entry.awaited = List.of();
    if (entry.victims.isEmpty()) {
      return;
    }
    if (entry.node().isNone()) {
      failedPlans.failed(entry);
    } else {
      failedPlans.bound(entry);
    }
    spare(entry);
  }

  /// Nobody has to leave for a plan that ended.
  private void spare(PodRecord preemptor) {
    var victims = List.copyOf(preemptor.victims);
    preemptor.victims.clear();
    for (PodRecord victim : victims) {
      victim.victimOf.forEach(markVictims -> markVictims.end(preemptor));
      victim.victimOf.removeIf(markVictims -> !markVictims.holds());
      boolean gone = moved.isGone(victim); // and awaited, whoever it left for
      if (!victim.isVictim() && !victim.pod.life().leaving() && !gone) {
        moved.end(victim);
      }
      if (byUid.containsKey(victim.pod.uid())) {
        refresh(victim);
      }
    }
    spared.addAll(victims);
  }

  /// These were to leave for a plan that never was.
  void stay(List<PodRecord> victims) {
    spared.addAll(victims);
  }

  /// Whether one of these was to leave for a plan that has just ended, and stays.
  boolean anyStays(Predicate<PodRecord> which) {
    return spared.stream().anyMatch(victim -> stays(victim) && which.test(victim));
  }

  /// The next who was to leave for a plan that has ended, and stays; each is told of once.
  Optional<PodRecord> nextWhoStays() {
    while (!spared.isEmpty()) {
      PodRecord victim = spared.removeFirst();
      if (stays(victim)) {
        return Optional.of(victim);
      }
    }
    return Optional.empty();
  }

  private static boolean stays(PodRecord victim) {
    return !victim.isGoing() && victim.charge.node() != NodeUsage.NOWHERE;
  }

  private void schedule(PodRecord entry, Instant deadline) {
    if (!deadline.equals(entry.deadline)) {
      deadlines.remove(new Deadline(entry.deadline, entry.pod.uid()));
      entry.deadline = deadline;
      if (!deadline.equals(Instant.MAX)) {
        deadlines.add(new Deadline(deadline, entry.pod.uid()));
      }
    }
  }

  private static Standing standing(PodRecord entry) {
    Pod pod = entry.pod;
    if (Relocations.hasEnded(entry)) {
      return new Standing.Awaited(entry.again);
    }
    if (pod.isOver()) {
      return new Standing.Over(pod.life().phase() == Pod.Phase.SUCCEEDED);
    }
    if (!entry.node().isNone()) {
      Placement seat = entry.seat.isNone() ? Placement.on(entry.node()) : entry.seat;
      return pod.life().leaving() || entry.isVictim()
          ? new Standing.Leaving(seat, entry.again, entry.comesBack)
          : new Standing.Bound(seat);
    }
    if (pod.life().leaving() && !entry.isBinding()) {
      return new Standing.Over(false);
    }
    return entry.ours && !entry.plan().isNone()
        ? new Standing.Planned(entry.plan(), !pod.isGated() || entry.isUngating())
        : new Standing.Waiting();
  }

  private Charge charge(PodRecord entry) {
    Pod pod = entry.pod;
    NodeName node = entry.node();
    boolean bound = !node.isNone();
    boolean leaving = pod.life().leaving() || bound && entry.isVictim();
    if (pod.isOver()
        || pod.isHolder()
        || !bound && (!entry.ours || entry.plan().isNone() || leaving && !entry.isBinding())) {
      return Charge.NONE;
    }
    Placement placement = bound ? placement(entry, node) : entry.plan().placement();
    return new Charge(
        rooms.at(placement.isNone() ? node : placement.node()),
        placement.isNone() ? Placement.on(node) : placement,
        bound ? pod.written().devices() : List.of(),
        placement.isNone(),
        pod.asks().request().amounts().cappedAt(MOST),
        pod.asks().request().hostPorts(),
        bound && leaving,
        !entry.ours);
  }

  /// Shares of other schedulers sit on devices that their own holders keep.
  private static Placement placement(PodRecord entry, NodeName node) {
    return entry.ours ? entry.knownPlacement(node) : Placement.on(node);
  }

  /// Ends the plan of a pod, and of all who were planned in one block with it and are not bound:
  /// none of them may start without the others. What is written on them counts no more. (One that
  /// waits in the barrier finds no plan when it goes on. One whose Binding is being written while
  /// that of the other was refused, or whose room was taken behind the barrier, keeps its place: it
  /// may be bound already. Its plan ends if it is not.) Where nobody of the group runs, the plans
  /// of those that it can do without end too: they were to start after the block.
  ///
  /// @return the plans that ended
  List<Assumed> giveBack(PodRecord entry, PlanEnd end) {
    String gang = entry.plan().gang();
    if (gang.isEmpty()) {
      return List.of(drop(entry, end));
    }
    var given = new ArrayList<Assumed>();
    var members = List.copyOf(entry.group.members.values());
    boolean runs = members.stream().anyMatch(member -> !member.node().isNone());
    for (PodRecord member : members) {
      if (!member.isPlanned()) {
        continue;
      }
      boolean inBlock = member.plan().gang().equals(gang);
      boolean ends = inBlock || !runs && member.plan().size() <= 1;
      if (ends && (member == entry || !member.isAdmitted())) {
        given.add(drop(member, end));
      } else if (inBlock) {
        apply(member, new PodEvent.Retain(member.plan())); // what is written counts no more
      }
    }
    entry.group.ended(gang);
    return given;
  }

  /// What a pod that is planned now is charged as.
  ChargedTo chargedTo(PodRecord entry) {
    return groups.chargedTo(entry);
  }

  /// Its plans were withdrawn for somebody who comes before it. It does not do so for ever.
  void gaveWay(GroupState group) {
    group.gaveWay();
    groups.touch(group);
  }

  /// Somebody in it is: from now on it gives way as any other.
  void isBound(GroupState group) {
    if (group.standsFast()) {
      groups.touch(group);
    }
    group.isBound();
  }

  private Assumed drop(PodRecord entry, PlanEnd end) {
    entry.end = end;
    var ended = new Assumed(entry.pod, entry.plan());
    apply(entry, new PodEvent.GiveBack(entry.plan()));
    return ended;
  }

  /// The next plan whose deadline has passed.
  Optional<PodRecord> lapsed(Instant now) {
    return deadlines.isEmpty() || deadlines.first().until().isAfter(now)
        ? Optional.empty()
        : find(deadlines.first().uid());
  }
}
