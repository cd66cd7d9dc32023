package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.PendingGroups;
import dev.berth.engine.fairness.QueueOrder;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.Charge;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Tries sets of victims for one preemptor: they leave; then the preemptor and every group that
/// lost something are placed again in the ordinary order and through the gates, each with one next
/// step.
final class Trial {
  private final Session session;
  private final Shares shares;
  private final BlockPlacement blocks;
  private final PendingGroups waiting;
  private final VictimCandidates candidates;
  private final SearchBudget budget;
  private final Group preemptor;
  private final Cause cause;
  private final TrialCondition agreement;
  private final PlacementStep step;

  /// @param step of the preemptor, or a part of it
  Trial(
      SearchContext search,
      Group preemptor,
      PlacementStep step,
      Cause cause,
      TrialCondition agreement) {
    this.session = search.session();
    this.shares = search.shares();
    this.blocks = search.blocks();
    this.waiting = search.waiting();
    this.candidates = search.candidates();
    this.budget = search.budget();
    this.preemptor = preemptor;
    this.step = step;
    this.cause = cause;
    this.agreement = agreement;
  }

  /// Of the preemptor, or a part of it.
  PlacementStep step() {
    return step;
  }

  TrialCondition agreement() {
    return agreement;
  }

  /// What stays of a trial that holds.
  enum Keep {
    NOTHING,
    /// All of it, if the action welcomes it.
    IF_WELCOME,
    ALL
  }

  /// A trial that holds.
  ///
  /// @param leaving the victims that do not come back to their own place
  record Held(List<ChosenUnit> leaving, boolean isWelcome) {}

  /// @param keep whether what holds stays
  boolean holds(List<ChosenUnit> victims, boolean keep) {
    return held(victims, keep ? Keep.ALL : Keep.NOTHING).isPresent();
  }

  /// Empty where the trial does not hold.
  Optional<Held> held(List<ChosenUnit> victims, Keep keep) {
    waiting.lineUp();
    var homes = new IdentityHashMap<MemberState, Assignment>();
    var atOnce = new ArrayList<MemberState>(); // with a place of this round that is free now
    try (Statement statement = session.open()) {
      var back = new LinkedHashSet<Group>();
      back.add(preemptor);
      int pods = 0;
      for (ChosenUnit victim : victims) {
        back.add(victim.group());
        for (MemberState seat : victim.unit().seats()) {
          homes.put(seat, seat.now());
          if (seat.isNew() && !seat.waits()) {
            atOnce.add(seat);
          }
          statement.evict(seat, cause, preemptor.key());
          pods++;
        }
      }
      budget.tries(pods);
      var placed = new ArrayList<MemberState>();
      if (!placesAgain(List.copyOf(back), placed, statement)) {
        return Optional.empty();
      }
      if (!session.budgets().hold() || !blocks.keepsPeersTogether() || !agreement.holds(victims)) {
        return Optional.empty();
      }
      boolean isWelcome = agreement.isWelcome(victims);
      if (keep == Keep.ALL || keep == Keep.IF_WELCOME && isWelcome) {
        if (!agreement.losesNothing()) {
          back.forEach(group -> letRestStay(group, placed));
        }
        atOnce.removeIf(seat -> !seat.now().isSame(homes.getOrDefault(seat, Assignment.NOWHERE)));
        letTheOthersWait(statement, atOnce, placed);
        statement.keep();
        budget.finds(pods);
        session.preemptors().add(preemptor);
        back.forEach(candidates::changed);
      }
      return Optional.of(
          new Held(
              without(
                  victims, seat -> seat.now().isSame(homes.getOrDefault(seat, Assignment.NOWHERE))),
              isWelcome));
    }
  }

  /// A core leaves where the victims before it, the last members, did not free enough. Of unlike
  /// members others may have: if as many as the minimum find their own room beside the preemptor,
  /// below their queue's limits, the smallest first, they stay, and no member starts elsewhere
  /// instead. Else all of it leaves, to begin anew with those that are small enough. (Of equal ones
  /// all leave: policy cases.)
  private void letRestStay(Group group, List<MemberState> placed) {
    if (group.equals(preemptor) || !group.root().isLeaf()) {
      return;
    }
    var victims = new ArrayList<MemberState>();
    for (MemberState seat : group.seats()) {
      if (seat.isVictim()) {
        victims.add(seat);
      }
    }
    victims.sort(Comparator.comparingLong(Trial::size));
    if (victims.isEmpty() || size(victims.getFirst()) == size(victims.getLast())) {
      return;
    }
    try (Statement rest = session.open()) {
      for (MemberState seat : placed) {
        if (seat.group().equals(group) && seat.isPlaced() && !seat.isAtHome()) {
          rest.evict(seat, cause, preemptor.key());
        }
      }
      boolean hasLostItsCore = group.isBelowMinimum();
      for (MemberState seat : victims) {
        if (group.isBelowMinimum() && blocks.mayStay(seat) && queueHasRoomFor(seat)) {
          rest.place(seat, seat.origin(), seat.isInBlock());
        }
      }
      if (hasLostItsCore && !group.isBelowMinimum()) {
        placed.removeIf(seat -> !seat.isPlaced());
        rest.keep();
      }
    }
  }

