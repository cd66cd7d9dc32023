package dev.berth.engine.victims;

import dev.berth.engine.fairness.Debtors;
import dev.berth.engine.fairness.Debtors.Asked;
import dev.berth.engine.fairness.LineUp;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NotProven;
import dev.berth.engine.placement.Blocks;
import dev.berth.engine.session.Budgets.Leavers;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import dev.berth.engine.session.Step;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The search for plans with victims, each for one claimant and its next step.
///
/// Candidates are walked in [VictimOrder], and after every step the plan is tried. First walk: only
/// with those chosen steps that have a pod on a node of the latest one, each of its nodes in turn;
/// a group that would fall below its minimum by that gives all its chosen steps. If none of these
/// trials holds, second walk: with all steps chosen so far, and then what proves unnecessary is
/// given back, the latest step first.
///
/// *Trial*: the victims leave; then the claimant and every group that lost something are placed
/// again in the ordinary order and through the gates, each with one next step. The claimant is not
/// served first: a victim that comes before it takes room first. The trial holds if the claimant is
/// placed, every victim may leave by its disruption budgets, nobody who got a place in this round
/// is parted from those whom he must be near, and the action agrees.
///
/// A search that the budget cuts short proves nothing: then the claimant waits with [NotProven].
public final class MinimalVictims {
  /// Steps that are given back one by one.
  private static final int FEW = 64;

  private final Session session;
  private final Shares shares;
  private final Blocks blocks;
  private final Budget budget;
  private final LineUp waiting;
  private final Debtors debtors;
  private final Free free;

  /// @param waiting who waits for himself; told of each plan that is kept
  /// @param debtors who may be asked for anyone; told of the same
  public MinimalVictims(
      Session session,
      Shares shares,
      Blocks blocks,
      Budget budget,
      LineUp waiting,
      Debtors debtors) {
    this.session = session;
    this.shares = shares;
    this.blocks = blocks;
    this.budget = budget;
    this.waiting = waiting;
    this.debtors = debtors;
    this.free = new Free(session);
  }

