package dev.berth.engine;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.Reason;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import dev.berth.engine.session.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What a round decides: its session, told as a list of decisions.
final class RoundDecisions {
  private final PlannerSettings settings;
  private final Session session;

  RoundDecisions(PlannerSettings settings, Session session) {
    this.settings = settings;
    this.session = session;
  }

  /// First the plans that give room back; then at most one decision for each group: those whose
  /// room is free now; then those with victims, in the order in which they were made (each counts
  /// on what those before it left); then the others.
  List<Decision> all() {
    var victims = victims();
    var lots = new ArrayList<Lot>();
    for (Group group : session.index().involved()) {
      lots.add(Lot.of(group, session.preemptors().contains(group), victims));
    }
    var line = QueuePosition.of(session);
    var limits = LimitsUntilGone.of(session);
    var decisions = new ArrayList<Decision>();
    for (Lot lot : lots) {
      if (lot.anew || lot.group.seats().stream().anyMatch(MemberState::isWithdrawn)) {
        decisions.add(withdraw(lot));
      }
    }
    for (Lot lot : lots) {
      if (lot.isAtOnce() && !session.preemptors().contains(lot.group)) {
        decision(line, limits, lot).ifPresent(decisions::add);
      }
    }
    for (Group group : session.preemptors().all()) {
      decision(line, limits, Lot.of(group, true, victims)).ifPresent(decisions::add);
    }
    for (Lot lot : lots) {
      if (!lot.isAtOnce() && !session.preemptors().contains(lot.group)) {
        decision(line, limits, lot).ifPresent(decisions::add);
      }
    }
    return decisions;
  }

  /// What comes of a round for one group.
  ///
  /// @param anew whether its tentative plans must be withdrawn, as a preceding group takes their
  ///   room, even if it is placed on the same nodes again
  /// @param placed members that get a place, or get it anew
  /// @param victims the pods that leave for it
  /// @param awaited that it starts only with members that are still terminating elsewhere
  private record Lot(
      Group group,
      boolean anew,
      List<MemberState> placed,
      List<Victim> victims,
      Optional<Reason> awaited) {
    static Lot of(Group group, boolean claims, Map<GroupKey, List<Victim>> victims) {
      var mine = victims.getOrDefault(group.key(), Collections.emptyList());
      boolean more = group.seats().stream().anyMatch(MemberState::isNew);
      boolean anew = group.isBroken() || claims && group.isTentative() && !more && !mine.isEmpty();
      var placed = new ArrayList<MemberState>();
      for (MemberState seat : group.seats()) {
        if (seat.isNew() || anew && seat.was() == MemberState.Was.TENTATIVE && seat.isPlaced()) {
          placed.add(seat);
        }
      }
      var awaited = group.awaited();
      return new Lot(
          group, anew, awaited.isEmpty() ? placed : Collections.emptyList(), mine, awaited);
    }

    /// Whether it gets new places, and none of them must be left by others first.
    boolean isAtOnce() {
      boolean waits = false;
      for (MemberState seat : placed) {
        waits |= seat.waits();
      }
      return !placed.isEmpty() && !waits;
    }
  }

  /// The leaving pods, by their beneficiary.
  private TreeMap<GroupKey, List<Victim>> victims() {
    var victims = new TreeMap<GroupKey, List<Victim>>();
    for (Group group : session.index().involved()) {
      for (MemberState seat : group.seats()) {
        if (seat.isVictim()) {
          victims.computeIfAbsent(seat.beneficiary(), _ -> new ArrayList<>()).add(victim(seat));
        }
      }
    }
    return victims;
  }

  private Victim victim(MemberState seat) {
    var pod = seat.pod();
    return new Victim(
        pod.uid(),
        pod.key(),
        seat.cause(),
        seat.beneficiary(),
        grace(seat),
        session.placement(seat.now()),
        session.budgets().isAgainst(seat),
        seat.cause() == Decision.Cause.MAX_RUNTIME
            ? MaxRuntime.of(seat.group().group(), session.queues()::named)
            : MaxRuntime.NONE,
        seat.cause() == Decision.Cause.IDLE
            ? seat.group().group().spec().run().idle().rule()
            : IdleRule.NONE);
  }

  /// What is owed to another queue is not kept by a grace of a year.
  private Duration grace(MemberState seat) {
    var own = seat.pod().asks().manners().grace();
    var longest = settings.actions().reclaiming().debts().maxGracePeriod();
    return seat.cause() == Decision.Cause.RECLAIM && own.compareTo(longest) > 0 ? longest : own;
  }

