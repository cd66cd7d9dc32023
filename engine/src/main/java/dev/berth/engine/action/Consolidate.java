package dev.berth.engine.action;

import dev.berth.engine.fairness.Allowance;
import dev.berth.engine.fairness.Debtors.Asked;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.placement.Strategy.Spread;
import dev.berth.engine.session.Seat;
import dev.berth.engine.victims.Agreement;
import java.util.List;

/// Moves work together, so that what is scattered becomes room for a group that needs it in one
/// place. Nobody loses anything: all victims are placed again in the same plan, and no more of them
/// are moved than the settings allow.
///
/// Victims are preemptible groups of any queue; the claimant is preemptible too. Off where a
/// placement strategy is `spread`: it would undo what was asked for.
public final class Consolidate implements Action {
  private final int maxMoves;

  public Consolidate(ActionSettings.Consolidation settings) {
    this.maxMoves = settings.maxMoves();
  }

  @Override
  public void run(Round round) {
    var strategy = round.strategy();
    if (strategy.gpu() == Spread.SPREAD || strategy.cpu() == Spread.SPREAD) {
      return;
    }
    var search = Search.in(round);
    search.each((claimant, _) -> {
      if (claimant.isPreemptible()) {
        var asked = new Asked(claimant, _ -> true, Long.MAX_VALUE, _ -> false);
        search.makeRoom(asked, Cause.CONSOLIDATE, new NothingLost(maxMoves));
      }
    });
  }

  private record NothingLost(int maxMoves) implements Agreement {
    @Override
    public boolean holds(List<Chosen> chosen) {
      int moves = 0;
      for (Chosen each : chosen) {
        for (Seat seat : each.piece().seats()) {
          if (!seat.isPlaced()) {
            return false;
          }
          moves += seat.isVictim() ? 1 : 0;
        }
      }
      return moves <= maxMoves;
    }

    @Override
    public Allowance allowance() {
      return Allowance.NOTHING;
    }
  }
}
