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
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;

/// Who would make room for a claimant, were he not protected: on the nodes that it may be on, and
/// only where those who are not protected could not.
///
/// What somebody frees of a node is taken for as much as it can be: that many devices, or room for
/// one member where devices are not what is asked for. So where this tells nobody, protection may
/// still be in the way; whom it tells is.
///
/// What the pods of a node would free is found out once for all claimants of a queue and priority,
/// when first asked, and at most [#MOST_LOOKS] times: of claimants beyond nobody is told.
public final class Protectors {
  /// Nodes that are looked at.
  private static final int MOST_LOOKS = 20_000;

  private final Session session;
  private final Debtors debtors;

  // Looked up only.
  private final HashMap<Question, Nodes> nodes = new HashMap<>();
  private int looks;

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

    private boolean ofDevices() {
      return shape.usesDevices();
    }

    /// In thousandths of devices where devices are asked for, else one for each pod.
    private long need() {
      return ofDevices() ? Math.max(1, shape.leastThousandths()) : 1;
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

  /// What those who are asked, and their protection, depend on.
  private record Question(
      int queue,
      long below,
      List<Integer> leaves,
      boolean againstBudgets,
      boolean shortened,
      boolean overruled,
      boolean ofDevices,
      long settled) {}

  /// What is free of a node, what those free who are not protected, and the others.
  private record Freed(long free, long more, List<Chosen> stay) {}

  private record Room(long need, int members, BitSet nodes) {}

  private record Alike(int shape, int members) {}

  /// Nodes as far as they were looked at for one question.
  private static final class Nodes {
    private final HashMap<Integer, Freed> freed = new HashMap<>();
    private final HashMap<Room, Told> told = new HashMap<>();
    private final HashMap<Alike, Told> toldByShape = new HashMap<>();
  }

  public Protectors(Session session, Debtors debtors) {
    this.session = session;
    this.debtors = debtors;
  }

  /// @param mayBe nodes that the members may be on
  /// @param asItsShape whether all of that shape may be on these
  /// @param ends when a group is spared no longer
  public Told of(
      Asked asked,
      Lack lack,
      IntPredicate mayBe,
      boolean asItsShape,
      Function<Group, Instant> ends) {
    var question = question(asked, lack.ofDevices());
    if (question.leaves.isEmpty()) {
      return Told.NOBODY;
    }
    var known = nodes.computeIfAbsent(question, _ -> new Nodes());
    var alike = new Alike(lack.shape.id(), lack.members);
    var ofShape = asItsShape ? known.toldByShape.get(alike) : null;
    if (ofShape != null) {
      return ofShape;
    }
    var told = told(known, asked, lack, mayBe, ends);
    if (asItsShape) {
      known.toldByShape.put(alike, told);
    }
    return told;
  }

  private Told told(
      Nodes known, Asked asked, Lack lack, IntPredicate mayBe, Function<Group, Instant> ends) {
    var bits = new BitSet(session.room().nodes());
    for (int n = 0; n < session.room().nodes(); n++) {
      bits.set(n, mayBe.test(n));
    }
    var room = new Room(lack.need(), lack.members, bits);
    var before = known.told.get(room);
    if (before != null) {
      return before;
    }
    var told = told(known, asked, room, lack.ofDevices(), ends);
    known.told.put(room, told);
    return told;
  }

  private Question question(Asked asked, boolean ofDevices) {
    var leaves = new ArrayList<Integer>();
    for (int queue : debtors.queues()) {
      if (asked.queues().test(queue) && debtors.isAnyBelow(queue, asked.below())) {
        leaves.add(queue);
      }
    }
    return new Question(
        asked.claimant().queue(),
        asked.below(),
        leaves,
        asked.againstBudgets(),
        asked.shortened(),
        session.budgets().areOverruled(),
        ofDevices,
        session.settled());
  }

  private Told told(
      Nodes known, Asked asked, Room room, boolean ofDevices, Function<Group, Instant> ends) {
    long without = 0; // members that find room without anybody who is protected
    long with = 0;
    var stay = new ArrayList<Chosen>();
    for (int n = room.nodes.nextSetBit(0); n >= 0; n = room.nodes.nextSetBit(n + 1)) {
      var freed = known.freed.get(n);
      if (freed == null) {
        if (++looks > MOST_LOOKS) {
          return Told.NOBODY;
        }
        freed = look(n, asked, ofDevices);
        known.freed.put(n, freed);
      }
      long unprotected = freed.free + freed.more;
      long all = unprotected;
      for (Chosen step : freed.stay) {
        all += frees(step, n, ofDevices);
      }
      without += unprotected / room.need;
      with += all / room.need;
      if (without >= room.members) {
        return Told.NOBODY;
      }
      if (all / room.need > unprotected / room.need) {
        stay.addAll(freed.stay);
      }
    }
    return with < room.members ? Told.NOBODY : told(stay, asked, ends);
  }

  private Freed look(int n, Asked asked, boolean ofDevices) {
    long more = 0;
    var stay = new ArrayList<Chosen>(0);
    var leavers = session.budgets().leavers();
    for (Chosen step : debtors.on(n, asked.whoeverIsSpared())) {
      long frees = frees(step, n, ofDevices);
      if (frees > 0 && isProtected(step, asked, leavers)) {
        stay.add(step);
      } else {
        more += frees;
      }
    }
    return new Freed(free(n, ofDevices), more, stay);
  }

  private static boolean isProtected(Chosen step, Asked asked, Leavers leavers) {
    return isSpared(step, asked) || !asked.againstBudgets() && !leavers.add(step.piece().seats());
  }

  private static boolean isSpared(Chosen step, Asked asked) {
    return step.piece().core() && asked.coreStays().test(step.group())
        || asked.stays().test(step.group());
  }

  private Told told(List<Chosen> stay, Asked asked, Function<Group, Instant> ends) {
    var spared = new IdentityHashMap<Group, Boolean>();
    var kept = new IdentityHashMap<Group, Boolean>();
    var budgets = new TreeSet<DisruptionBudget.Key>();
    var notRead = new TreeSet<DisruptionBudget.Key>();
    for (Chosen step : stay) {
      if (isSpared(step, asked)) {
        spared.put(step.group(), true);
      } else if (kept.put(step.group(), true) == null) {
        var seats = step.piece().seats();
        var keeping =
            session.budgets().keeping(seats).orElseGet(() -> session.budgets().covering(seats));
        budgets.addAll(keeping.budgets());
        notRead.addAll(keeping.notRead());
      }
    }
    var until = Instant.MAX;
    for (Group group : spared.keySet()) {
      var end = ends.apply(group);
      until = end.isBefore(until) ? end : until;
    }
    return new Told(spared.size(), until, kept.size(), List.copyOf(budgets), List.copyOf(notRead));
  }

  private long free(int n, boolean ofDevices) {
    int device = session.room().device(n);
    return ofDevices && device >= 0 ? Math.max(0, session.room().freeSoon(n, device)) * 1000 : 0;
  }

  private static long frees(Chosen step, int n, boolean ofDevices) {
    long frees = 0;
    for (Seat seat : step.piece().seats()) {
      if (seat.now().node() == n) {
        frees += ofDevices ? seat.shape().leastThousandths() : 1;
      }
    }
    return frees;
  }
}
