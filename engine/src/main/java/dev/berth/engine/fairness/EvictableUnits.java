package dev.berth.engine.fairness;

import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.session.EvictionUnit;
import dev.berth.engine.session.EvictionUnits;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.QueueTree;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The steps in which a group may be asked to leave at all: not those of a group that is not
/// preemptible or of no queue, nor plans that are not to be undone.
final class EvictableUnits {
  private EvictableUnits() {}

  /// Its surplus, then its core, as far as they may leave; empty where nothing may.
  static List<EvictionUnit> of(Group group) {
    var preemptibility = group.group().preemptibility();
    boolean may = preemptibility != Preemptibility.NON_PREEMPTIBLE;
    if (!may || group.queue() == QueueTree.NONE || !standsFirmly(group)) {
      return List.of();
    }
    boolean semi = preemptibility == Preemptibility.SEMI_PREEMPTIBLE;
    return settled(group, semi ? EvictionUnits.surplus(group) : EvictionUnits.of(group));
  }

  /// A member is there, and none has a plan that is made again in this round.
  private static boolean standsFirmly(Group group) {
    boolean any = false;
    for (MemberState seat : group.seats()) {
      if (seat.isPromised()) {
        return false;
      }
      any |= seat.isPlaced();
    }
    return any;
  }

  /// Without pieces that have plans alone and no Bindings yet, as what was planned before, or is
  /// [resumed][dev.berth.engine.model.PodGroup#resumed], is not undone: they leave with the core,
  /// which none of them is to outlast, and spare no pod but themselves. A piece of which some run
  /// leaves with its planned members, unless a block of them is being bound: that is over soon, and
  /// until then the core stays, too.
  private static List<EvictionUnit> settled(Group group, List<EvictionUnit> units) {
    if (units.stream().noneMatch(unit -> hasAny(unit, EvictableUnits::isPlanned))) {
      return units;
    }
    var begun = begunBlocks(group);
    var settled = new ArrayList<EvictionUnit>(units.size());
    var planned = new ArrayList<MemberState>();
    boolean coreStays = false;
    for (EvictionUnit unit : units) {
      boolean runs = hasAny(unit, MemberState::runs);
      boolean isBeingBound =
          hasAny(unit, seat -> isPlanned(seat) && begun.contains(seat.planned().gang()));
      coreStays |= isBeingBound;
      if (!runs && !unit.core()) {
        planned.addAll(unit.seats());
      } else if (runs && !isBeingBound && !(unit.core() && coreStays)) {
        settled.add(unit.core() ? unit.with(planned) : unit);
      }
    }
    return settled;
  }

  private static boolean isPlanned(MemberState seat) {
    boolean isResumed = seat.isNew() && seat.group().group().resumed();
    return (seat.was() == MemberState.Was.PLANNED || isResumed) && seat.isPlaced();
  }

  /// Blocks of which some members are bound already: the others have passed the barrier with them.
  private static TreeSet<String> begunBlocks(Group group) {
    var blocks = new TreeSet<String>();
    for (MemberState seat : group.seats()) {
      if (seat.runs()) {
        blocks.add(seat.pod().written().plan().gang());
      }
    }
    blocks.remove("");
    return blocks;
  }

  /// Without surplus that is deleted already and runs on for long.
  static List<EvictionUnit> prompt(List<EvictionUnit> units) {
    return without(units, seat -> seat.pod().life().runsOn());
  }

  /// Without pieces with a member that does not leave, and then without the core: no core leaves
  /// before its surplus.
  ///
  /// @return the same list where all leave
  private static List<EvictionUnit> without(
      List<EvictionUnit> units, Predicate<MemberState> stays) {
    return units.stream().noneMatch(unit -> hasAny(unit, stays))
        ? units
        : units.stream().filter(unit -> !unit.core() && !hasAny(unit, stays)).toList();
  }

  private static boolean hasAny(EvictionUnit unit, Predicate<MemberState> which) {
    for (MemberState seat : unit.seats()) {
      if (which.test(seat)) {
        return true;
      }
    }
    return false;
  }
}
