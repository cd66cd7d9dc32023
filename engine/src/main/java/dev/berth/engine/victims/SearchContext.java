package dev.berth.engine.victims;

import dev.berth.engine.fairness.ExhaustedPrefixes;
import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.placement.BlockPlacement;
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
}
