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
/// A plan may count on room that is still being left, by pods that are leaving, by the victims of
/// its own decision, and by the victims of earlier ones whose plans still stand; it becomes *clear*
/// when that room is there, and its victims and those who make way below the same limit are gone,
/// or on their way at least. Plans stand in line for room by their deadlines: a later plan does not
/// keep an earlier one from being clear.
final class Reservations {
  /// Whom the API server refuses to evict is asked again sooner than that, or given up.
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

  /// Who was to leave for a plan that is given back, and where it was placed again.
  private record OrphanedVictim(PodRecord victim, Placement again) {}

  /// Keeps plans that were made together: each may count on the victims of all, and on those who
  /// leave for a plan that is given back for them.
  ///
  /// @param withdrawn plans that lose their room to these, or to nobody we know yet
  /// @param until the deadline of the first; those that follow stand behind it in line
  /// @return for each decision its plans; empty where the world has moved on
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

  /// Those who were to leave for a plan that was given back leave for this one, as far as it needs
  /// their room. A pod that is deleted and runs on does not: an eviction frees nothing sooner.
  ///
  /// @return whether all of it fits then
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

  /// Whether some of those who were to leave stay now, below a limit that lets the preemptors in
  /// only after others: it may have been for these.
  private boolean countsOnAnyWhoStays(List<PodRecord> preemptors) {
    return pods.anyStays(victim ->
        preemptors.stream()
            .anyMatch(other -> other.afterOthers && limits.isSharedBy(victim, other)));
  }

  /// Gives back plans that a limit may have let in for somebody's leaving who stays after all,
  /// since the plan that he was to leave for ended: they are made anew over what is true then.
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

  /// Empty where somebody in it may not be planned any more.
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

  /// Those who were to leave for a decision, as far as they are known.
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

  /// No two blocks that stand at the same time bear the same name, nor do those of two leaders.
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

  /// Moves the deadline of plans that are about to be written, all or none: the way from the gate
  /// to the binding begins only now.
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
  /// Whoever keeps his plan stays, for others who count on his part of a limit.
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
      return; // it lost members that were bound, and gave way to nobody before it
    }
    // mostly one, but some may have changed theirs since the snapshot
    entries.stream().map(PodRecord::account).distinct().forEach(pods::gaveWay);
  }

  private static boolean isMerelyPlanned(PodRecord pod) {
    return !pod.isBinding() && !pod.isUngating() && pod.pod.isGated();
  }

  /// Gives back those that still stand and are not being written, each with its block.
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

  /// Gives back the plans for which somebody was to leave.
  List<Assumed> spare(PodRecord victim) {
    var given = new ArrayList<Assumed>(0);
    for (VictimOf markVictims : List.copyOf(victim.victimOf)) {
      for (var beneficiary = markVictims.beneficiary();
          beneficiary.isPresent();
          beneficiary = markVictims.beneficiary()) {
        if (beneficiary.get().isBinding()) {
          break; // it has its room beside the victim
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

  /// Where a budget refuses one victim after others have left, or is about to be overruled, a plan
  /// that lapses would leave their room to whoever comes next.
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

  /// Gives back blocks of which only some members bear their plan, and plans of members alone.
  List<Assumed> giveBackIncomplete(Iterable<PodRecord> incomplete) {
    var given = new ArrayList<Assumed>(0);
    for (PodRecord entry : incomplete) {
      if (entry.isPlanned()) {
        given.addAll(pods.giveBack(entry, new PlanEnd(Way.LEFT_BY_ANOTHER)));
      }
    }
    return given;
  }

  /// Gives back plans whose room somebody else has taken for good, the last in line first, until
  /// the others hold. (Another scheduler sees our plans only once they are bound, or held.)
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

  /// Gives back the plans of a node whose holders have not told their devices.
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

  /// Whether a block of its group, to which it does not belong, is to start yet: a member that the
  /// group can do without does not run while the minimum waits, for others who leave or for its
  /// devices, and may never come.
  private static boolean isBeforeItsCore(PodRecord entry) {
    return entry.plan().size() <= 1 && entry.group.hasBlockToStart();
  }

  /// Of plans behind their gates those that wait for others to leave.
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

  /// There may be room beside a victim, and yet he leaves for a reason: the limit of his queue, or
  /// of one above. So he counts until he is on his way, for his preemptor and for all whom that
  /// limit lets in only after others: once the preemptor is bound nobody asks him any more.
  private boolean waitsForNobodyToBeAsked(PodRecord entry) {
    for (PodRecord victim : entry.victims) {
      if (LimitHeadroom.isToBeAsked(victim)) {
        return false;
      }
    }
    return !entry.afterOthers || !limits.isAnyToBeAskedFor(entry);
  }

  /// A kubelet that answers ends a deleted pod with its grace, whatever finalizers keep its object.
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
