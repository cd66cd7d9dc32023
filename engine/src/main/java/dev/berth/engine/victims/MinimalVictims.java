package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import java.util.ArrayList;
import java.util.List;

/// The search for plans with victims, each for one preemptor and its next step.
///
/// Victims that may lose something are chosen for one member after the other ([MemberByMember]).
/// Where none does, and for many candidates or preemptors ([WideSearch]), all members are sought a
/// place at once:
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
/// is placed, every victim may leave by its disruption budgets, no pod that got a place in this
/// round is parted from the pods that it must be near, and the action agrees.
///
/// A search that the budget cuts short proves nothing: then the preemptor waits with [NotProven].
public final class MinimalVictims {
  /// Beyond so many steps in all a search is a wide one.
  private final int wideFrom;

  private final SearchContext context;

  /// @param wideFrom steps in all
  public MinimalVictims(SearchContext context, int wideFrom) {
    this.context = context;
    this.wideFrom = wideFrom;
  }

  /// Finds room for the preemptor's next step and keeps the plan, or leaves no trace.
  ///
  /// @param asked the candidates
  /// @param agreement what the action has to say
  public SearchVerdict makeRoom(Asked asked, Cause cause, TrialCondition agreement) {
    var preemptor = asked.preemptor();
    var step = preemptor.next();
    if (step.isEmpty()) {
      return SearchVerdict.NO_VICTIMS;
    }
    var verdict = new Search(preemptor, step.get(), cause, agreement).over(asked);
    if (verdict == SearchVerdict.FOUND) {
      context.waiting().changed(preemptor, preemptor.isWaiting());
      context.candidates().changed(preemptor);
    }
    return verdict;
  }

  private final class Search {
    private final Group preemptor;
    private final PlacementStep step;
    private final Cause cause;
    private final TrialCondition agreement;
    private final Trial trial;
    private final ArrayList<ChosenUnit> chosen = new ArrayList<>();

    Search(Group preemptor, PlacementStep step, Cause cause, TrialCondition agreement) {
      this.preemptor = preemptor;
      this.step = step;
      this.cause = cause;
      this.agreement = agreement;
      this.trial = new Trial(context, preemptor, step, cause, agreement);
    }

    SearchVerdict over(Asked asked) {
      boolean refused = Trial.refuses(context.session(), preemptor, step);
      if (!refused && context.blocks().fits(step, preemptor.isBelowMinimum())) {
        return SearchVerdict.FOUND; // on what plans before this one left
      }
      if (context.candidates().isEmpty()) {
        return SearchVerdict.NO_VICTIMS;
      }
      boolean onMoves = agreement.losesNothing();
      if (refused && onMoves && !context.candidates().chargesVary()) {
        return SearchVerdict.NO_PLAN; // its queues are charged for those that move as before
      }
      boolean findsNone = !refused && context.blocks().areAlike(step);
      var freed = context.releases(step, agreement, findsNone);
      if (!freed.mayEverDo(context.candidates().shares(), context.candidates().varyingShares())) {
        return SearchVerdict.NO_PLAN;
      }
      int[] queues = queues();
      if (context.candidates().steps() > wideFrom
          || !context.budget().mayExhaust(queues, onMoves)) {
        return new WideSearch(context, asked, step, cause, agreement, findsNone).run();
      }
      return context.budget().exhausts(queues, onMoves, () -> exhaustive(asked, freed, findsNone));
    }

    private int[] queues() {
      int[] chain = context.session().queues().chain(preemptor.queue());
      return chain.length == 0 ? new int[] {preemptor.queue()} : chain;
    }

    private SearchVerdict exhaustive(Asked asked, ReleaseBound freed, boolean findsNone) {
      if (!agreement.losesNothing()) {
        return new MemberByMember(context, asked, trial, findsNone, false).run();
      }
      var first = firstWalk(context.order(asked), freed);
      if (first == SearchVerdict.CUT_SHORT) {
        return cutShort(chosen.size(), asked);
      }
      if (first != SearchVerdict.NO_PLAN) {
        return first;
      }
      var again = context.releases(step, agreement, findsNone);
      again.begin();
      return secondWalk(again, asked);
    }

    /// Not proven: says how far it came.
    private SearchVerdict cutShort(int tried, Asked asked) {
      context.notProven(
          preemptor,
          new NotProven(Reason.Sought.VICTIMS, tried, context.candidates().steps(asked)));
      return SearchVerdict.CUT_SHORT;
    }

    private SearchVerdict firstWalk(VictimOrder order, ReleaseBound freed) {
      var taken = new ChosenUnits(context.session(), preemptor, cause);
      var spared = new BudgetProtected();
      for (var next = order.next(); next.isPresent(); next = order.next()) {
        if (context.budget().isSpent()) {
          return SearchVerdict.CUT_SHORT;
        }
        if (spared.spares(next.get(), context.session().budgets().leavers())) {
          continue;
        }
        if (chosen.isEmpty()) {
          freed.begin();
        }
        chosen.add(next.get());
        taken.add(next.get());
        for (int node : ChosenUnits.nodes(next.get())) {
          var near = taken.near(node);
          if (freed.mayDoWith(near) && trial.holds(near, true)) {
            return SearchVerdict.FOUND;
          }
        }
      }
      return chosen.isEmpty() ? SearchVerdict.NO_VICTIMS : SearchVerdict.NO_PLAN;
    }

    private SearchVerdict secondWalk(ReleaseBound freed, Asked asked) {
      var taken = new ArrayList<ChosenUnit>();
      var leavers = context.session().budgets().leavers();
      var spared = new BudgetProtected();
      for (ChosenUnit next : chosen) {
        if (context.budget().isSpent()) {
          return cutShort(taken.size(), asked);
        }
        if (spared.spares(next, leavers)) {
          continue;
        }
        taken.add(next);
        freed.add(next);
        if (freed.mayDo() && trial.holds(taken, false)) {
          keep(taken, freed);
          return SearchVerdict.FOUND;
        }
      }
      return SearchVerdict.NO_PLAN;
    }

    private void keep(List<ChosenUnit> all, ReleaseBound freed) {
      if (!trial.holds(new VictimReduction(trial, freed).needed(all), true)) {
        throw new IllegalStateException(
            "a plan for " + preemptor.key() + " held, and does no more");
      }
    }
  }
}
