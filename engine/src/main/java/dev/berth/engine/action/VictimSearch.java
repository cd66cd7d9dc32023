package dev.berth.engine.action;

import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.Protectors;
import dev.berth.engine.fairness.Protectors.Lack;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Spared;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.MinimalVictims;
import dev.berth.engine.victims.SearchContext;
import dev.berth.engine.victims.SearchVerdict;
import dev.berth.engine.victims.TrialCondition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/// An action that has others leave: each preemptor is tried once, in queue order, with its next
/// step.
final class VictimSearch {
  private final Round round;
  private final List<Group> preemptors;
  private final MinimalVictims victims;
  private final Protectors protectors;
  private final boolean isAnyProtected;
  private final Predicate<Group> hasVictims;

  /// Whether others may leave for a preemptor, and the search if so.
  interface Attempt {
    void on(Group preemptor, PlacementStep step);
  }

  private VictimSearch(Round round, List<Group> preemptors, Predicate<Group> hasVictims) {
    this.round = round;
    this.preemptors = preemptors;
    this.hasVictims = hasVictims;
    this.protectors = new Protectors(round.session(), round.candidates());
    this.isAnyProtected =
        !preemptors.isEmpty()
            && (round.session().budgets().coverAnyPod()
                || MinRuntimes.protectsAnyPod(round.session()));
    this.victims =
        new MinimalVictims(
            SearchContext.of(
                round.session(),
                round.shares(),
                round.blocks(),
                round.budget(),
                new PendingGroups(round.session(), preemptors),
                round.candidates(),
                round.progress()),
            round.wideFrom());
  }

  static VictimSearch in(Round round) {
    return in(round, _ -> true);
  }

  /// @param hasVictims whether there may be any candidate for a preemptor. As long as no plan of
  ///   this round left room, nothing comes of the others
  static VictimSearch in(Round round, Predicate<Group> hasVictims) {
    var session = round.session();
    var preemptors = preemptors(session);
    if (!preemptors.isEmpty()) {
      round.candidates().lineUp();
      if (session.preemptors().all().isEmpty()) {
        preemptors.removeIf(
            each -> !hasVictims.test(each) && MinRuntimes.mayTakeVictims(session, each));
      }
    }
    return new VictimSearch(round, preemptors, hasVictims);
  }

  /// Groups that wait for themselves. A group with a victim of this round, or with a relocated pod
  /// that is not gone yet, is no preemptor in it: its pods are still there, and others will come in
  /// their place.
  private static List<Group> preemptors(Session session) {
    var preemptors = new ArrayList<>(session.waiting());
    preemptors.removeIf(group -> group.isLosing() || group.isMoving());
    return preemptors;
  }

  void each(Attempt attempt) {
    var session = round.session();
    var order = round.orders().over(preemptors);
    var cancellation = round.cancellation();
    for (var next = order.next();
        next.isPresent() && !cancellation.dropsPlan();
        next = order.next()) {
      Group preemptor = next.get();
      if (isHeldUp(preemptor)) {
        continue;
      }
      if (MinRuntimes.mayTakeVictims(session, preemptor)) {
        preemptor.next().ifPresent(step -> attempt.on(preemptor, step));
      } else if (preemptor.group().takesVictims()) {
        insteadOfRoom(preemptor, room -> MinRuntimes.delay(session, preemptor, room));
      } else if (!round.candidates().isEmpty() && hasVictims.test(preemptor)) {
        insteadOfRoom(preemptor, Reason.NeverPreempts::new);
      }
    }
  }

  /// There is room for it, and it may not have it: no pod needs to leave.
  private boolean isHeldUp(Group preemptor) {
    return round
        .session()
        .reason(preemptor)
        .filter(reason ->
            reason instanceof Reason.WouldDelay
                || reason instanceof Reason.HeldForHead
                || reason instanceof Reason.BorrowingBackoff
                || reason instanceof Reason.VolumesOverdue)
        .isPresent();
  }

  /// Says more than that there is no room, where that was all that was said and pods that leave
  /// could make it.
  void insteadOfRoom(Group preemptor, Function<NoRoom, Reason> more) {
    var session = round.session();
    session
        .reason(preemptor)
        .ifPresent(reason -> {
          if (reason instanceof NoRoom room && room.mayBeMade()) {
            session.waits(preemptor, more.apply(room));
          }
        });
  }

  /// Reports it where the pods that could make room are protected for a while, or by disruption
  /// budgets, and the others could not: also where it was said that no other queue has to make any.
  /// The plan then tells that the preemptor waits for a min-runtime of those queues: what is
  /// protected and could not make the room keeps nothing from it.
  ///
  /// @param asked those of them that may lose something but for that
  /// @param keeps what budgets keep of those
  /// @param spareEnds when a group is spared no longer; `MAX` = that is not known
  void tellProtection(Asked asked, BudgetsKeep keeps, Function<Group, Instant> spareEnds) {
    if (isAnyProtected) {
      lacking(asked.preemptor())
          .ifPresent(room ->
              asked
                  .preemptor()
                  .next()
                  .ifPresent(
                      step -> tellProtection(asked, room, Lack.of(step.all()), keeps, spareEnds)));
    }
  }

  private void tellProtection(
      Asked asked, NoRoom room, Lack lack, BudgetsKeep keeps, Function<Group, Instant> spareEnds) {
    var told = protectors.of(asked, lack, round.blocks().allowedTo(lack.first()), spareEnds);
    told.sparedQueues()
        .forEach(q -> round.session().preemptors().addMinRuntimeWait(asked.preemptor(), q));
    if (isTold(asked.preemptor())) {
      return;
    }
    if (told.kept() > 0) {
      tell(
          asked,
          new Reason.BudgetsForbid(
              room,
              told.kept(),
              told.budgets(),
              told.notRead(),
              keeps,
              new Spared(told.spared(), told.until())));
    } else if (told.spared() > 0) {
      tell(asked, new Reason.VictimsProtected(room, told.spared(), told.until()));
    }
  }

  private void tell(Asked asked, Reason reason) {
    round.session().waits(asked.preemptor(), reason);
  }

  /// Whether another action has told it that pods are protected.
  private boolean isTold(Group preemptor) {
    return round
        .session()
        .reason(preemptor)
        .filter(reason ->
            reason instanceof Reason.VictimsProtected || reason instanceof Reason.BudgetsForbid)
        .isPresent();
  }

  /// What lacks, if pods that leave could make it.
  private Optional<NoRoom> lacking(Group preemptor) {
    return round
        .session()
        .reason(preemptor)
        .flatMap(reason ->
            switch (reason) {
              case NoRoom room -> Optional.of(room);
              case Reason.FairShareReached reached -> Optional.of(reached.room());
              case Reason.NothingToTakeBack nothing -> Optional.of(nothing.room());
              case Reason.VictimsProtected spared -> Optional.of(spared.room());
              case Reason.BudgetsForbid kept -> Optional.of(kept.room());
              default -> Optional.empty();
            })
        .filter(NoRoom::mayBeMade);
  }

  /// Whether the candidates could make room for a preemptor, were none of them protected. False
  /// where that is not known.
  boolean mayMakeRoom(Asked asked) {
    return asked
        .preemptor()
        .next()
        .map(step -> Lack.of(step.all()))
        .filter(lack -> protectors.mayMakeRoom(asked, lack, round.blocks().allowedTo(lack.first())))
        .isPresent();
  }

  /// Finds room for a preemptor, if the candidates can make it.
  SearchVerdict makeRoom(Asked asked, Cause cause, TrialCondition agreement) {
    return victims.makeRoom(asked, cause, agreement);
  }
}
