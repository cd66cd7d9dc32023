package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.victims.NodeSets.NodeSet;
import dev.berth.engine.victims.Trial.Keep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// The search where many may be asked, in slices: what a round may do is bounded, and a search that
/// is cut short goes on in the next one ([SearchProgress]).
///
/// *Moves without a loss* are looked for by node: for each node the few pods that would have to
/// find another place, fewest pods first; then several of these nodes together.
///
/// *Victims that lose* are chosen in [VictimOrder]. For a few members first for one after the other
/// ([MemberByMember]), in a bounded number of trials. Then for all members of the preemptor at
/// once: near one node after the other, then wherever they are, but of these sets only some are
/// tried: the first that may do, then larger ones in doubling steps, and back.
final class WideSearch {
  private static final int LEAST = 4;
  private static final int MOST_LAST = 64;
  private static final int MOST_MEMBERS = 8;
  private static final int MOST_BETTER = 16; // once something holds

  private final SearchContext search;
  private final Asked asked;
  private final Group preemptor;
  private final PlacementStep step;
  private final TrialCondition agreement;
  private final boolean findsNone;
  private final Trial trial;
  private final Object key;
  private final int skipped;
  private int tried;

  /// Preemptors of which one is as good as another.
  private record PreemptorClass(
      Cause cause,
      boolean againstBudgets,
      int queue,
      int podClass,
      int members,
      int priority,
      boolean belowMinimum) {}

  private record SinglePreemptor(Cause cause, boolean againstBudgets, Object group) {}

  /// @param findsNone whether the step is known to find no room anywhere as things are
  WideSearch(
      SearchContext search,
      Asked asked,
      PlacementStep step,
      Cause cause,
      TrialCondition agreement,
      boolean findsNone) {
    this.search = search;
    this.asked = asked;
    this.preemptor = asked.preemptor();
    this.step = step;
    this.agreement = agreement;
    this.findsNone = findsNone;
    this.trial = new Trial(search, preemptor, step, cause, agreement);
    this.key = key(cause);
    this.skipped = search.progress().tried(key);
  }

  private Object key(Cause cause) {
    var seats = step.all();
    return search.blocks().areAlike(step)
        ? new PreemptorClass(
            cause,
            asked.againstBudgets(),
            preemptor.queue(),
            seats.getFirst().podClass().id(),
            seats.size(),
            preemptor.group().priority(),
            preemptor.isBelowMinimum())
        : new SinglePreemptor(cause, asked.againstBudgets(), preemptor.key());
  }

  SearchVerdict run() {
    if (search.progress().isHopeless(key)) {
      return SearchVerdict.NO_PLAN;
    }
    if (search.budget().isSliceSpent(agreement.losesNothing())) {
      return stop();
    }
    var found = agreement.losesNothing() ? byNode() : inOrder();
    boolean isUnfinished = found != SearchVerdict.FOUND && search.budget().isDropped();
    var verdict = isUnfinished ? SearchVerdict.CUT_SHORT : found;
    return switch (verdict) {
      case FOUND -> {
        search.progress().found(key);
        search.budget().found();
        yield SearchVerdict.FOUND;
      }
      case CUT_SHORT -> stop();
      case NO_PLAN, NO_VICTIMS -> {
        search.progress().ended(key);
        yield verdict;
      }
    };
  }

  /// Says so only to preemptors that were never told anything else.
  private SearchVerdict stop() {
    int most = Math.max(tried, skipped);
    search.progress().stopped(key, most);
    if (!search.progress().everEnded(key)) {
      search.notProven(
          preemptor, new NotProven(Reason.Sought.VICTIM_SETS, most, search.candidates().steps()));
    }
    return SearchVerdict.CUT_SHORT;
  }

  /// Whether the next set is one that was tried in an earlier slice.
  private boolean isTried() {
    return ++tried <= skipped;
  }

  /// However little is left, each slice tries some sets, so that each search comes to its end.
  private boolean isCut() {
    return search.budget().isSpent()
        || tried >= skipped + LEAST && search.budget().isSliceSpent(agreement.losesNothing());
  }

