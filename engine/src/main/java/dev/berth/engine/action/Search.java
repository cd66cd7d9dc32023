package dev.berth.engine.action;

import dev.berth.engine.fairness.LineUp;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.VictimOrder.Debtor;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Step;
import dev.berth.engine.victims.Agreement;
import dev.berth.engine.victims.Candidates;
import dev.berth.engine.victims.MinimalVictims;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/// An action that has others leave: each claimant is tried once, in queue order, with its next
/// step.
final class Search {
  private final Round round;
  private final Candidates candidates;
  private final LineUp waiting;

  /// Whether others may leave for a claimant, and the search if so.
  interface Attempt {
    void on(Group claimant, Step step);
  }

  private Search(Round round) {
    this.round = round;
    this.candidates = new Candidates(round.session());
    this.waiting = new LineUp(round.session(), Candidates.claimants(round.session()));
  }

  static Search in(Round round) {
    return new Search(round);
  }

  void each(Attempt attempt) {
    var session = round.session();
    var order = QueueOrder.of(session, round.shares(), Candidates.claimants(session));
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      Group claimant = next.get();
      if (isHeldUp(claimant)) {
        continue;
      }
      if (Patience.mayTakeVictims(session, claimant)) {
        claimant.next().ifPresent(step -> attempt.on(claimant, step));
      } else {
        insteadOfRoom(
            claimant, room -> new Reason.PreemptionDelayed(room, Patience.delayedUntil(claimant)));
      }
    }
  }

  /// There is room for it, and it may not have it: nobody needs to leave.
  private boolean isHeldUp(Group claimant) {
    return round
        .session()
        .reason(claimant)
        .filter(
            reason -> reason instanceof Reason.WouldDelay || reason instanceof Reason.HeldForHead)
        .isPresent();
  }

  /// Says more than that there is no room, where that was all that was said.
  void insteadOfRoom(Group claimant, Function<NoRoom, Reason> more) {
    var session = round.session();
    session
        .reason(claimant)
        .ifPresent(reason -> {
          if (reason instanceof NoRoom room) {
            session.waits(claimant, more.apply(room));
          }
        });
  }

  /// Says so where all who could make room are spared for a while.
  ///
  /// @param spared whether a min-runtime protects the core of a group
  void tellProtection(Group claimant, List<Debtor> debtors, Predicate<Group> spared) {
    int groups = 0;
    for (Debtor debtor : debtors) {
      groups += spared.test(debtor.group()) && debtor.group().surplus().isEmpty() ? 1 : 0;
    }
    if (groups > 0 && groups == debtors.size()) {
      int all = groups;
      insteadOfRoom(claimant, room -> new Reason.VictimsProtected(room, all));
    }
  }

  Candidates candidates() {
    return candidates;
  }

  void makeRoom(Group claimant, List<Debtor> debtors, Cause cause, Agreement agreement) {
    var victims =
        new MinimalVictims(
            round.session(),
            round.shares(),
            round.blocks(),
            cause,
            agreement,
            round.budget(),
            waiting);
    var _ = victims.makeRoom(claimant, debtors);
  }
}
