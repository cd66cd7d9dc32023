package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.NodeCopy;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Where one pod would find room if a few others moved: by node, those whose leaving is needed, of
/// the pods that may find another place.
final class NodeSets {
  private final Session session;
  private final BlockPlacement blocks;
  private final VictimCandidates candidates;
  private final SearchBudget budget;

  NodeSets(SearchContext search) {
    this.session = search.session();
    this.blocks = search.blocks();
    this.candidates = search.candidates();
    this.budget = search.budget();
  }

  /// @param steps last to first; none of them could stay
  /// @param pods of all these steps, those on other nodes included
  /// @param thousandths of devices that these pods have
  record NodeSet(int node, List<ChosenUnit> steps, int pods, long thousandths) {
    private static final Comparator<NodeSet> CHEAPEST_FIRST =
        Comparator.comparingInt(NodeSet::pods)
            .thenComparingLong(NodeSet::thousandths)
            .thenComparingInt(NodeSet::node);
  }

  /// Fewest pods first; equal ones by devices, then by name of node.
  ///
  /// @param mostPods sets of more are left out
  List<NodeSet> of(MemberState seat, Asked asked, int mostPods) {
    var room = session.room();
    var sets = new ArrayList<NodeSet>();
    budget.looksAt(room.nodes());
    for (int n = 0; n < room.nodes() && !budget.isDropped(); n++) {
      if (blocks.allows(seat, n) && mayEverHold(room, seat, n)) {
        var steps = candidates.on(n, asked);
        budget.looksAt(steps.size());
        new OfNode(seat, n, mostPods, sets).find(steps);
      }
    }
    sets.sort(NodeSet.CHEAPEST_FIRST);
    return sets;
  }

  /// Whether the node is large enough.
  private static boolean mayEverHold(FreeCapacity room, MemberState seat, int n) {
    var podClass = seat.podClass();
    for (int i = 0; i < podClass.needs(); i++) {
      if (podClass.need(i) > room.allocatable(n, podClass.resource(i))) {
        return false;
      }
    }
    return true;
  }

  /// The pods that may find another place: by their shape as things are, and by their budgets.
  private List<ChosenUnit> movable(List<ChosenUnit> steps) {
    var movable = new ArrayList<ChosenUnit>(steps.size());
    for (ChosenUnit step : steps) {
      boolean may = true;
      for (MemberState seat : step.unit().seats()) {
        may = may && blocks.mayMove(seat);
      }
      if (may && session.budgets().leavers().add(step.unit().seats())) {
        movable.add(step);
      }
    }
    return movable;
  }

  /// The sets of one node that may do: each single step that is enough; where none is, what stays
  /// of all movable ones when steps that need not leave are given back, the latest or the smallest
  /// first; and as many as it takes in victim order, of which some may come back.
  private final class OfNode {
    private final MemberState seat;
    private final int n;
    private final int mostPods;
    private final List<NodeSet> sets;
    private final NodeCopy copy;
    private final int before;

    OfNode(MemberState seat, int n, int mostPods, List<NodeSet> sets) {
      this.seat = seat;
      this.n = n;
      this.mostPods = mostPods;
      this.sets = sets;
      this.copy = new NodeCopy(session, n);
      this.before = sets.size();
    }

    void find(List<ChosenUnit> steps) {
      var movable = movable(steps);
      if (!leavesRoom(movable)) {
        return;
      }
      for (ChosenUnit step : movable) {
        if (leavesRoom(List.of(step))) {
          add(List.of(step));
        }
      }
      if (sets.size() == before) {
        needed(movable);
        var largestFirst = new ArrayList<>(movable);
        largestFirst.sort(Comparator.comparingLong(NodeSets::thousandths).reversed());
        needed(largestFirst);
      }
      for (int count = 2; count <= steps.size(); count++) {
        var first = steps.subList(0, count);
        if (leavesRoom(first)) {
          add(first);
          return;
        }
      }
    }

    private boolean leavesRoom(List<ChosenUnit> steps) {
      steps.forEach(step -> copy.leave(step.unit()));
      boolean has = hasRoom();
      steps.forEach(step -> copy.stay(step.unit()));
      return has;
    }

    private boolean hasRoom() {
      return BlockPlacement.hasRoom(copy.room(), seat);
    }

    /// What is needed of these, the last ones given back first.
    private void needed(List<ChosenUnit> all) {
      all.forEach(step -> copy.leave(step.unit()));
      var needed = new ArrayList<ChosenUnit>();
      for (ChosenUnit step : all.reversed()) {
        copy.stay(step.unit());
        if (!hasRoom()) {
          copy.leave(step.unit());
          needed.addFirst(step);
        }
      }
      needed.forEach(step -> copy.stay(step.unit()));
      add(needed);
    }

    private void add(List<ChosenUnit> steps) {
      int pods = 0;
      long thousandths = 0;
      for (ChosenUnit step : steps) {
        pods += step.unit().seats().size();
        thousandths += thousandths(step);
      }
      if (pods <= mostPods) {
        sets.add(new NodeSet(n, List.copyOf(steps), pods, thousandths));
      }
    }
  }

  private static long thousandths(ChosenUnit step) {
    long sum = 0;
    for (MemberState seat : step.unit().seats()) {
      var assignment = seat.now();
      boolean shares = seat.podClass().isShare();
      sum +=
          shares
              ? (long) assignment.slots().length * assignment.millis()
              : 1000L * seat.podClass().devices().count();
    }
    return sum;
  }
}