  // ---- moves

  private SearchVerdict byNode() {
    int most = agreement.mostMoves();
    var sets = new NodeSets(search).of(step.all().getFirst(), asked, most);
    var near = nearOneNode(sets);
    if (near != SearchVerdict.NO_PLAN) {
      return near;
    }
    var together = together(sets, most);
    return together == SearchVerdict.NO_PLAN ? lastOnes() : together;
  }

  /// One node at a time: of several members some may have room already, or one victim may leave
  /// room for several.
  private SearchVerdict nearOneNode(List<NodeSet> sets) {
    boolean isGang = step.all().size() > 1;
    var freed = freed();
    if (isGang) {
      freed.begin();
    }
    for (NodeSet set : sets) {
      if (isGang && !freed.mayDoWith(set.steps())) {
        continue;
      }
      if (isCut()) {
        return SearchVerdict.CUT_SHORT;
      }
      if (!isTried() && trial.holds(set.steps(), true)) {
        return SearchVerdict.FOUND;
      }
    }
    return SearchVerdict.NO_PLAN;
  }

  /// The first victims in order, wherever they are, in growing numbers: those that need not move
  /// come back to their place.
  private SearchVerdict lastOnes() {
    var order = search.order(asked);
    var freed = freed();
    freed.begin();
    var all = new ArrayList<ChosenUnit>();
    var leavers = search.session().budgets().leavers();
    var spared = new BudgetProtected();
    int next = 2;
    for (var one = order.next(); one.isPresent() && all.size() < MOST_LAST; one = order.next()) {
      if (spared.spares(one.get(), leavers)) {
        continue;
      }
      all.add(one.get());
      freed.add(one.get());
      if (all.size() >= next && freed.mayDo()) {
        if (isCut()) {
          return SearchVerdict.CUT_SHORT;
        }
        if (!isTried() && trial.holds(all, false)) {
          return keep(all);
        }
        next = all.size() + 1 + all.size() / 4;
      }
    }
    return SearchVerdict.NO_PLAN;
  }

  /// Several nodes at once: as many as the preemptor seems to lack, then more in doubling steps.
  private SearchVerdict together(List<NodeSet> sets, int most) {
    if (sets.size() < 2) {
      return SearchVerdict.NO_PLAN;
    }
    int count = Math.clamp(lacking(), 2, sets.size());
    for (int more = 1; ; more *= 2) {
      var all = union(sets.subList(0, count), most);
      if (all.isEmpty()) {
        return SearchVerdict.NO_PLAN; // too many pods
      }
      if (isCut()) {
        return SearchVerdict.CUT_SHORT;
      }
      if (!isTried() && trial.holds(all, false)) {
        return keep(all);
      }
      if (count == sets.size()) {
        return SearchVerdict.NO_PLAN;
      }
      count = Math.min(sets.size(), count + more);
    }
  }

  /// Members that find no room as things are, at least.
  private int lacking() {
    int members = step.all().size();
    return members == 1 ? 2 : members - search.blocks().countFitting(step);
  }

  private static List<ChosenUnit> union(List<NodeSet> sets, int mostPods) {
    var all = new LinkedHashSet<ChosenUnit>();
    int pods = 0;
    for (NodeSet set : sets) {
      for (ChosenUnit step : set.steps()) {
        pods += all.add(step) ? step.unit().seats().size() : 0;
      }
    }
    return pods > mostPods ? List.of() : List.copyOf(all);
  }

  private SearchVerdict keep(List<ChosenUnit> all) {
    var freed = freed();
    freed.begin();
    all.forEach(freed::add);
    var needed = new VictimReduction(trial, freed).needed(all);
    if (!trial.holds(needed, true)) {
      throw new IllegalStateException("a plan for " + preemptor.key() + " held, and does no more");
    }
    return SearchVerdict.FOUND;
  }

  private ReleaseBound freed() {
    return search.releases(step, agreement, findsNone);
  }

  // ---- losses

