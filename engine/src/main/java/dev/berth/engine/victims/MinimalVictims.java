package dev.berth.engine.victims;

import dev.berth.engine.fairness.ExhaustedPrefixes;
import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.List;

/// The search for plans with victims, each for one preemptor and its next step.
///
/// Who may lose something is asked for one member after the other ([MemberByMember]). Where nobody
/// does, and for many candidates or preemptors ([WideSearch]), all members are sought a place at
/// once:
///
/// Candidates are walked in [VictimOrder], and after every step the plan is tried. First walk: only
/// with those chosen steps that have a pod on a node of the latest one, each of its nodes in turn;
/// a group that would fall below its minimum by that gives all its chosen steps. If none of these
/// trials holds, second walk: with all steps chosen so far, and then what proves unnecessary is
/// given back, the latest step first.
///
/// *Trial*: the victims leave; then the preemptor and every group that lost something are placed
/// again in the ordinary order and through the gates, each with one next step. The preemptor is not
/// served first: a victim that comes before it takes room first. The trial holds if the preemptor
/// is placed, every victim may leave by its disruption budgets, nobody who got a place in this
/// round is parted from those whom he must be near, and the action agrees.
///
/// A search that the budget cuts short proves nothing: then the preemptor waits with [NotProven].
public final class MinimalVictims {
  /// Beyond so many steps in all a search is a wide one.
  private final int wideFrom;

  final Session session;
  final Shares shares;
  final BlockPlacement blocks;
  final SearchBudget budget;
  final PendingGroups waiting;
  final VictimCandidates candidates;
  final FreeCounts free;
  final ExhaustedPrefixes stayers;
  final SearchProgress progress;

  /// @param waiting who waits for himself; told of each plan that is kept
  /// @param candidates who may be asked for anyone; told of the same
  public MinimalVictims(
      Session session,
      Shares shares,
      BlockPlacement blocks,
      SearchBudget budget,
      PendingGroups waiting,
      VictimCandidates candidates,
      SearchProgress progress,
      int wideFrom) {
    this.session = session;
    this.shares = shares;
    this.blocks = blocks;
    this.budget = budget;
    this.waiting = waiting;
    this.candidates = candidates;
    this.progress = progress;
    this.wideFrom = wideFrom;
    this.free = new FreeCounts(session);
    this.stayers = new ExhaustedPrefixes(session);
  }

  /// Finds room for the preemptor's next step and keeps the plan, or leaves no trace.
  ///
  /// @param asked who may be asked to leave
  /// @param agreement what the action has to say
  public Verdict makeRoom(Asked asked, Cause cause, TrialCondition agreement) {
    var preemptor = asked.preemptor();
    var step = preemptor.next();
    if (step.isEmpty()) {
      return Verdict.NO_VICTIMS;
    }
    var verdict = new Search(preemptor, step.get(), cause, agreement).over(asked);
    if (verdict == Verdict.FOUND) {
      waiting.changed(preemptor, preemptor.isWaiting());
      candidates.changed(preemptor);
    }
    return verdict;
  }

  /// What came of a search.
  public enum Verdict {
    FOUND,
    /// Nobody may be asked.
    NO_VICTIMS,
    /// Whoever leaves, it does not help.
    NO_PLAN,
    /// The budget of trials was spent first.
    CUT_SHORT
  }

  private final class Search {
    private final Group preemptor;
    private final PlacementStep step;
    private final Cause cause;
    private final TrialCondition agreement;
    private final Trial trial;
    private final ArrayList<Chosen> chosen = new ArrayList<>();

    Search(Group preemptor, PlacementStep step, Cause cause, TrialCondition agreement) {
      this.preemptor = preemptor;
      this.step = step;
      this.cause = cause;
      this.agreement = agreement;
      this.trial = new Trial(MinimalVictims.this, preemptor, step, cause, agreement);
    }

    Verdict over(Asked asked) {
      boolean refused = Trial.refuses(session, preemptor, step);
      if (!refused && blocks.fits(step, preemptor.isBelowMinimum())) {
        return Verdict.FOUND; // on what plans before this one left
      }
      if (candidates.isEmpty()) {
        return Verdict.NO_VICTIMS;
      }
      boolean findsNone = !refused && blocks.areAlike(step);
      var freed = new ReleaseBound(session, blocks, free, step, agreement.allowance(), findsNone);
      if (!freed.mayEverDo(candidates.shares(), candidates.varyingShares())) {
        return Verdict.NO_PLAN;
      }
      boolean onMoves = agreement.losesNothing();
      if (candidates.steps() > wideFrom || !budget.mayExhaust(preemptor.queue(), onMoves)) {
        return new WideSearch(MinimalVictims.this, asked, step, cause, agreement, findsNone).run();
      }
      return budget.exhausts(preemptor.queue(), onMoves, () -> exhaustive(asked, freed, findsNone));
    }

    private Verdict exhaustive(Asked asked, ReleaseBound freed, boolean findsNone) {
      if (!agreement.losesNothing()) {
        return new MemberByMember(
                MinimalVictims.this, asked, step, cause, agreement, findsNone, false)
            .run();
      }
      var first = firstWalk(VictimOrder.among(session, shares, candidates, asked, stayers), freed);
      if (first == Verdict.CUT_SHORT) {
        return cutShort(chosen.size(), asked);
      }
      if (first != Verdict.NO_PLAN) {
        return first;
      }
      var again = new ReleaseBound(session, blocks, free, step, agreement.allowance(), findsNone);
      again.begin();
      return secondWalk(again, asked);
    }

    /// Not proven: says how far it came.
    private Verdict cutShort(int tried, Asked asked) {
      session.waits(
          preemptor, new NotProven(Reason.Sought.VICTIMS, tried, candidates.steps(asked)));
      return Verdict.CUT_SHORT;
    }

    private Verdict firstWalk(VictimOrder order, ReleaseBound freed) {
      var taken = new ChosenUnits(session, preemptor, cause);
      var spared = new BudgetProtected();
      for (var next = order.next(); next.isPresent(); next = order.next()) {
        if (budget.isSpent()) {
          return Verdict.CUT_SHORT;
        }
        if (spared.spares(next.get(), session.budgets().leavers())) {
          continue;
        }
        if (chosen.isEmpty()) {
          freed.begin();
        }
        chosen.add(next.get());
        taken.add(next.get());
        for (int node : ChosenUnits.nodes(next.get())) {
          var near = taken.near(node);
          near.forEach(freed::add);
          boolean may = freed.mayDo();
          near.forEach(freed::remove);
          if (may && trial.holds(near, true)) {
            return Verdict.FOUND;
          }
        }
      }
      return chosen.isEmpty() ? Verdict.NO_VICTIMS : Verdict.NO_PLAN;
    }

    private Verdict secondWalk(ReleaseBound freed, Asked asked) {
      var taken = new ArrayList<Chosen>();
      var leavers = session.budgets().leavers();
      var spared = new BudgetProtected();
      for (Chosen next : chosen) {
        if (budget.isSpent()) {
          return cutShort(taken.size(), asked);
        }
        if (spared.spares(next, leavers)) {
          continue;
        }
        taken.add(next);
        freed.add(next);
        if (freed.mayDo() && trial.holds(taken, false)) {
          keep(taken, freed);
          return Verdict.FOUND;
        }
      }
      return Verdict.NO_PLAN;
    }

    private void keep(List<Chosen> all, ReleaseBound freed) {
      if (!trial.holds(new VictimReduction(trial, freed).needed(all), true)) {
        throw new IllegalStateException(
            "a plan for " + preemptor.key() + " held, and does no more");
      }
    }
  }
}
