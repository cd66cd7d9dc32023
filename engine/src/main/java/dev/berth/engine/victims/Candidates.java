package dev.berth.engine.victims;

import dev.berth.engine.fairness.VictimOrder.Debtor;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Queues;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Who may be asked to leave, and for whom: claimants wait, debtors run and are preemptible.
public final class Candidates {
  private final List<Group> preemptible = new ArrayList<>();

  /// Looks at all groups once; those that were asked to leave meanwhile are left out when asked.
  public Candidates(Session session) {
    for (Group group : session.groups()) {
      boolean may = group.group().preemptibility() != Preemptibility.NON_PREEMPTIBLE;
      if (may && group.queue() != Queues.NONE && standsFirmly(group)) {
        preemptible.add(group);
      }
    }
  }

  /// Groups that wait for themselves. Who was asked to leave in this round is no claimant in it:
  /// his pods are still there, and others will come in their place.
  public static List<Group> claimants(Session session) {
    var claimants = new ArrayList<>(session.waiting());
    claimants.removeIf(Group::isLosing);
    return claimants;
  }

  /// @param may whether the group may be asked
  /// @param coreStays whether only its surplus may go
  public List<Debtor> debtors(Predicate<Group> may, Predicate<Group> coreStays) {
    var debtors = new ArrayList<Debtor>();
    for (Group group : preemptible) {
      if (group.root().isAnyPlaced() && may.test(group)) {
        boolean semi = group.group().preemptibility() == Preemptibility.SEMI_PREEMPTIBLE;
        debtors.add(new Debtor(group, semi || coreStays.test(group)));
      }
    }
    return debtors;
  }

  /// Whether preemptible work of any other queue has a place.
  public boolean anyOutside(int queue) {
    for (Group group : preemptible) {
      if (group.queue() != queue && group.root().isAnyPlaced()) {
        return true;
      }
    }
    return false;
  }

  /// Somebody is there, and nobody is still on the way: what was planned before is not undone.
  private static boolean standsFirmly(Group group) {
    boolean any = false;
    for (Seat seat : group.seats()) {
      if (seat.was() == Seat.Was.PLANNED || seat.was() == Seat.Was.TENTATIVE) {
        return false;
      }
      any |= seat.isPlaced();
    }
    return any;
  }
}
