package dev.berth.engine.action;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.LossBound;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.victims.TrialCondition;
import java.util.ArrayList;
import java.util.List;

/// Moves work together, so that what is scattered becomes room for a group that needs it in one
/// place. No victim loses its room: all are placed again in the same plan, and no more of them are
/// moved than the settings allow.
///
/// Nor more than may be moved at this moment, and no pod that was moved not long ago
/// ([dev.berth.engine.model.Moves]), that would not be created anew, or whose min-runtime is not
/// over.
///
/// Victims are preemptible groups of any queue; the preemptor is preemptible too. Off where a
/// placement strategy is `spread`: it would undo what was asked for.
public final class Consolidate implements Action {
  private final int maxMoves;
  private final long maxCost;

  public Consolidate(ActionSettings.Consolidation settings) {
    this.maxMoves = settings.maxMoves();
    this.maxCost = settings.maxCostPercent();
  }

  @Override
  public void run(Round round) {
    if (!MovesLeft.mayMove(round.strategy())) {
      return;
    }
    var session = round.session();
    var moves = session.snapshot().moves();
    var search = VictimSearch.in(round);
    search.each((preemptor, step) -> {
      int left = Math.min(maxMoves, MovesLeft.in(session));
      if (preemptor.isPreemptible() && left > 0) {
        var asked =
            new Asked(
                preemptor,
                _ -> true,
                Long.MAX_VALUE,
                group ->
                    group.hasPlans() || MinRuntimes.protectsFromMove(session, group, preemptor),
                group -> group.hasOrphans() || moves.rests(group.group()),
                false,
                false);
        long gain = maxCost * thousandths(step.all()) / 100;
        var _ = search.makeRoom(asked, Cause.CONSOLIDATE, new NothingLost(left, gain));
      }
      if (preemptor.isPreemptible()) {
        session.looksAgain(moves.until());
      }
    });
  }

  /// Of devices that seats ask for; of memory as on the largest ones.
  private static long thousandths(List<MemberState> seats) {
    long sum = 0;
    for (MemberState seat : seats) {
      sum += seat.podClass().leastThousandths();
    }
    return sum;
  }

  /// @param maxCost thousandths of devices that may be moved
  private record NothingLost(int maxMoves, long maxCost) implements TrialCondition {
    @Override
    public boolean holds(List<ChosenUnit> chosen) {
      var moved = new ArrayList<MemberState>();
      for (ChosenUnit each : chosen) {
        for (MemberState seat : each.unit().seats()) {
          if (!seat.isPlaced()) {
            return false;
          }
          if (seat.isVictim()) {
            moved.add(seat);
          }
        }
      }
      return moved.size() <= maxMoves && thousandths(moved) <= maxCost;
    }

    @Override
    public boolean losesNothing() {
      return true;
    }

    @Override
    public int mostMoves() {
      return maxMoves;
    }

    @Override
    public LossBound allowance() {
      return LossBound.NOTHING;
    }
  }
}
