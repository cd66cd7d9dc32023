package dev.berth.engine.fairness;

import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.Budgets.Leavers;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntPredicate;

/// Which protected pods would make room for a preemptor: on the nodes that it may be on, and only
/// where unprotected ones could not.
///
/// What a unit frees of a node is taken for as much as it can be: that many devices, or room for
/// one member where devices are not what is asked for. So where this names no unit, protection may
/// still be in the way; the units that it names are.
///
/// What the pods of a node would free is found out once for all preemptors of a queue and priority,
/// when first asked, and at most [#MOST_LOOKS] times: further preemptors get no answer.
public final class Protectors {
  /// Nodes that are looked at.
  private static final int MOST_LOOKS = 20_000;

  /// Steps that a round takes to say whether there would be room: a queue that is asked is one, a
  /// node that is looked at is one, and so are [#KNOWN] that were looked at before. A few
  /// milliseconds: each round takes them anew.
  private static final int MOST_STEPS = 2_000;

  private static final int KNOWN = 32;

  private final Session session;
  private final VictimCandidates candidates;

  // Looked up only.
  private final HashMap<Question, Nodes> nodes = new HashMap<>();
  private int looks;
  private long stepsForRoom;

  /// @param members of a preemptor that lack a place
  /// @param first of them
  public record Lack(int members, MemberState first) {
    /// The largest of seats that are to be placed together, and those like it.
    public static Lack of(List<MemberState> seats) {
      var largest = seats.getFirst();
      for (MemberState seat : seats) {
        boolean isLarger =
            seat.podClass().leastThousandths() > largest.podClass().leastThousandths();
        largest = isLarger ? seat : largest;
      }
      var podClass = largest.podClass();
      int alike = (int) seats.stream().filter(seat -> seat.podClass() == podClass).count();
      return new Lack(alike, largest);
    }

    private boolean ofDevices() {
      return first.podClass().usesDevices();
    }

    /// In thousandths of devices where devices are asked for, else one for each pod.
    private long need() {
      return ofDevices() ? Math.max(1, first.podClass().leastThousandths()) : 1;
    }
  }

  /// @param spared groups that a min-runtime protects
  /// @param sparedQueues theirs, by their numbers, each once
  /// @param until when the first of them is protected no longer; `MAX` = that is not known
  /// @param kept groups that disruption budgets keep
  /// @param notRead budgets of which Berth does not know which pods they cover
  public record Told(
      int spared,
      List<Integer> sparedQueues,
      Instant until,
      int kept,
      List<DisruptionBudget.Key> budgets,
      List<DisruptionBudget.Key> notRead) {
    static final Told NONE = new Told(0, List.of(), Instant.MAX, 0, List.of(), List.of());

    /// Too many nodes were looked at: each of these queues may have some that would matter.
    static Told unknown(List<Integer> queues) {
      return new Told(0, queues, Instant.MAX, 0, List.of(), List.of());
    }
  }

  /// What the candidates, and their protection, depend on.
  private record Question(
      int queue,
      long below,
      List<Integer> leaves,
      Map<QueueName, Instant> waits,
      boolean overruled,
      boolean ofDevices,
      long settled) {}

  /// What of a node is free, or would be.
  ///
  /// @param uncovered if no pod left that a disruption budget covers
  /// @param without the protected ones
  /// @param stay steps of the protected ones
  /// @param covered steps of others that budgets cover, and allow as far as this node goes
  /// @param largest that any pod of those frees
  private record Freed(
      long uncovered,
      long without,
      long with,
      List<ChosenUnit> stay,
      List<ChosenUnit> covered,
      long largest) {}

  private record NeededCapacity(long need, int members, BitSet nodes) {}

  private record MemberClass(int podClass, int members) {}

  /// Nodes as far as they were looked at for one question.
  private static final class Nodes {
    private final HashMap<Integer, Freed> freed = new HashMap<>();
    private final HashMap<NeededCapacity, Told> told = new HashMap<>();
    private final HashMap<MemberClass, Told> toldByShape = new HashMap<>();
    private final HashMap<MemberClass, Boolean> roomByShape = new HashMap<>();
  }

  public Protectors(Session session, VictimCandidates candidates) {
    this.session = session;
    this.candidates = candidates;
  }

