package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.Charge;
import dev.berth.engine.ledger.SharedDevice.Held;
import dev.berth.engine.ledger.pods.Effect;
import dev.berth.engine.ledger.pods.PodEvent;
import dev.berth.engine.ledger.pods.PodState;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// What follows from an event of a pod or its plan: room, standing, deadline, block and victims.
/// [dev.berth.engine.ledger.pods.Transition] decides; effects are executed here until none is left.
final class PodTransitions {
  private record Pending(PodRecord pod, Effect effect) {}

  /// Effects that are still to be executed; none, once a change is done.
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();

  private boolean settling;

  private final NodeUsageTable rooms;
  private final GroupStates groups;
  private final Vetoes vetoes;
  private final FailedPlans failedPlans;
  private final Relocations moved;
  private final Volumes volumes;
  private final PlanDeadlines deadlines = new PlanDeadlines();
  private final SparedVictims spared = new SparedVictims();

  PodTransitions(
      NodeUsageTable rooms,
      GroupStates groups,
      Vetoes vetoes,
      FailedPlans failedPlans,
      Relocations moved,
      Volumes volumes) {
    this.rooms = rooms;
    this.groups = groups;
    this.vetoes = vetoes;
    this.failedPlans = failedPlans;
    this.moved = moved;
    this.volumes = volumes;
  }

  PlanDeadlines deadlines() {
    return deadlines;
  }

