package dev.berth.engine.fairness;

import dev.berth.engine.fairness.Debtors.Asked;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.session.Budgets.Leavers;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Shape;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;

/// Who would make room for a claimant, were he not protected: on the nodes that it may be on, and
/// only where those who are not protected could not.
///
/// What somebody frees of a node is taken for as much as it can be: that many devices, or room for
/// one member where devices are not what is asked for. So where this tells nobody, protection may
/// still be in the way; whom it tells is.
public final class Protectors {
  private final Session session;
  private final Debtors debtors;
  private final Asked asked;
  private final Shape shape;
  private final Map<Group, Boolean> spared = new IdentityHashMap<>();
  private final Map<Group, Boolean> kept = new IdentityHashMap<>();
  private final TreeSet<DisruptionBudget.Key> budgets = new TreeSet<>();
  private final TreeSet<DisruptionBudget.Key> notRead = new TreeSet<>();

  /// @param members of it that lack a place
  /// @param shape of the largest of them
  public record Lack(int members, Shape shape) {
    /// @param seats that are to be placed together
    public static Lack of(List<Seat> seats) {
      var largest = seats.getFirst().shape();
      for (Seat seat : seats) {
        boolean isLarger = seat.shape().leastThousandths() > largest.leastThousandths();
        largest = isLarger ? seat.shape() : largest;
      }
      var shape = largest;
      return new Lack((int) seats.stream().filter(seat -> seat.shape() == shape).count(), shape);
    }
  }

  /// @param spared groups that a min-runtime protects
  /// @param until when the first of them is protected no longer; `MAX` = that is not known
  /// @param kept groups that disruption budgets keep
  /// @param notRead budgets of which Berth does not know whom they cover
  public record Told(
      int spared,
      Instant until,
      int kept,
      List<DisruptionBudget.Key> budgets,
      List<DisruptionBudget.Key> notRead) {
    static final Told NOBODY = new Told(0, Instant.MAX, 0, List.of(), List.of());
  }

  private Protectors(Session session, Debtors debtors, Asked asked, Shape shape) {
    this.session = session;
    this.debtors = debtors;
    this.asked = asked;
    this.shape = shape;
  }

  /// @param mayBe nodes that the members may be on
  /// @param ends when a group is spared no longer
  public static Told of(
      Session session,
      Debtors debtors,
      Asked asked,
      Lack lack,
      IntPredicate mayBe,
      Function<Group, Instant> ends) {
    return new Protectors(session, debtors, asked, lack.shape).told(lack.members, mayBe, ends);
  }

  private Told told(int members, IntPredicate mayBe, Function<Group, Instant> ends) {
    long without = 0; // members that find room without anybody who is protected
    long with = 0;
    for (int n = 0; n < session.room().nodes(); n++) {
      if (mayBe.test(n)) {
        var node = look(n);
        without += node.without();
        with += node.with();
        if (without >= members) {
          return Told.NOBODY;
        }
      }
    }
    if (with < members) {
      return Told.NOBODY;
    }
    var until = Instant.MAX;
    for (Group group : spared.keySet()) {
      var end = ends.apply(group);
      until = end.isBefore(until) ? end : until;
    }
    return new Told(spared.size(), until, kept.size(), List.copyOf(budgets), List.copyOf(notRead));
  }

  /// Members that would find room on a node.
  private record Fitting(long without, long with) {}

  private Fitting look(int n) {
    long free = free(n);
    long protectedToo = 0;
    var stay = new ArrayList<Chosen>(0);
    var leavers = session.budgets().leavers();
    for (Chosen step : debtors.on(n, asked.whoeverIsSpared())) {
      long frees = frees(step, n);
      if (frees > 0 && isProtected(step, leavers)) {
        stay.add(step);
        protectedToo += frees;
      } else {
        free += frees;
      }
    }
    long need = need();
    var fitting = new Fitting(free / need, (free + protectedToo) / need);
    if (fitting.with > fitting.without) {
      stay.forEach(this::note);
    }
    return fitting;
  }

  private boolean isProtected(Chosen step, Leavers leavers) {
    return isSpared(step) || !asked.againstBudgets() && !leavers.add(step.piece().seats());
  }

  private boolean isSpared(Chosen step) {
    return step.piece().core() && asked.coreStays().test(step.group())
        || asked.stays().test(step.group());
  }

  private void note(Chosen step) {
    if (isSpared(step)) {
      spared.put(step.group(), true);
      return;
    }
    kept.put(step.group(), true);
    var seats = step.piece().seats();
    var keeping =
        session.budgets().keeping(seats).orElseGet(() -> session.budgets().covering(seats));
    budgets.addAll(keeping.budgets());
    notRead.addAll(keeping.notRead());
  }

  // In thousandths of devices where devices are asked for, else one for each pod.

  private long need() {
    return shape.usesDevices() ? Math.max(1, shape.leastThousandths()) : 1;
  }

  private long free(int n) {
    int device = session.room().device(n);
    return shape.usesDevices() && device >= 0
        ? Math.max(0, session.room().freeSoon(n, device)) * 1000
        : 0;
  }

  private long frees(Chosen step, int n) {
    long frees = 0;
    for (Seat seat : step.piece().seats()) {
      if (seat.now().node() == n) {
        frees += shape.usesDevices() ? seat.shape().leastThousandths() : 1;
      }
    }
    return frees;
  }
}