  private SearchVerdict inOrder() {
    int members = step.all().size();
    if (members > 1 && members <= MOST_MEMBERS) {
      var few = memberByMember();
      if (few != SearchVerdict.NO_PLAN) {
        return few;
      }
    }
    var chosen = new ArrayList<ChosenUnit>();
    var order = search.order(asked);
    var first = firstWalk(order, chosen);
    return first == SearchVerdict.NO_PLAN ? secondWalk(chosen) : first;
  }

  /// Takes fewer victims where members find room on several nodes. Bounded, for it is not cut into
  /// slices.
  private SearchVerdict memberByMember() {
    if (isCut()) {
      return SearchVerdict.CUT_SHORT;
    }
    return isTried()
        ? SearchVerdict.NO_PLAN
        : new MemberByMember(search, asked, trial, findsNone, true).run();
  }

  private SearchVerdict firstWalk(VictimOrder order, List<ChosenUnit> chosen) {
    var freed = freed();
    var taken = new ChosenUnits(search.session(), preemptor, trial.cause());
    var spared = new BudgetProtected();
    List<ChosenUnit> unwelcome = List.of(); // the first that hold
    int better = 0; // sets that were tried since
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      if (spared.spares(next.get(), search.session().budgets().leavers())) {
        continue;
      }
      if (chosen.isEmpty()) {
        freed.begin();
      }
      chosen.add(next.get());
      taken.add(next.get());
      for (int node : ChosenUnits.nodes(next.get())) {
        var near = taken.near(node);
        boolean may = freed.mayDoWith(near);
        if (may && (isCut() || better >= MOST_BETTER)) {
          return unwelcome.isEmpty() ? SearchVerdict.CUT_SHORT : kept(unwelcome);
        }
        if (may && !isTried()) {
          var held = trial.held(near, Keep.IF_WELCOME);
          if (held.isPresent() && held.get().isWelcome()) {
            return SearchVerdict.FOUND;
          }
          unwelcome = held.isPresent() && unwelcome.isEmpty() ? near : unwelcome;
          better += unwelcome.isEmpty() ? 0 : 1;
        }
      }
    }
    if (!unwelcome.isEmpty()) {
      return kept(unwelcome);
    }
    search.budget().looksAt(chosen.size());
    return chosen.isEmpty() ? SearchVerdict.NO_VICTIMS : SearchVerdict.NO_PLAN;
  }

  private SearchVerdict kept(List<ChosenUnit> victims) {
    return trial.holds(victims, true) ? SearchVerdict.FOUND : SearchVerdict.NO_PLAN;
  }

  private SearchVerdict secondWalk(List<ChosenUnit> chosen) {
    var all = new ArrayList<ChosenUnit>(chosen.size());
    var freed = freed();
    freed.begin();
    var leavers = search.session().budgets().leavers();
    var spared = new BudgetProtected();
    int next = -1; // how many are in the next set; -1 = the first that may do
    int failed = 0;
    int more = 1;
    for (int i = 0; i < chosen.size(); i++) {
      if (!spared.spares(chosen.get(i), leavers)) {
        all.add(chosen.get(i));
        freed.add(chosen.get(i));
      }
      boolean due = next < 0 || all.size() >= next || i == chosen.size() - 1;
      if (due && !freed.mayDo()) {
        failed = all.size(); // nor does any shorter beginning
      } else if (due && all.size() > failed) {
        if (isCut()) {
          return SearchVerdict.CUT_SHORT;
        }
        if (!isTried() && trial.holds(all, false)) {
          return keep(fewest(all, failed));
        }
        failed = all.size();
        next = all.size() + more;
        more *= 2;
      }
    }
    return SearchVerdict.NO_PLAN;
  }

  /// The shortest beginning that holds, as far as halving finds it.
  private List<ChosenUnit> fewest(List<ChosenUnit> holds, int failed) {
    int low = failed;
    int high = holds.size();
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (trial.holds(holds.subList(0, middle), false)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return List.copyOf(holds.subList(0, high));
  }
}