  SparedVictims spared() {
    return spared;
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
            ? Optional.of(new Held(pod, pod.asks().request().amounts().cappedAt(PodStandings.MOST)))
            : Optional.empty());
    rooms.recharge(entry, PodStandings.charge(entry, rooms));
    boolean counts = !pod.isHolder() && !pod.isOver();
    rooms
        .devices()
        .allocated(pod.key(), pod.life().node(), counts ? pod.life().allocated() : List.of());
    stand(entry);
  }

  /// The seat of a pod may have changed.
  void stand(PodRecord entry) {
    Standing next = PodStandings.of(entry);
    if (!next.equals(entry.standing)) {
      boolean isPlanned = next instanceof Standing.Planned;
      if (!isPlanned && entry.node().isNone()) {
        endsUnbound(entry);
      }
      entry.standing = next;
      entry.memberChanged();
      groups.touch(entry);
    }
    if (!entry.node().isNone()) {
      moved.successorBound(entry).ifPresent(groups::touch);
    }
    groups.settle(entry);
    rooms.planned(entry, entry.isPlanned());
    deadlines.schedule(entry);
    if (!entry.isPlanned()) {
      pending.add(new Pending(entry, Effect.RELEASE_VICTIMS));
      settle();
    }
  }

  /// The plan that a pod had, if any, ends now, and is not bound.
  private void endsUnbound(PodRecord entry) {
    if (entry.standing instanceof Standing.Planned(var plan, var _)
        && volumes.wasAwaited(entry, plan)) {
      failedPlans.keptInVain(entry);
    }
  }

  /// The one way in which a plan with victims ends, bound or not, whatever ended it.
  private void ends(PodRecord entry) {
    entry.awaited = Collections.emptyMap();
    if (!failedPlans.concerns(entry)) {
      return;
    }
    if (entry.node().isNone()) {
      failedPlans.failed(entry);
    } else {
      failedPlans.bound(entry);
    }
    spare(entry);
  }

  /// No victim has to leave for a plan that ended.
  private void spare(PodRecord preemptor) {
    var victims = List.copyOf(preemptor.victims);
    preemptor.victims.clear();
    for (PodRecord victim : victims) {
      victim.victimOf.forEach(markVictims -> markVictims.end(preemptor));
      victim.victimOf.removeIf(markVictims -> !markVictims.holds());
      boolean gone = moved.isGone(victim); // and awaited, for whatever plan it left
      if (!victim.isVictim() && !victim.pod.life().leaving() && !gone) {
        moved.end(victim);
      }
      if (!victim.isGone) {
        refresh(victim);
      }
    }
    spared.add(victims);
  }

  /// Ends the plan of a pod, and of all members that were planned in one block with it and are not
  /// bound: none of them may start without the others. What is written on them counts no more. (A
  /// member that waits in the barrier finds no plan when it goes on. One whose Binding is being
  /// written while that of the other was refused, or whose room was taken behind the barrier, keeps
  /// its place: it may be bound already. Its plan ends if it is not.) Where no member of the group
  /// runs, the plans of its surplus members end too: they were to start after the block.
  ///
  /// Where kube-scheduler waits for a volume of one, its plan leads to nothing any more, but the
  /// room is not free: it is [held][PodState.Held] and charged until kube-scheduler lets go.
  ///
  /// @return the plans that ended and hold no room
  List<Assumed> giveBack(PodRecord entry, PlanEnd end) {
    String gang = entry.plan().gang();
    boolean refused = end.way() == Way.REFUSED; // so kube-scheduler does not have it
    if (refused && !entry.pod.isGated()) {
      entry.patience.letGo(entry.plan()); // not those of the others of its block
    }
    if (gang.isEmpty()) {
      return holdIfAwaited(entry) ? List.of() : List.of(drop(entry, end));
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
      if (ends && holdIfAwaited(member)) {
        continue;
      }
      if (ends && (member == entry || !member.isAdmitted())) {
        given.add(drop(member, end));
      } else if (inBlock) {
        apply(member, new PodEvent.Retain(member.plan())); // what is written counts no more
      }
    }
    entry.group.ended(gang);
    return given;
  }

  /// Holds a pod whose plan is over, where kube-scheduler keeps its room.
  ///
  /// @return whether it does
  private boolean holdIfAwaited(PodRecord entry) {
    boolean isKept =
        volumes.isAwaited(entry, entry.plan()) || volumes.mayBeAwaited(entry, entry.plan());
    if (entry.patience.hasLetGo(entry.plan()) || entry.isBinding() || !isKept) {
      return false;
    }
    apply(entry, new PodEvent.Hold(entry.plan()));
    return true;
  }

  /// Holds a pod whose plan is over where that is seen late: its claim, or its open gate, was not
  /// seen when the plan ended, or an earlier leader wrote the plan, and the pod has been deleted
  /// since and stays for a finalizer. Not where its deadline was before `since`: kube-scheduler has
  /// given up by now.
  void holdIfKept(PodRecord entry, Instant since) {
    Pod pod = entry.pod;
    if (!entry.ours
        || pod.isOver()
        || !entry.node().isNone()
        || !(entry.state instanceof PodState.Unplanned)) {
      return;
    }
    WrittenPlan written = entry.plan();
    if (!written.isNone() && !pod.life().leaving()) {
      return; // it stands
    }
    WrittenPlan ended = written.isNone() ? ended(entry) : written;
    boolean mayBeKept = !entry.patience.hasLetGo(ended) && !ended.until().isBefore(since);
    if (mayBeKept && volumes.isAwaited(entry, ended)) {
      apply(entry, new PodEvent.Hold(ended));
    }
  }

  /// The plan that it had last, of a pod that has none; that of a block that ended before the pod
  /// was seen stands on it alone.
  static WrittenPlan ended(PodRecord entry) {
    WrittenPlan dropped = entry.state.dropped();
    return dropped.isNone() ? entry.pod.written().plan() : dropped;
  }

  /// kube-scheduler has let go of a pod: its plan ends, and with it its block. Where that had ended
  /// before, so do the plans that were made meanwhile for others of its group, if no member of that
  /// runs: they counted on it.
  ///
  /// @return the plans that ended
  List<Assumed> letGo(PodRecord entry, PlanEnd end) {
    entry.patience.letGo(entry.plan());
    if (!entry.isHeld()) {
      return giveBack(entry, end);
    }
    boolean wasInBlock = entry.plan().size() > 1;
    var given = new ArrayList<Assumed>();
    given.add(drop(entry, end));
    var members = List.copyOf(entry.group.members.values());
    if (wasInBlock && members.stream().allMatch(member -> member.node().isNone())) {
      for (PodRecord member : members) {
        if (member.isPlanned() && !member.isAdmitted() && !member.isHeld()) {
          given.addAll(giveBack(member, end));
        }
      }
    }
    return given;
  }

  /// A pod goes before it was bound: those that were planned with it will not start without it. One
  /// that has reached bind may have passed the barrier with the others: they go on.
  void endItsBlock(PodRecord entry) {
    if (entry.isPlanned() && !entry.isBinding()) {
      var _ = giveBack(entry, new PlanEnd(Way.MEMBER_GONE));
    }
  }

  /// What a pod that is planned now is charged as.
  ChargedTo chargedTo(PodRecord entry) {
    return groups.chargedTo(entry);
  }

  /// Its plans were withdrawn for a group that precedes it. After some times it yields no more.
  void gaveWay(GroupState group) {
    group.gaveWay();
    groups.touch(group);
  }

  /// A member of it is bound: from now on it yields as any other group.
  void memberBound(GroupState group) {
    if (group.standsFast()) {
      groups.touch(group);
    }
    group.memberBound();
  }

  private Assumed drop(PodRecord entry, PlanEnd end) {
    entry.end = end;
    var ended = new Assumed(entry.pod, entry.plan());
    apply(entry, new PodEvent.GiveBack(entry.plan()));
    return ended;
  }

  /// Groups that wait for a relocated victim become non-yielding: otherwise the pod that takes that
  /// room (perhaps the relocated one) would be relocated again. Nor does a group with a
  /// [firm][dev.berth.engine.model.Decision.Reserve#firm] plan yield.
  void victimLeaving(PodRecord victim) {
    moved.evictionAsked(victim);
    moved.markLate(victim, Instant.MAX);
    failedPlans.left(victim);
    for (PodRecord.VictimOf markVictims : victim.victimOf) {
      if (victim.relocation.again().isNone() && !markVictims.isFirm()) {
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

  /// A pod has ended; its object may stay.
  void podEnded(PodRecord entry) {
    failedPlans.ended(entry);
  }

  /// The object of a pod is gone, and so is all that it had.
  ///
  /// @return whether another pod is awaited in its stead
  boolean podGone(PodRecord entry) {
    entry.isGone = true;
    rooms.hold(entry, Optional.empty());
    rooms.recharge(entry, Charge.NONE);
    rooms.devices().allocated(entry.pod.key(), NodeName.NONE, List.of());
    vetoes.endAllOf(entry);
    deadlines.forget(entry);
    moved.succeedsNoMore(entry);
    moved.markLate(entry, Instant.MAX); // its plan may have ended meanwhile
    boolean awaited = moved.isAwaited(entry);
    if (entry.node().isNone()) {
      endsUnbound(entry);
    }
    entry.standing =
        awaited ? new Standing.Awaited(entry.relocation.again()) : new Standing.Over(false);
    ends(entry); // its Binding may have been under way, and its plan with it
    return awaited;
  }
}
