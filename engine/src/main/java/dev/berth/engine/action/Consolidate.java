package dev.berth.engine.action;

import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.placement.Strategy.Spread;
import dev.berth.engine.session.Seat;
import java.util.List;

/// Moves work together, so that what is scattered becomes room for a group that needs it in one
/// place. Nobody loses anything: all victims are placed again in the same plan.
///
/// Victims are preemptible groups of any queue; the claimant is preemptible too. Off where a
/// placement strategy is `spread`: it would undo what was asked for.
public final class Consolidate implements Action {
  @Override
  public void run(Round round) {
    var strategy = round.strategy();
    if (strategy.gpu() == Spread.SPREAD || strategy.cpu() == Spread.SPREAD) {
      return;
    }
    var search = Search.in(round);
    search.each((claimant, _) -> {
      if (claimant.isPreemptible()) {
        var debtors = search.candidates().debtors(group -> !group.equals(claimant), _ -> false);
        search.makeRoom(claimant, debtors, Cause.CONSOLIDATE, Consolidate::losesNothing);
      }
    });
  }

  private static boolean losesNothing(List<Chosen> chosen) {
    for (Chosen each : chosen) {
      for (Seat seat : each.piece().seats()) {
        if (!seat.isPlaced()) {
          return false;
        }
      }
    }
    return true;
  }
}