  /// Finds room for the claimant's next step and keeps the plan, or leaves no trace.
  ///
  /// @param asked who may be asked to leave
  /// @param agreement what the action has to say
  public Verdict makeRoom(Asked asked, Cause cause, Agreement agreement) {
    var claimant = asked.claimant();
    var step = claimant.next();
    if (step.isEmpty()) {
      return Verdict.NO_VICTIMS;
    }
    var verdict = new Search(claimant, step.get(), cause, agreement).over(asked);
    if (verdict == Verdict.FOUND) {
      waiting.changed(claimant, claimant.isWaiting());
      debtors.changed(claimant);
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

  /// How many trials a round may make.
  public static final class Budget {
    private long trials;

    public Budget(long trials) {
      this.trials = trials;
    }

    boolean isSpent() {
      return trials <= 0;
    }
  }

  private final class Search {
    private final Group claimant;
    private final Step step;
    private final Cause cause;
    private final Agreement agreement;
    private final ArrayList<Chosen> chosen = new ArrayList<>();

    Search(Group claimant, Step step, Cause cause, Agreement agreement) {
      this.claimant = claimant;
      this.step = step;
      this.cause = cause;
      this.agreement = agreement;
    }

    Verdict over(Asked asked) {
      boolean refused = refuses(claimant, step);
      if (!refused && blocks.fits(step, claimant.isBelowMinimum())) {
        return Verdict.FOUND; // on what plans before this one left
      }
      if (debtors.isEmpty()) {
        return Verdict.NO_VICTIMS;
      }
      boolean findsNone = !refused && blocks.areAlike(step);
      var freed = new Freed(session, free, step, agreement.allowance(), findsNone);
      if (!freed.mayEverDo(debtors.shares(), debtors.varyingShares())) {
        return Verdict.NO_PLAN;
      }
      var first = firstWalk(VictimOrder.among(session, shares, debtors, asked), freed);
      if (first == Verdict.CUT_SHORT) {
        return cutShort(chosen.size(), asked);
      }
      if (first != Verdict.NO_PLAN) {
        return first;
      }
      var again = new Freed(session, free, step, agreement.allowance(), findsNone);
      again.begin();
      return secondWalk(again, asked);
    }

    /// Not proven: says how far it came.
    private Verdict cutShort(int tried, Asked asked) {
      session.waits(claimant, new NotProven(Reason.Sought.VICTIMS, tried, debtors.steps(asked)));
      return Verdict.CUT_SHORT;
    }

    private Verdict firstWalk(VictimOrder order, Freed freed) {
      var taken = new Taken(session, claimant, cause);
      var spared = new LinkedHashSet<Group>(); // by identity
      for (var next = order.next(); next.isPresent(); next = order.next()) {
        if (budget.isSpent()) {
          return Verdict.CUT_SHORT;
        }
        if (spares(spared, next.get(), session.budgets().leavers())) {
          continue;
        }
        if (chosen.isEmpty()) {
          freed.begin();
        }
        chosen.add(next.get());
        taken.add(next.get());
        for (int node : Taken.nodes(next.get())) {
          var near = taken.near(node);
          near.forEach(freed::add);
          boolean may = freed.mayDo();
          near.forEach(freed::remove);
          if (may && holds(near, true)) {
            return Verdict.FOUND;
          }
        }
      }
      return chosen.isEmpty() ? Verdict.NO_VICTIMS : Verdict.NO_PLAN;
    }

    private Verdict secondWalk(Freed freed, Asked asked) {
      var taken = new ArrayList<Chosen>();
      var leavers = session.budgets().leavers();
      var spared = new LinkedHashSet<Group>(); // by identity
      for (Chosen next : chosen) {
        if (budget.isSpent()) {
          return cutShort(taken.size(), asked);
        }
        if (spares(spared, next, leavers)) {
          continue;
        }
        taken.add(next);
        freed.add(next);
        if (freed.mayDo() && holds(taken, false)) {
          keep(taken, freed);
          return Verdict.FOUND;
        }
      }
      return Verdict.NO_PLAN;
    }

    /// Gives back what is not needed, the latest first: a step only when no later one of its group
    /// stays taken.
    ///
    /// Of many, several are given back at once: what holds without all of these holds without some
    /// of them. A number that cannot be given back is halved, one that can is doubled.
    private void keep(List<Chosen> all, Freed freed) {
      var taken = new ArrayList<>(all);
      var stays = new LinkedHashSet<Group>(); // by identity: a group is equal to itself only
      int most = all.size() > FEW ? all.size() : 1;
      int atOnce = 1;
      for (int to = taken.size(); to > 0; ) {
        if (stays.contains(taken.get(to - 1).group())) {
          to--;
          continue;
        }
        int from = from(taken, to, stays, Math.min(atOnce, most));
        if (givesBack(taken, from, to, freed)) {
          atOnce = 2 * (to - from);
          to = from;
        } else if (to - from == 1) {
          stays.add(taken.get(from).group());
          atOnce = 1;
          to = from;
        } else {
          atOnce = (to - from) / 2;
        }
      }
      if (!holds(taken, true)) {
        throw new IllegalStateException("a plan for " + claimant.key() + " held, and does no more");
      }
    }

    /// Whether a disruption budget keeps a step beside those who leave before, or kept an earlier
    /// one of its group: no surplus member runs on without its core.
    private static boolean spares(LinkedHashSet<Group> spared, Chosen next, Leavers before) {
      return spared.contains(next.group())
          || !before.add(next.piece().seats()) && spared.add(next.group());
    }

    /// Where those begin that are given back at once: of `count` before `to`, up to one that stays.
    private static int from(List<Chosen> taken, int to, Set<Group> stays, int count) {
      int from = to - 1;
      while (from > 0 && to - from < count && !stays.contains(taken.get(from - 1).group())) {
        from--;
      }
      return from;
    }

    private boolean givesBack(ArrayList<Chosen> taken, int from, int to, Freed freed) {
      var back = List.copyOf(taken.subList(from, to));
      back.forEach(freed::remove);
      if (back.size() < taken.size() && freed.mayDo()) {
        var without = new ArrayList<>(taken.subList(0, from));
        without.addAll(taken.subList(to, taken.size()));
        if (holds(without, false)) {
          taken.subList(from, to).clear();
          return true;
        }
      }
      back.forEach(freed::add);
      return false;
    }

    /// One trial.
    ///
    /// @param keep whether what holds stays
    private boolean holds(List<Chosen> victims, boolean keep) {
      budget.trials--;
      try (Statement statement = session.open()) {
        var back = new LinkedHashSet<Group>();
        back.add(claimant);
        for (Chosen victim : victims) {
          back.add(victim.group());
          for (Seat seat : victim.piece().seats()) {
            statement.evict(seat, cause, claimant.key());
          }
        }
        if (!placesAgain(List.copyOf(back))) {
          return false;
        }
        boolean holds =
            session.budgets().hold() && blocks.leavesNobodyAlone() && agreement.holds(victims);
        if (holds && keep) {
          statement.keep();
          session.claims(claimant);
          back.forEach(debtors::changed);
        }
        return holds;
      }
    }

    /// Whether the claimant finds its place among those who lost theirs.
    private boolean placesAgain(List<Group> groups) {
      var order = QueueOrder.among(session, shares, groups, waiting);
      boolean placed = false;
      for (var next = order.next(); next.isPresent(); next = order.next()) {
        Group group = next.get();
        boolean found = group.next().filter(again -> places(group, again)).isPresent();
        if (group.equals(claimant)) {
          if (!found) {
            return false;
          }
          placed = true;
        }
      }
      return placed;
    }

    private boolean places(Group group, Step next) {
      return !refuses(group, next) && blocks.fits(next, group.isBelowMinimum());
    }

    private boolean refuses(Group group, Step next) {
      return session.queues().refuses(group.queue(), next.least(), group.mayBorrow()).isPresent();
    }
  }
}
