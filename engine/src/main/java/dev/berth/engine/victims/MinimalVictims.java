package dev.berth.engine.victims;

import dev.berth.engine.fairness.LineUp;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimOrder;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.fairness.VictimOrder.Debtor;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.placement.Blocks;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import dev.berth.engine.session.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// The search for a plan with victims, for one claimant and its next step.
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
/// placed and the action agrees.
public final class MinimalVictims {
  private final Session session;
  private final Shares shares;
  private final Blocks blocks;
  private final Cause cause;
  private final Agreement agreement;
  private final Budget budget;
  private final LineUp waiting;

  /// @param waiting who waits for himself; told of each plan that is kept
  public MinimalVictims(
      Session session,
      Shares shares,
      Blocks blocks,
      Cause cause,
      Agreement agreement,
      Budget budget,
      LineUp waiting) {
    this.session = session;
    this.shares = shares;
    this.blocks = blocks;
    this.cause = cause;
    this.agreement = agreement;
    this.budget = budget;
    this.waiting = waiting;
  }

  /// Finds room for the claimant's next step and keeps the plan, or leaves no trace.
  ///
  /// @param candidates groups that may be asked to leave
  public Verdict makeRoom(Group claimant, List<Debtor> candidates) {
    var step = claimant.next();
    if (step.isEmpty()) {
      return Verdict.NO_VICTIMS;
    }
    var verdict = new Search(claimant, step.get()).over(candidates);
    if (verdict == Verdict.FOUND) {
      waiting.changed(claimant, claimant.isWaiting());
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

  /// How many trials a round may make, and how many victims a plan may have.
  public static final class Budget {
    private final int mostVictims;
    private long trials;

    /// @param mostVictims pods that one plan may ask to leave
    public Budget(long trials, int mostVictims) {
      this.trials = trials;
      this.mostVictims = mostVictims;
    }

    boolean isSpent() {
      return trials <= 0;
    }
  }

  private final class Search {
    private final Group claimant;
    private final Freed freed;

    Search(Group claimant, Step step) {
      this.claimant = claimant;
      this.freed = new Freed(session, claimant, step);
    }

    Verdict over(List<Debtor> candidates) {
      if (claimant.next().filter(step -> places(claimant, step)).isPresent()) {
        return Verdict.FOUND; // on what plans before this one left
      }
      if (candidates.isEmpty()) {
        return Verdict.NO_VICTIMS;
      }
      var order = VictimOrder.among(session, shares, candidates);
      var chosen = new ArrayList<Chosen>();
      for (var next = order.next(); next.isPresent(); next = order.next()) {
        chosen.add(next.get());
        for (int node : nodes(next.get())) {
          var near = near(chosen, node);
          if (freed.mayDo(near, node) && holds(near, true)) {
            return Verdict.FOUND;
          }
        }
        if (budget.isSpent()) {
          return Verdict.CUT_SHORT;
        }
      }
      return secondWalk(chosen);
    }

    private Verdict secondWalk(List<Chosen> all) {
      var chosen = new ArrayList<Chosen>();
      for (Chosen next : all) {
        chosen.add(next);
        if (freed.mayDo(chosen) && holds(chosen, false)) {
          keep(chosen);
          return Verdict.FOUND;
        }
        if (budget.isSpent()) {
          return Verdict.CUT_SHORT;
        }
      }
      return Verdict.NO_PLAN;
    }

    /// Gives back what is not needed, the latest first: a step only when no later one of its group
    /// stays taken.
    private void keep(List<Chosen> chosen) {
      var taken = new ArrayList<>(chosen);
      var stays = new LinkedHashSet<Group>(); // by identity: a group is equal to itself only
      for (int i = taken.size() - 1; i >= 0; i--) {
        var step = taken.get(i);
        if (!stays.contains(step.group())) {
          var without = new ArrayList<>(taken);
          without.remove(i);
          if (!without.isEmpty() && freed.mayDo(without) && holds(without, false)) {
            taken = without;
          } else {
            stays.add(step.group());
          }
        }
      }
      if (!holds(taken, true)) {
        throw new IllegalStateException("a plan for " + claimant.key() + " held, and does no more");
      }
    }

    private TreeSet<Integer> nodes(Chosen chosen) {
      var nodes = new TreeSet<Integer>(); // by number is by name
      for (Seat seat : chosen.piece().seats()) {
        nodes.add(seat.now().node());
      }
      return nodes;
    }

    /// The chosen steps with a pod on the node. A group that would fall below its minimum by that
    /// gives all its chosen steps.
    private List<Chosen> near(List<Chosen> chosen, int node) {
      var here = new LinkedHashMap<Group, List<Chosen>>(); // by identity
      for (Chosen each : chosen) {
        if (isOn(each, node)) {
          here.computeIfAbsent(each.group(), _ -> new ArrayList<>()).add(each);
        }
      }
      var near = new ArrayList<Chosen>();
      for (Chosen each : chosen) {
        var ofGroup = here.getOrDefault(each.group(), List.of());
        if (ofGroup.contains(each) || !ofGroup.isEmpty() && breaks(ofGroup)) {
          near.add(each);
        }
      }
      return near;
    }

    /// Whether a group would be below its minimum without these steps.
    private boolean breaks(List<Chosen> steps) {
      boolean core = false;
      for (Chosen step : steps) {
        core |= step.piece().core();
      }
      if (!core) {
        return false;
      }
      try (Statement statement = session.open()) {
        for (Chosen step : steps) {
          for (Seat seat : step.piece().seats()) {
            statement.evict(seat, cause, claimant.key());
          }
        }
        return steps.getFirst().group().isBelowMinimum();
      }
    }

    private static boolean isOn(Chosen chosen, int node) {
      for (Seat seat : chosen.piece().seats()) {
        if (seat.now().node() == node) {
          return true;
        }
      }
      return false;
    }

    /// One trial.
    ///
    /// @param keep whether what holds stays
    private boolean holds(List<Chosen> victims, boolean keep) {
      budget.trials--;
      int pods = 0;
      try (Statement statement = session.open()) {
        var back = new LinkedHashSet<Group>();
        back.add(claimant);
        for (Chosen victim : victims) {
          back.add(victim.group());
          for (Seat seat : victim.piece().seats()) {
            statement.evict(seat, cause, claimant.key());
            pods++;
          }
        }
        if (pods > budget.mostVictims || !placesAgain(List.copyOf(back))) {
          return false;
        }
        boolean holds = agreement.holds(victims);

        if (holds && keep) {
          statement.keep();
          session.claims(claimant);
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
        boolean found = group.next().filter(step -> places(group, step)).isPresent();
        if (group.equals(claimant)) {
          if (!found) {
            return false;
          }
          placed = true;
        }
      }
      return placed;
    }

    private boolean places(Group group, Step step) {
      Optional<?> refusal =
          session.queues().refuses(group.queue(), step.least(), group.isPreemptible());
      return refusal.isEmpty() && blocks.fits(step, group.isBelowMinimum());
    }
  }
}
