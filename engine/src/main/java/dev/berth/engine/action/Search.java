package dev.berth.engine.action;

import dev.berth.engine.fairness.LineUp;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.VictimOrder.Debtor;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Step;
import dev.berth.engine.victims.Agreement;
import dev.berth.engine.victims.Candidates;
import dev.berth.engine.victims.MinimalVictims;
import java.util.List;

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
      if (Patience.mayTakeVictims(session, claimant)) {
        claimant.next().ifPresent(step -> attempt.on(claimant, step));
      }
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