  /// @param asked the same for all preemptors of this, but for queues and priority
  /// @param mayBe nodes that the members may be on
  /// @param ends when a group is spared no longer
  public Told of(Asked asked, Lack lack, IntPredicate mayBe, Function<Group, Instant> ends) {
    var question = question(asked, lack.ofDevices());
    if (question.leaves.isEmpty()) {
      return Told.NONE;
    }
    var known = nodes.computeIfAbsent(question, _ -> new Nodes());
    if (!lack.first.member().vetoes().isEmpty()) { // it may be on fewer nodes than its like
      return told(known, asked, lack, mayBe, ends);
    }
    var alike = new MemberClass(lack.first.podClass().id(), lack.members);
    var before = known.toldByShape.get(alike);
    var told = before == null ? told(known, asked, lack, mayBe, ends) : before;
    known.toldByShape.put(alike, told);
    return told;
  }

  /// Whether the nodes would have room for the members if all pods left that may be asked, be they
  /// protected or not. False where it is not known, once [#MOST_STEPS] were taken.
  public boolean mayMakeRoom(Asked asked, Lack lack, IntPredicate mayBe) {
    stepsForRoom += session.queues().size();
    if (stepsForRoom > MOST_STEPS) {
      return false;
    }
    var question = question(asked, lack.ofDevices());
    if (question.leaves.isEmpty()) {
      return false;
    }
    var known = nodes.computeIfAbsent(question, _ -> new Nodes());
    boolean isOfShape = lack.first.member().vetoes().isEmpty();
    var alike = new MemberClass(lack.first.podClass().id(), lack.members);
    var before = isOfShape ? known.roomByShape.get(alike) : null;
    boolean isRoom = before == null ? mayMakeRoom(known, asked, lack, mayBe) : before;
    if (isOfShape) {
      known.roomByShape.put(alike, isRoom);
    }
    return isRoom;
  }

  private boolean mayMakeRoom(Nodes known, Asked asked, Lack lack, IntPredicate mayBe) {
    long members = 0;
    for (int n = 0; n < session.room().nodes(); n++) {
      stepsForRoom += n % KNOWN == 0 ? 1 : 0;
      if (mayBe.test(n)) {
        var freed = known.freed.get(n);
        if (freed == null) {
          if (++stepsForRoom > MOST_STEPS) {
            return false;
          }
          freed = look(n, asked, lack.ofDevices());
          known.freed.put(n, freed);
        }
        members += freed.with / lack.need();
        if (members >= lack.members) {
          return true;
        }
      }
    }
    return false;
  }

  private Told told(
      Nodes known, Asked asked, Lack lack, IntPredicate mayBe, Function<Group, Instant> ends) {
    var bits = new BitSet(session.room().nodes());
    for (int n = 0; n < session.room().nodes(); n++) {
      bits.set(n, mayBe.test(n));
    }
    var room = new NeededCapacity(lack.need(), lack.members, bits);
    var before = known.told.get(room);
    var told = before == null ? told(known, asked, room, lack.ofDevices(), ends) : before;
    known.told.put(room, told);
    return told;
  }

  private List<Integer> leaves(Asked asked) {
    var leaves = new ArrayList<Integer>();
    for (int queue : candidates.queues()) {
      if (asked.queues().test(queue) && candidates.isAnyBelow(queue, asked.below())) {
        leaves.add(queue);
      }
    }
    return leaves;
  }

  private Question question(Asked asked, boolean ofDevices) {
    return new Question(
        asked.preemptor().queue(),
        asked.below(),
        leaves(asked),
        session.snapshot().past().minRuntimeWaits().of(asked.preemptor().key()),
        session.budgets().areOverruled(),
        ofDevices,
        session.settled());
  }

