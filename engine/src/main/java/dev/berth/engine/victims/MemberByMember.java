package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Statement;
import dev.berth.engine.victims.Trial.Keep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The search in which room is found for one member of the preemptor's step after the other: a
/// victim for the first members is one for those that follow, too, unless it finds its own place
/// again.
///
/// For each member that has no room yet, candidates are walked in [VictimOrder], and after every
/// step the plan is tried: with the victims so far, and those chosen steps that have a pod on a
/// node of the latest one, each of its nodes in turn; a group that would fall below its minimum by
/// that gives all its chosen steps. So no pod leaves a node on which no member finds room by that.
///
/// A plan that holds and is not welcome ([TrialCondition#isWelcome]) is kept only where the walk
/// finds nothing better; of that so many sets more are tried at most. The members after it do not
/// seek better ones: victims so far stay unwelcome.
///
/// Members that find room without a victim need no search, nor those for which the others leave
/// enough; of the latter ever more are tried at once.
///
/// As a part of a wide search it gives up after some trials. There it gives back at last what
/// proves unnecessary: all members may find room where others left for the last of them.
final class MemberByMember {
  private static final int MOST_TRIALS = 32; // of a wide search: it is not cut into slices
  private static final int MOST_BETTER = 32; // once something holds

  private final SearchContext search;
  private final Group preemptor;
  private final PlacementStep step;
  private final Cause cause;
  private final TrialCondition agreement;
  private final Asked asked;
  private final boolean findsNone;
  private final boolean isWide;
  private List<ChosenUnit> leaving = List.of(); // for the members that have room so far
  private boolean isSettled; // the victims are not welcome, and no better ones were found
  private int tried;
  private int trials;
  private int nodes; // near which others leave

  /// @param whole of all members of the step
  /// @param findsNone whether the step is known to find no room anywhere as things are
  /// @param isWide whether it is a part of a wide search
  MemberByMember(
      SearchContext search, Asked asked, Trial whole, boolean findsNone, boolean isWide) {
    this.search = search;
    this.preemptor = asked.preemptor();
    this.step = whole.step();
    this.cause = whole.cause();
    this.agreement = whole.agreement();
    this.asked = asked;
    this.findsNone = findsNone;
    this.isWide = isWide;
  }

  /// Victims for the first members are victims for the next ones too.
  SearchVerdict run() {
    int members = step.all().size();
    int stride = 1;
    for (int have = fitting(); have < members; ) {
      int next = Math.min(members, have + stride);
      if (goesOnWith(next)) {
        have = next;
        stride *= 2;
      } else if (next > have + 1) {
        stride = 1;
      } else {
        var verdict = walk(next);
        if (verdict != SearchVerdict.FOUND) {
          return verdict;
        }
        have = next;
      }
    }
    return SearchVerdict.FOUND;
  }

  private void keepNeeded(Trial trial, List<ChosenUnit> all) {
    var freed = freed(step, agreement);
    freed.begin();
    all.forEach(freed::add);
    if (!trial.holds(new VictimReduction(trial, freed).needed(all), true)) {
      throw new IllegalStateException("a plan for " + preemptor.key() + " held, and does no more");
    }
  }

  private ReleaseBound freed(PlacementStep some, TrialCondition says) {
    boolean none = findsNone && step.all().size() == 1;
    return search.releases(some, says, none);
  }