  /// Whether limits, and the quota of work that may not borrow, let it stay beside the preemptor.
  private boolean queueHasRoomFor(MemberState seat) {
    Group group = seat.group();
    Charge charge = session.charges().atOrigin(seat);
    return QueueLimits.refusal(session.queues(), group, charge).isEmpty();
  }

  private static long size(MemberState seat) {
    return seat.podClass().leastThousandths();
  }

  /// A victim that has its place again starts at once, as if it had never been chosen: the others
  /// wait for the room that is left, though they precede it.
  private static void letTheOthersWait(
      Statement statement, List<MemberState> atOnce, ArrayList<MemberState> placed) {
    if (atOnce.stream().noneMatch(MemberState::waits)) {
      return;
    }
    var spots = new LinkedHashMap<MemberState, Assignment>();
    atOnce.forEach(seat -> spots.put(seat, seat.now()));
    placed.removeIf(seat -> !seat.isPlaced() || seat.isAtHome());
    placed.forEach(seat -> spots.putIfAbsent(seat, seat.now()));
    for (MemberState seat : spots.keySet()) {
      statement.evict(seat, seat.cause(), seat.beneficiary());
    }
    spots.forEach((seat, assignment) -> statement.place(seat, assignment, seat.isInBlock()));
  }

  /// Victims without some of their seats.
  static List<ChosenUnit> without(List<ChosenUnit> victims, Predicate<MemberState> some) {
    var left = new ArrayList<ChosenUnit>(victims.size());
    for (ChosenUnit each : victims) {
      var seats = new ArrayList<>(each.unit().seats());
      seats.removeIf(some);
      if (seats.size() == each.unit().seats().size()) {
        left.add(each);
      } else if (!seats.isEmpty()) {
        left.add(new ChosenUnit(each.group(), new EvictionUnit(seats, each.unit().core())));
      }
    }
    return left;
  }

  /// Whether the preemptor finds its place among the victims that lost theirs.
  ///
  /// @param seats gets those that are placed
  private boolean placesAgain(List<Group> groups, List<MemberState> seats, Statement statement) {
    var order = QueueOrder.among(session, shares, groups, waiting, this::next);
    boolean placed = places(order, seats, statement);
    budget.looksAt(order.looks());
    return placed;
  }

  private boolean places(QueueOrder order, List<MemberState> seats, Statement statement) {
    boolean placed = false;
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      Group group = next.get();
      var found =
          next(group)
              .filter(again -> places(group, again))
              .filter(again -> group.equals(preemptor) || comesBack(again, statement));
      found.ifPresent(again -> seats.addAll(again.all()));
      if (group.equals(preemptor)) {
        if (found.isEmpty()) {
          return false;
        }
        placed = true;
      } else if (found.isEmpty() && agreement.losesNothing()) {
        return false;
      }
    }
    return placed;
  }

  /// A pod without an owner is not created anew. So a step that starts elsewhere with such a pod
  /// does not start, and all of it leaves: what is left of a core would be no gang.
  private boolean comesBack(PlacementStep placed, Statement statement) {
    boolean lost = false;
    for (MemberState seat : placed.all()) {
      lost |= seat.isVictim() && seat.isOrphan();
    }
    if (lost) {
      placed.all().forEach(seat -> statement.evict(seat, cause, preemptor.key()));
    }
    return !lost;
  }

  private Optional<PlacementStep> next(Group group) {
    return group.equals(preemptor) ? Optional.of(step) : group.next();
  }

  private boolean places(Group group, PlacementStep next) {
    return !refuses(session, group, next) && blocks.fits(next, group.isBelowMinimum());
  }

  Cause cause() {
    return cause;
  }

  /// Whether the queues of a group have no room for a step, wherever it is placed.
  static boolean refuses(Session session, Group group, PlacementStep next) {
    return QueueLimits.refusal(session.queues(), group, next.least()).isPresent();
  }
}