  private Told told(
      Nodes known,
      Asked asked,
      NeededCapacity room,
      boolean ofDevices,
      Function<Group, Instant> ends) {
    long without = 0; // members that find room without any protected pod
    long with = 0;
    long uncovered = 0; // the same without any pod that a budget covers
    long largest = 0;
    var bound = session.budgets().bound();
    var stay = new ArrayList<ChosenUnit>();
    var covered = new ArrayList<ChosenUnit>();
    for (int n = room.nodes.nextSetBit(0); n >= 0; n = room.nodes.nextSetBit(n + 1)) {
      var freed = known.freed.get(n);
      if (freed == null) {
        if (++looks > MOST_LOOKS) {
          return Told.unknown(leaves(asked));
        }
        freed = look(n, asked, ofDevices);
        known.freed.put(n, freed);
      }
      uncovered += freed.uncovered / room.need;
      without += freed.without / room.need;
      with += freed.with / room.need;
      largest = Math.max(largest, freed.largest);
      freed.covered.forEach(step -> bound.add(step.unit().seats()));
      covered.addAll(freed.covered);
      long most = uncovered + bound.most() * Math.ceilDiv(largest, room.need);
      if (without >= room.members && most >= room.members) {
        return Told.NONE;
      }
      if (freed.with / room.need > freed.without / room.need) {
        stay.addAll(freed.stay);
      }
    }
    if (with < room.members) {
      return Told.NONE;
    }
    if (without >= room.members) { // budgets let too few go of all that they cover
      stay.addAll(covered);
    }
    return told(stay, asked, ends);
  }

  private Freed look(int n, Asked asked, boolean ofDevices) {
    long uncovered = free(n, ofDevices);
    long without = uncovered;
    long more = 0;
    long largest = 0;
    var stay = new ArrayList<ChosenUnit>(0);
    var covered = new ArrayList<ChosenUnit>(0);
    var leavers = session.budgets().leavers();
    for (ChosenUnit step : candidates.on(n, asked.sparedToo())) {
      long frees = frees(step, n, ofDevices);
      if (frees > 0 && isProtected(step, asked, leavers)) {
        stay.add(step);
        more += frees;
      } else if (frees > 0 && session.budgets().cover(step.unit().seats())) {
        covered.add(step);
        without += frees;
        largest = Math.max(largest, largest(step, ofDevices));
      } else {
        uncovered += frees;
        without += frees;
      }
    }
    return new Freed(uncovered, without, without + more, stay, covered, largest);
  }

  private static long largest(ChosenUnit step, boolean ofDevices) {
    long largest = 1;
    for (MemberState seat : step.unit().seats()) {
      largest = Math.max(largest, ofDevices ? seat.podClass().leastThousandths() : 1);
    }
    return largest;
  }

  private static boolean isProtected(ChosenUnit step, Asked asked, Leavers leavers) {
    return isSpared(step, asked) || !leavers.add(step.unit().seats());
  }

  private static boolean isSpared(ChosenUnit step, Asked asked) {
    return step.unit().core() && asked.coreStays().test(step.group())
        || asked.stays().test(step.group());
  }

  private Told told(List<ChosenUnit> stay, Asked asked, Function<Group, Instant> ends) {
    var spared = new HashSet<Group>();
    var kept = new HashSet<Group>();
    var budgets = new TreeSet<DisruptionBudget.Key>();
    var notRead = new TreeSet<DisruptionBudget.Key>();
    for (ChosenUnit step : stay) {
      if (isSpared(step, asked)) {
        spared.add(step.group());
      } else if (kept.add(step.group())) {
        var seats = step.unit().seats();
        var keeping =
            session.budgets().keeping(seats).orElseGet(() -> session.budgets().covering(seats));
        budgets.addAll(keeping.budgets());
        notRead.addAll(keeping.notRead());
      }
    }
    var until = Instant.MAX;
    for (Group group : spared) {
      var end = ends.apply(group);
      until = end.isBefore(until) ? end : until;
    }
    var queues = spared.stream().map(Group::queue).distinct().sorted().toList();
    return new Told(
        spared.size(), queues, until, kept.size(), List.copyOf(budgets), List.copyOf(notRead));
  }

  private long free(int n, boolean ofDevices) {
    int device = session.room().device(n);
    return ofDevices && device >= 0 ? Math.max(0, session.room().freeSoon(n, device)) * 1000 : 0;
  }

  private static long frees(ChosenUnit step, int n, boolean ofDevices) {
    long frees = 0;
    for (MemberState seat : step.unit().seats()) {
      if (seat.now().node() == n) {
        frees += ofDevices ? seat.podClass().leastThousandths() : 1;
      }
    }
    return frees;
  }
}