  /// How many members find room one after the other without a victim.
  private int fitting() {
    int low = 0;
    int high = step.all().size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      var part = step.first(middle);
      boolean fits;
      try (Statement _ = search.session().open()) {
        fits =
            !Trial.refuses(search.session(), preemptor, part)
                && search.blocks().fits(part, preemptor.isBelowMinimum());
      }
      low = fits ? middle : low;
      high = fits ? high : middle;
    }
    return low;
  }

  /// Whether the victims so far are enough for so many members.
  private boolean goesOnWith(int members) {
    if (leaving.isEmpty()) {
      return false;
    }
    var part = step.first(members);
    var says = agreement.on(part);
    var freed = freed(part, says);
    freed.begin();
    leaving.forEach(freed::add);
    return freed.mayDo() && tries(leaving, part, says, true) == Came.KEPT;
  }

  /// What came of a trial.
  private enum Came {
    /// It does not hold.
    NOTHING,
    /// It holds, and something better is sought first.
    UNWELCOME,
    KEPT
  }

  /// @param anyhow whether what holds is kept though it is not welcome
  private Came tries(
      List<ChosenUnit> victims, PlacementStep part, TrialCondition says, boolean anyhow) {
    trials++;
    var trial = new Trial(search, preemptor, part, cause, says);
    boolean isLast = part.all().size() == step.all().size();
    boolean givesBack = isLast && isWide && nodes > 1;
    var keep = !isLast || givesBack ? Keep.NOTHING : anyhow ? Keep.ALL : Keep.IF_WELCOME;
    var held = trial.held(victims, keep);
    if (held.isEmpty()) {
      return Came.NOTHING;
    }
    if (!anyhow && !held.get().isWelcome()) {
      return Came.UNWELCOME;
    }
    leaving = held.get().leaving();
    isSettled |= !held.get().isWelcome();
    if (givesBack) {
      keepNeeded(trial, victims);
    }
    return Came.KEPT;
  }

  /// Tries so many members, in victim order, with the victims so far and those near the latest one.
  private SearchVerdict walk(int members) {
    var part = step.first(members);
    var says = agreement.on(part);
    var freed = freed(part, says);
    var known = new LinkedHashSet<MemberState>(); // by identity
    leaving.forEach(each -> known.addAll(each.unit().seats()));
    var order = VictimOrder.among(search.session(), search.shares(), search.candidates(), asked);
    var taken = new ChosenUnits(search.session(), preemptor, cause);
    var spared = new BudgetProtected();
    List<ChosenUnit> unwelcome = List.of(); // the first that hold
    int most = isWide ? MOST_TRIALS : Integer.MAX_VALUE;
    boolean began = false;
    nodes++;
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      if (search.budget().isSpent() && unwelcome.isEmpty()) {
        return cutShort();
      }
      if (search.budget().isSpent() || trials >= most) {
        break;
      }
      var fresh = Trial.without(List.of(next.get()), known::contains);
      if (fresh.isEmpty()
          || spared.spares(fresh.getFirst(), search.session().budgets().leavers())) {
        continue;
      }
      if (!began) {
        freed.begin();
        leaving.forEach(freed::add);
        began = true;
      }
      tried++;
      taken.add(fresh.getFirst());
      for (int node : ChosenUnits.nodes(fresh.getFirst())) {
        var near = taken.near(node);
        var came =
            freed.mayDoWith(near) ? tries(together(near), part, says, isSettled) : Came.NOTHING;
        if (came == Came.KEPT) {
          return SearchVerdict.FOUND;
        }
        if (came == Came.UNWELCOME && unwelcome.isEmpty()) {
          unwelcome = together(near);
          most = Math.min(most, trials + MOST_BETTER);
        }
      }
    }
    if (!unwelcome.isEmpty() && tries(unwelcome, part, says, true) == Came.KEPT) {
      return SearchVerdict.FOUND;
    }
    return began || !leaving.isEmpty() ? SearchVerdict.NO_PLAN : SearchVerdict.NO_VICTIMS;
  }

  private List<ChosenUnit> together(List<ChosenUnit> near) {
    var all = new ArrayList<ChosenUnit>(leaving);
    all.addAll(near);
    return all;
  }

  /// Not proven: says how far it came.
  private SearchVerdict cutShort() {
    search.notProven(
        preemptor, new NotProven(Reason.Sought.VICTIMS, tried, search.candidates().steps(asked)));
    return SearchVerdict.CUT_SHORT;
  }
}
