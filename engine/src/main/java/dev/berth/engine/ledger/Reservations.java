package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.VictimOf;
import dev.berth.engine.ledger.pods.PodEvent;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.MakingWay;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// The life of a plan: assumed, committed, confirmed, or given back.
///
/// A plan may count on room that terminating pods, its own victims and victims of earlier plans
/// release. It is *clear* once that room is free and its victims, and those of other plans below
/// the same limit, are evicted. Plans are ordered by deadline: a later plan never blocks an earlier
/// one.
final class Reservations {
  /// An eviction that the API server rejects is retried within this time, or given up.
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(10);

  private final PodRecords pods;
  private final NodeUsageTable rooms;
  private final LimitHeadroom limits;
  private final FailedPlans failedPlans;

  Reservations(
      PodRecords pods, NodeUsageTable rooms, LimitHeadroom limits, FailedPlans failedPlans) {
    this.pods = pods;
    this.rooms = rooms;
    this.limits = limits;
    this.failedPlans = failedPlans;
  }

  /// A victim of a plan that was given back, and where it was placed again.
  private record OrphanedVictim(PodRecord victim, Placement again) {}

  /// Keeps the plans of one round: each may count on the victims of all of them, and on victims of
  /// plans withdrawn in favour of it.
  ///
  /// @param withdrawn plans that lose their room to these, or for another reason
  /// @param until the deadline of the first; the others follow a millisecond apart, in order
  /// @return for each decision its plans; empty if the cluster has changed meanwhile
  List<Optional<List<Assumed>>> assume(
      List<Decision.Withdraw> withdrawn, List<Decision.Reserve> decisions, Instant until) {
    limits.tidy();
    var orphans = new ArrayList<OrphanedVictim>(0);
    withdrawn.forEach(each -> withdraw(each, orphans));
    var kept = new ArrayList<List<PodRecord>>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      kept.add(keep(decisions.get(i), until.plusMillis(i)));
    }
    for (int i = 0; i < decisions.size(); i++) {
      if (kept.get(i).isEmpty()) {
        pods.stay(victims(decisions.get(i)));
      }
    }
    rooms.settle();
    boolean undone = true;
    while (undone) { // who does not fit takes his victims' leaving from others
      undone = false;
      for (int i = 0; i < kept.size(); i++) {
        boolean holds = allFit(kept.get(i)) || inherit(kept.get(i), orphans);
        if (!holds || countsOnAnyWhoStays(kept.get(i))) {
          kept.get(i).forEach(this::undo);
          kept.set(i, List.of());
          rooms.settle();
          undone = true;
        }
      }
    }
    kept.forEach(preemptors -> preemptors.forEach(limits::letsIn));
    var results = new ArrayList<Optional<List<Assumed>>>(kept.size());
    for (var preemptors : kept) {
      var assumed = new ArrayList<Assumed>(preemptors.size());
      preemptors.forEach(
          preemptor -> assumed.add(new Assumed(preemptor.pod, preemptor.state.kept())));
      results.add(preemptors.isEmpty() ? Optional.empty() : Optional.of(assumed));
    }
    return results;
  }

  /// Takes over victims of withdrawn plans as far as these plans need their room. A deleted pod
  /// that keeps running is not taken over: an eviction would release nothing sooner.
  ///
  /// @return whether all of the plans fit then
  private boolean inherit(List<PodRecord> preemptors, List<OrphanedVictim> orphans) {
    for (OrphanedVictim each : orphans) {
      PodRecord victim = each.victim;
      if (!victim.isGoing() && !victim.pod.life().runsOn() && isBesideAny(victim, preemptors)) {
        pods.move(victim, each.again);
        markVictims(List.of(victim), preemptors, false);
        rooms.settle();
        if (allFit(preemptors)) {
          return true;
        }
      }
    }
    return false;
  }

  /// Whether a pod that was to be evicted stays below a limit that admitted these plans only
  /// because evictions were expected.
  private boolean countsOnAnyWhoStays(List<PodRecord> preemptors) {
    return pods.anyStays(victim ->
        preemptors.stream()
            .anyMatch(other -> other.afterOthers && limits.isSharedBy(victim, other)));
  }

  /// Gives back plans that a limit may have admitted only because of a victim that stays after all:
  /// its preemptor's plan has ended. They are planned anew.
  ///
  /// @return whether there were any
  boolean giveBackMisled() {
    boolean any = false;
    for (var stays = pods.nextWhoStays(); stays.isPresent(); stays = pods.nextWhoStays()) {
      for (PodRecord plan : limits.letInFor(stays.get())) {
        if (plan.isPlanned()) { // else it went with its block
          var _ = pods.giveBack(plan, new PlanEnd(Way.MISLED));
          any = true;
        }
      }
    }
    return any;
  }

  private static boolean isBesideAny(PodRecord victim, List<PodRecord> preemptors) {
    boolean beside = false;
    for (PodRecord preemptor : preemptors) {
      beside |= preemptor.charge.node() == victim.charge.node();
    }
    return beside && victim.charge.node() != NodeUsage.NOWHERE;
  }

  /// The pods of the decision; empty if one of them can no longer be planned.
  private List<PodRecord> keep(Decision.Reserve decision, Instant until) {
    var all = new ArrayList<Reserved>(decision.block());
    all.addAll(decision.surplus());
    var preemptors = new ArrayList<PodRecord>(all.size());
    for (Reserved reserved : all) {
      var entry = pods.find(reserved.uid()).filter(Reservations::mayBePlanned);
      if (entry.isEmpty()) {
        return List.of();
      }
      preemptors.add(entry.get());
    }
    for (int i = 0; i < all.size(); i++) {
      check(preemptors.get(i), all.get(i).placement());
    }
    keep(decision, preemptors, all, until);
    markVictims(decision, preemptors);
    return preemptors;
  }

  /// The victims of a decision that the ledger still has.
  private List<PodRecord> victims(Decision.Reserve decision) {
    var victims = new ArrayList<PodRecord>(decision.victims().size());
    for (Decision.Victim victim : decision.victims()) {
      pods.find(victim.uid()).ifPresent(victims::add);
    }
    return victims;
  }

  private static boolean allFit(List<PodRecord> preemptors) {
    for (PodRecord preemptor : preemptors) {
      if (!fits(preemptor)) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBePlanned(PodRecord entry) {
    return entry.ours && entry.standing instanceof Standing.Waiting;
  }

  private void keep(
      Decision.Reserve decision, List<PodRecord> preemptors, List<Reserved> all, Instant until) {
    int size = decision.block().size();
    String gang = size > 1 ? gang(preemptors.getFirst().pod.uid(), until) : "";
    ChargedTo chargedTo = pods.chargedTo(preemptors.getFirst());
    var awaited = decision.awaited().stream().flatMap(uid -> pods.find(uid).stream()).toList();
    for (int i = 0; i < all.size(); i++) {
      PodRecord preemptor = preemptors.get(i);
      Placement placement = all.get(i).placement();
      boolean inBlock = i < size && size > 1;
      preemptor.end = PlanEnd.UNSAID;
      preemptor.afterOthers = decision.afterOthers();
      preemptor.awaited = awaited;
      var plan =
          new WrittenPlan(placement, inBlock ? gang : "", inBlock ? size : 1, until, chargedTo);
      pods.apply(preemptor, new PodEvent.Assume(plan));
    }
  }

  /// A name that no other block has at the same time, not even one of another leader.
  private static String gang(PodUid first, Instant until) {
    return Long.toString(until.toEpochMilli(), 36)
        + "-"
        + Integer.toHexString(first.value().hashCode());
  }

  private static void check(PodRecord preemptor, Placement placement) {
    var devices = preemptor.pod.asks().request().devices();
    int slots = devices.isShare() ? devices.count() : 0;
    if (placement.isNone() || placement.slots().size() != slots) {
      throw new IllegalArgumentException(
          "no place for " + preemptor.pod.key() + ", which asks for " + devices + ": " + placement);
    }
  }

  private void markVictims(Decision.Reserve decision, List<PodRecord> preemptors) {
    var victims = new ArrayList<PodRecord>(decision.victims().size());
    for (Decision.Victim victim : decision.victims()) {
      pods.find(victim.uid())
          .ifPresent(entry -> {
            pods.move(entry, victim.again());
            victims.add(entry);
          });
    }
    markVictims(victims, preemptors, decision.firm());
  }

  private void markVictims(List<PodRecord> victims, List<PodRecord> preemptors, boolean firm) {
    var markVictims = new VictimOf(preemptors, firm);
    for (PodRecord victim : victims) {
      victim.victimOf.removeIf(past -> !past.holds());
      victim.victimOf.add(markVictims);
      limits.makesWay(victim);
      if (victim.charge.node() != NodeUsage.NOWHERE) {
        victim.charge.node().markVictims(victim);
      }
    }
    for (PodRecord preemptor : preemptors) {
      preemptor.victims.addAll(victims);
      failedPlans.begins(preemptor);
    }
    victims.forEach(pods::refresh);
  }

  private static boolean fits(PodRecord preemptor) {
    NodeUsage node = preemptor.charge.node();
    for (int index : preemptor.seat.slots()) {
      if (!node.mayBeJoined(index)) {
        return false;
      }
    }
    return node.holdsInTheEnd(preemptor);
  }

  private void undo(PodRecord preemptor) {
    preemptor.end = new PlanEnd(Way.NEVER_KEPT);
    pods.apply(preemptor, new PodEvent.Undo());
  }

  /// Renews the deadline of plans that are about to be written, all or none: binding begins now.
  Optional<List<Assumed>> renew(List<Assumed> block, Instant until) {
    var entries = new ArrayList<PodRecord>(block.size());
    for (Assumed assumed : block) {
      var entry =
          pods.find(assumed.pod().uid())
              .filter(PodRecord::isPlanned)
              .filter(pod -> !pod.isBinding() && pod.state.kept().equals(assumed.plan()));
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      entries.add(entry.get());
    }
    var renewed = new ArrayList<Assumed>(block.size());
    for (PodRecord entry : entries) {
      pods.apply(entry, new PodEvent.Ungate(until));
      renewed.add(new Assumed(entry.pod, entry.state.kept()));
    }
    return Optional.of(renewed);
  }

  /// Gives back plans of a group whose gates are all still closed, or none of them; where gates may
  /// be open, those of which none is being written.
  ///
  /// A plan that is kept keeps its part of a limit: plans that counted on that part are misled.
  ///
  /// @param orphans is told who was to leave for them
  private void withdraw(Decision.Withdraw decision, List<OrphanedVictim> orphans) {
    var entries = new ArrayList<PodRecord>();
    for (Decision.Withdrawn each : decision.plans()) {
      var entry =
          pods.find(each.uid())
              .filter(PodRecord::isPlanned)
              .filter(pod -> pod.plan().equals(each.plan()))
              .filter(pod -> decision.opened() ? !pod.isAdmitted() : isMerelyPlanned(pod));
      if (entry.isEmpty()) {
        for (Decision.Withdrawn all : decision.plans()) {
          pods.find(all.uid()).ifPresent(stays -> pods.stay(List.of(stays)));
        }
        return;
      }
      entries.add(entry.get());
    }
    var end = new PlanEnd(decision.opened() ? Way.WITH_ITS_GROUP : Way.GAVE_WAY);
    for (PodRecord entry : entries) {
      if (entry.isPlanned()) { // else it went with its block
        entry.victims.forEach(victim -> orphans.add(new OrphanedVictim(victim, victim.again)));
        var _ = pods.giveBack(entry, end);
      }
    }
    if (decision.opened()) {
      return; // it lost bound members; it did not yield to a group before it
    }
    // mostly one group, but a pod may have changed its group since the snapshot
    entries.stream().map(PodRecord::account).distinct().forEach(pods::gaveWay);
  }

  private static boolean isMerelyPlanned(PodRecord pod) {
    return !pod.isBinding() && !pod.isUngating() && pod.pod.isGated();
  }

  /// Gives back plans that still stand and are not being written, each with its block.
  List<Assumed> giveBack(List<Decision.Withdrawn> plans) {
    var given = new ArrayList<Assumed>();
    var end = new PlanEnd(Way.BEYOND_ITS_QUEUE);
    for (Decision.Withdrawn each : plans) {
      standing(each.uid(), each.plan()).ifPresent(entry -> given.addAll(pods.giveBack(entry, end)));
    }
    return given;
  }

  private Optional<PodRecord> standing(PodUid uid, WrittenPlan plan) {
    return pods.find(uid)
        .filter(pod -> pod.isPlanned() && !pod.isAdmitted())
        .filter(pod -> pod.plan().equals(plan));
  }

  boolean forget(PodUid uid, WrittenPlan plan, String words) {
    var entry = standing(uid, plan);
    entry.ifPresent(planned -> pods.giveBack(planned, new PlanEnd(Way.REFUSED, words)));
    return entry.isPresent();
  }

  /// Gives back the plans whose victim is spared.
  List<Assumed> spare(PodRecord victim) {
    var given = new ArrayList<Assumed>(0);
    for (VictimOf markVictims : List.copyOf(victim.victimOf)) {
      for (var beneficiary = markVictims.beneficiary();
          beneficiary.isPresent();
          beneficiary = markVictims.beneficiary()) {
        if (beneficiary.get().isBinding()) {
          break; // it has room beside the victim
        }
        given.addAll(pods.giveBack(beneficiary.get(), new PlanEnd(Way.VICTIM_STAYS)));
      }
    }
    return given;
  }

  List<Assumed> expire(Instant now) {
    var expired = new ArrayList<Assumed>(0);
    for (var entry = pods.lapsed(now); entry.isPresent(); entry = pods.lapsed(now)) {
      if (!isPatient(entry.get(), now)) {
        expired.addAll(pods.giveBack(entry.get(), new PlanEnd(lapsing(entry.get()))));
      }
    }
    return expired;
  }

  /// Keeps a plan past its deadline while a disruption budget rejects one of its victims: if it
  /// lapsed, the room of victims that have left would go to another group.
  private boolean isPatient(PodRecord entry, Instant now) {
    if (lapsing(entry) != Way.WAITED) {
      return false;
    }
    var refused = Instant.MIN;
    for (PodRecord victim : entry.victims) {
      boolean isLater = LimitHeadroom.isToBeAsked(victim) && victim.refusedAt.isAfter(refused);
      refused = isLater ? victim.refusedAt : refused;
    }
    if (refused.equals(Instant.MIN) || !refused.plus(ASKED_AGAIN).isAfter(now)) {
      return false;
    }
    entry.patient = refused.plus(ASKED_AGAIN);
    pods.refresh(entry);
    return true;
  }

  private static Way lapsing(PodRecord entry) {
    if (entry.isAdmitted()) {
      return Way.IN_DOUBT;
    }
    return entry.pod.isGated() && !entry.isUngating() ? Way.WAITED : Way.LAPSED;
  }

  /// Gives back blocks of which only some members have their plan written, and plans of single
  /// members.
  List<Assumed> giveBackIncomplete(Iterable<PodRecord> incomplete) {
    var given = new ArrayList<Assumed>(0);
    for (PodRecord entry : incomplete) {
      if (entry.isPlanned()) {
        given.addAll(pods.giveBack(entry, new PlanEnd(Way.LEFT_BY_ANOTHER)));
      }
    }
    return given;
  }

  /// Gives back plans whose room another scheduler has taken, the last in order first, until the
  /// others fit. (Other schedulers see a plan only once it is bound or has holders.)
  List<Assumed> collapse() {
    var collapsed = new ArrayList<Assumed>(0);
    var next = rooms.crowdedAfter(NodeName.NONE);
    while (next.isPresent()) {
      NodeUsage node = next.get();
      for (PodRecord plan : node.plansFromTheLast()) {
        if (plan.isPlanned() && !node.holdsInTheEnd(plan)) {
          var end = new PlanEnd(Way.CROWDED_OUT, "others took its room");
          collapsed.addAll(pods.giveBack(plan, end));
        }
      }
      next = rooms.crowdedAfter(node.name);
    }
    return collapsed;
  }

  /// Gives back plans of a node whose holders have not reported their GPUs.
  List<Assumed> giveBackUnheld(NodeName node) {
    var given = new ArrayList<Assumed>(0);
    for (PodRecord plan : rooms.find(node).plansFromTheLast()) {
      if (plan.isPlanned() && !unheld(plan).isEmpty()) {
        given.addAll(pods.giveBack(plan, new PlanEnd(Way.NODE_IN_TROUBLE)));
      }
    }
    return given;
  }

  BindCommit commit(PodUid uid, NodeName node, boolean admitted) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return new BindCommit.Refused(BindCommit.Why.UNKNOWN_POD, NodeName.NONE);
    }
    PodRecord entry = found.get();
    return switch (entry.standing) {
      case Standing.Over _ -> new BindCommit.Refused(BindCommit.Why.OVER, NodeName.NONE);
      case Standing.Bound(Placement placement) -> bound(placement, node);
      case Standing.Leaving(Placement placement, _, _) -> bound(placement, node);
      case Standing.Waiting _, Standing.Awaited _ ->
          new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE);
      case Standing.Planned(WrittenPlan plan, boolean _) -> commit(entry, plan, node, admitted);
    };
  }

  private static BindCommit bound(Placement placement, NodeName node) {
    return placement.node().equals(node)
        ? new BindCommit.AlreadyBound()
        : new BindCommit.Refused(BindCommit.Why.BOUND_ELSEWHERE, placement.node());
  }

  private BindCommit commit(PodRecord entry, WrittenPlan plan, NodeName node, boolean admitted) {
    NodeName planned = plan.placement().node();
    if (!planned.equals(node)) {
      return new BindCommit.Refused(BindCommit.Why.OTHER_NODE, planned);
    }
    if (!entry.charge.node().holdsNow(entry)) {
      return new BindCommit.Refused(BindCommit.Why.NO_ROOM, planned);
    }
    if (!entry.isUngating()) { // its gate is open since an earlier plan
      if (!othersMadeWay(entry)) {
        return new BindCommit.AwaitsVictims(plan);
      }
      if (isBeforeItsCore(entry)) {
        return new BindCommit.AwaitsBlock(plan);
      }
    }
    var unheld = unheld(entry);
    if (!unheld.isEmpty()) {
      return new BindCommit.AwaitsHolders(plan, unheld);
    }
    pods.apply(entry, new PodEvent.Commit(admitted || plan.size() <= 1));
    var devices = new ArrayList<String>(entry.seat.slots().size());
    for (int index : entry.seat.slots()) {
      devices.add(slot(entry, index).uuid());
    }
    return new BindCommit.Ready(plan, devices);
  }

  private static SharedDevice slot(PodRecord entry, int index) {
    return entry.charge.node().slots.getOrDefault(index, new SharedDevice(index));
  }

  private static List<Integer> unheld(PodRecord entry) {
    var unheld = new ArrayList<Integer>(0);
    for (int index : entry.seat.slots()) {
      if (slot(entry, index).holder() != Holder.REPORTED) {
        unheld.add(index);
      }
    }
    return unheld;
  }

  boolean isClear(PodUid uid) {
    return pods.find(uid)
        .filter(PodRecord::isPlanned)
        .filter(entry -> entry.charge.node().holdsNow(entry) && unheld(entry).isEmpty())
        .filter(this::othersMadeWay)
        .filter(entry -> !isBeforeItsCore(entry))
        .isPresent();
  }

  /// Whether a block of its group has not started, and it is not in that block: a surplus member
  /// does not run while the minimum waits for victims or GPUs and may never start.
  private static boolean isBeforeItsCore(PodRecord entry) {
    return entry.plan().size() <= 1 && entry.group.hasBlockToStart();
  }

  /// Plans with closed gates that wait for evictions.
  List<MakingWay> makingWay(Collection<PodUid> planned) {
    var all = new ArrayList<MakingWay>(0);
    for (PodUid uid : planned) {
      pods.find(uid)
          .filter(PodRecord::isBehindItsGate)
          .flatMap(this::makingWay)
          .ifPresent(all::add);
    }
    return all;
  }

  private Optional<MakingWay> makingWay(PodRecord entry) {
    boolean hasRoom = entry.charge.node().holdsNow(entry);
    var leaving = new LinkedHashSet<PodRecord>();
    var left = new ArrayList<PodUid>();
    for (PodRecord victim : entry.victims) {
      boolean gone = victim.charge.node() == NodeUsage.NOWHERE;
      if (gone) {
        left.add(victim.pod.uid());
      }
      if (!gone && (!hasRoom || entry.minds() || LimitHeadroom.isToBeAsked(victim))) {
        leaving.add(victim);
      }
    }
    if (entry.afterOthers) {
      leaving.addAll(limits.toBeAskedFor(entry));
    }
    entry.awaited.stream().filter(Reservations::mayRun).forEach(leaving::add);
    if (hasRoom && leaving.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new MakingWay(
            entry.account().key,
            entry.pod.uid(),
            entry.plan().placement().node(),
            leaving.stream().map(victim -> victim.pod).toList(),
            left));
  }

  private boolean othersMadeWay(PodRecord entry) {
    return (!entry.minds() || haveLeft(entry.victims))
        && waitsForNobodyToBeAsked(entry)
        && entry.awaited.stream().noneMatch(Reservations::mayRun);
  }

  /// A victim may leave because of a limit, even if there is room beside it. So it counts until it
  /// is evicted, for its preemptor and for all plans that the limit admits only then: once the
  /// preemptor is bound, the victim would no longer be evicted.
  private boolean waitsForNobodyToBeAsked(PodRecord entry) {
    for (PodRecord victim : entry.victims) {
      if (LimitHeadroom.isToBeAsked(victim)) {
        return false;
      }
    }
    return !entry.afterOthers || !limits.isAnyToBeAskedFor(entry);
  }

  /// A kubelet that responds ends a deleted pod within its grace, even if finalizers keep the
  /// object.
  private static boolean mayRun(PodRecord entry) {
    var node = entry.charge.node();
    return node != NodeUsage.NOWHERE && node.isReady();
  }

  private static boolean haveLeft(List<PodRecord> victims) {
    for (PodRecord victim : victims) {
      if (victim.charge.node() != NodeUsage.NOWHERE) {
        return false;
      }
    }
    return true;
  }

  boolean confirm(PodUid uid, Placement placement) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return false;
    }
    PodRecord entry = found.get();
    Placement kept = entry.plan().placement();
    boolean told = !placement.slots().isEmpty() || !kept.node().equals(placement.node());
    var chargedTo = entry.chargedTo();
    pods.isBound(entry.account());
    pods.apply(entry, new PodEvent.Confirm(told ? placement : kept, chargedTo));
    return true;
  }

  boolean doubt(PodUid uid, Instant until) {
    return applyWhileBinding(uid, new PodEvent.Doubt(until));
  }

  boolean release(PodUid uid) {
    return applyWhileBinding(uid, new PodEvent.Release());
  }

  private boolean applyWhileBinding(PodUid uid, PodEvent event) {
    var found = pods.find(uid).filter(PodRecord::isBinding);
    found.ifPresent(entry -> pods.apply(entry, event));
    return found.isPresent();
  }
}
