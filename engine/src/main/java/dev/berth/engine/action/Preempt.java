package dev.berth.engine.action;

import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueLimits;

/// Lets the more important work of a queue run before its less important work.
///
/// Victims are preemptible groups of the same leaf queue with strictly lower priority. Preemptors
/// that are not preemptible themselves, or of which the minimum is not, must stay within quota on
/// every level.
public final class Preempt implements Action {
  @Override
  public void run(Round round) {
    var candidates = round.candidates();
    var search =
        VictimSearch.in(
            round, each -> candidates.isAnyBelow(each.queue(), each.group().priority()));
    search.each((preemptor, step) -> preempt(round, search, preemptor, step));
  }

  private static void preempt(
      Round round, VictimSearch search, Group preemptor, PlacementStep step) {
    var session = round.session();
    if (!preemptor.mayBorrow()
        && !QueueLimits.keepNonPreemptibleQuota(
            session.queues(), preemptor.queue(), step.asked())) {
      return;
    }
    var asked =
        new Asked(
            preemptor,
            queue -> queue == preemptor.queue(),
            preemptor.group().priority(),
            group -> MinRuntimes.protectsFromPreempt(session, group, preemptor));
    var _ = search.makeRoom(asked, Cause.PREEMPT, _ -> true);
    search.tellProtection(
        asked,
        BudgetsKeep.ALL,
        group -> MinRuntimes.endOfPreemptProtection(session, group, preemptor));
  }
}
