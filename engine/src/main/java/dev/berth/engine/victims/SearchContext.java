package dev.berth.engine.victims;

import dev.berth.engine.fairness.ExhaustedPrefixes;
import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;

/// What all searches of one action work on.
///
/// @param waiting groups that wait; told of each plan that is kept
/// @param candidates groups that may be asked for any preemptor; told of the same
public record SearchContext(
    Session session,
    Shares shares,
    BlockPlacement blocks,
    SearchBudget budget,
    PendingGroups waiting,
    VictimCandidates candidates,
    FreeCounts free,
    ExhaustedPrefixes stayers,
    SearchProgress progress) {
  public static SearchContext of(
      Session session,
      Shares shares,
      BlockPlacement blocks,
      SearchBudget budget,
      PendingGroups waiting,
      VictimCandidates candidates,
      SearchProgress progress) {
    return new SearchContext(
        session,
        shares,
        blocks,
        budget,
        waiting,
        candidates,
        new FreeCounts(session),
        new ExhaustedPrefixes(session),
        progress);
  }

  /// The candidates for a preemptor, in order.
  VictimOrder order(Asked asked) {
    return VictimOrder.among(session, shares, candidates, asked, stayers);
  }

  /// A search was cut short: says how far it came, except to preemptors for which no search helps.
  void notProven(Group preemptor, NotProven words) {
    boolean isInVain =
        session
            .reason(preemptor)
            .filter(reason ->
                reason instanceof Reason.NeverFits
                    || reason instanceof Reason.NoRoom room && !room.mayBeMade())
            .isPresent();
    if (!isInVain) {
      session.waits(preemptor, words);
    }
  }

  /// What must be released at the least, before any victim is chosen.
  ///
  /// @param findsNone whether the step is known to find no room anywhere as things are
  ReleaseBound releases(PlacementStep step, TrialCondition agreement, boolean findsNone) {
    return new ReleaseBound(session, blocks, free, step, agreement.allowance(), findsNone);
  }
}