  private Optional<Decision> decision(QueuePosition line, LimitsUntilGone limits, Lot lot) {
    var group = lot.group;
    var block = new ArrayList<Reserved>();
    var surplus = new ArrayList<Reserved>();
    for (MemberState seat : lot.placed) {
      (seat.isInBlock() ? block : surplus).add(reserved(seat));
    }
    if (!lot.placed.isEmpty()) {
      return Optional.of(
          new Decision.Reserve(
              group.key(),
              block,
              surplus,
              lot.victims,
              limits.needOthersToLeave(group),
              isFirm(lot),
              limits.awaitedBy(group)));
    }
    if (!lot.victims.isEmpty()) {
      return Optional.of(new Decision.Evict(group.key(), lot.victims));
    }
    boolean waits = group.lacksPlaces() || group.seats().stream().anyMatch(MemberState::isNew);
    return (waits ? lot.awaited.or(() -> session.reason(group)) : Optional.<Reason>empty())
        .map(reason -> new Decision.Wait(group.key(), reason, line.of(group)));
  }

  /// Whether preceding groups could not have evicted these victims, and would have their room all
  /// the same; and other pods would have to leave for this one. So it is where some leave for their
  /// own queue alone, and where all leave within a queue from which no other may reclaim.
  private boolean isFirm(Lot lot) {
    return isKeptFromReclaim(lot) || isAmongTheirOwn(lot);
  }

  private boolean isKeptFromReclaim(Lot lot) {
    return unplaced(lot, Decision.Cause.PREEMPT).stream()
        .anyMatch(group -> isKeptFromReclaim(group));
  }

  /// The groups that lose a pod to it. Looks at all groups that the plan changes, where it has such
  /// victims.
  private List<Group> unplaced(Lot lot, Decision.Cause cause) {
    if (lot.victims.stream().noneMatch(victim -> victim.cause() == cause)) {
      return Collections.emptyList();
    }
    return session.index().involved().stream()
        .filter(group ->
            group.seats().stream()
                .anyMatch(seat ->
                    seat.isVictim()
                        && seat.cause() == cause
                        && seat.beneficiary().equals(lot.group.key())))
        .toList();
  }

  /// Whether nothing is reclaimed at all, or a min-runtime is to keep a group from it.
  private boolean isKeptFromReclaim(Group group) {
    boolean kept = !settings.actions().reclaiming().enabled();
    for (int q : session.queues().chain(group.queue())) {
      kept |= !session.queues().queue(q).reclaimMinRuntime().isZero();
    }
    return kept;
  }

  /// Whether all groups from which it reclaims are, as it is itself, below a queue that is within
  /// its quota, so that no group outside of it may reclaim what it has; and no group below it
  /// precedes the preemptor, whose room it would be.
  private boolean isAmongTheirOwn(Lot lot) {
    var queues = session.queues();
    int top = top(queues, lot.group);
    if (top == QueueTree.NONE || top == lot.group.queue() || !isWithinQuota(queues, top)) {
      return false;
    }
    var unplaced = unplaced(lot, Decision.Cause.RECLAIM);
    return !unplaced.isEmpty()
        && unplaced.stream().allMatch(each -> each.queue() != top && top(queues, each) == top)
        && isFirstBelow(top, lot.group);
  }

  private static int top(QueueTree queues, Group group) {
    int[] chain = queues.chain(group.queue());
    return chain.length == 0 ? QueueTree.NONE : chain[chain.length - 1];
  }

  private static boolean isWithinQuota(QueueTree queues, int q) {
    boolean isWithin = true;
    for (int r = 0; r < queues.width(); r++) {
      isWithin &= queues.allocated(q, r) <= queues.quota(q, r);
    }
    return isWithin;
  }

  /// In the ordinary order of waiting groups.
  private boolean isFirstBelow(int top, Group preemptor) {
    for (Group group : session.refused()) {
      if (group == preemptor) {
        return true;
      }
      if (top(session.queues(), group) == top && !group.hasNewPlaces()) {
        return false;
      }
    }
    return true;
  }

  /// All of its plans that are not on their way yet, or those that go with members that leave.
  private static Decision withdraw(Lot lot) {
    var plans = new ArrayList<Withdrawn>();
    boolean opened = false;
    for (MemberState seat : lot.group.seats()) {
      if (seat.isWithdrawn() || lot.anew && seat.was() == MemberState.Was.TENTATIVE) {
        opened |= seat.isWithdrawn();
        plans.add(new Withdrawn(seat.pod().uid(), seat.pod().key(), seat.planned()));
      }
    }
    return new Decision.Withdraw(
        lot.group.key(), plans, opened ? Decision.Loss.WITH_MEMBERS : loss(lot));
  }

  private static Decision.Loss loss(Lot lot) {
    for (MemberState seat : lot.group.seats()) {
      if (!seat.overtakenBy().isNone()) {
        return Decision.Loss.to(seat.overtakenBy());
      }
    }
    return lot.placed.isEmpty() ? Decision.Loss.OF_ITSELF : Decision.Loss.to(lot.group.key());
  }

  private Reserved reserved(MemberState seat) {
    var pod = seat.pod();
    return new Reserved(pod.uid(), pod.key(), session.placement(seat.now()));
  }
}
