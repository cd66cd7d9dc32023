package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/// Which members of a tree of roles leave next, step by step, without any role falling below its
/// minimum. Nothing changes in the session: it counts for itself.
///
/// The children that can give something are kept in their order, so that a step costs the logarithm
/// of their number. A child is taken out of these sets before its numbers change, and put back
/// afterwards.
public final class EvictionUnits {
  /// The order in which children are placed; the last leave first.
  private static final Comparator<EvictionUnits> ORDER =
      ((Comparator<EvictionUnits>) EvictionUnits::byNeed)
          .thenComparingInt(leaving -> leaving.index);

  private final Role role;
  private final int index; // among the children of its parent
  private final List<EvictionUnits> children = new ArrayList<>();
  private final ArrayList<MemberState> standing = new ArrayList<>(); // of a leaf
  private final int completed;

  private final TreeSet<EvictionUnits> withMember = new TreeSet<>(ORDER);
  private final TreeSet<EvictionUnits> withChild = new TreeSet<>(ORDER);
  private final TreeSet<EvictionUnits> occupied = new TreeSet<>(ORDER);
  private final TreeSet<EvictionUnits> lacking = new TreeSet<>(ORDER); // occupied, not satisfied

  private int satisfiedChildren;
  private int size; // of an inner role, with the roles below
  private int met;
  private boolean isSatisfied;
  private boolean hasMember; // a surplus member below it
  private boolean hasChild; // a surplus child below it

  /// The steps in which the members of a group that have a place would leave, the mirror of
  /// [Role#next]: one surplus member of the last child that has one; then whole children that are
  /// more than `minSubGroup`; then all the rest together.
  public static List<EvictionUnit> of(Group group) {
    var units = new ArrayList<EvictionUnit>();
    var leaving = new EvictionUnits(group.root(), 0);
    for (var step = leaving.next(); !step.isEmpty(); step = leaving.next()) {
      units.add(new EvictionUnit(step, false));
    }
    var core = leaving.rest();
    if (!core.isEmpty()) {
      units.add(new EvictionUnit(core, true));
    }
    return units;
  }

  /// The same without its core.
  public static List<EvictionUnit> surplus(Group group) {
    var units = of(group);
    return !units.isEmpty() && units.getLast().core() ? units.subList(0, units.size() - 1) : units;
  }

  /// Members that are no victims: of a semi-preemptible group all but its surplus.
  static List<MemberState> staying(Group group) {
    var units = of(group);
    return units.isEmpty() || !units.getLast().core()
        ? Collections.emptyList()
        : units.getLast().seats();
  }

  private EvictionUnits(Role role, int index) {
    this.role = role;
    this.index = index;
    for (MemberState seat : role.seats()) {
      if (seat.isPlaced()) {
        standing.add(seat);
      }
    }
    completed = role.completed();
    for (Role child : role.children()) {
      var leaving = new EvictionUnits(child, children.size());
      children.add(leaving);
      put(leaving);
    }
    judge();
  }

  /// Empty when only the core is left.
  List<MemberState> next() {
    if (hasMember) {
      return surplusMember();
    }
    return hasChild ? surplusChild() : Collections.emptyList();
  }

  private List<MemberState> surplusMember() {
    List<MemberState> member;
    if (role.isLeaf()) {
      member = Collections.singletonList(standing.removeLast());
    } else {
      var child = withMember.last();
      take(child);
      member = child.surplusMember();
      put(child);
    }
    judge();
    return member;
  }

  private List<MemberState> surplusChild() {
    boolean deeper = !withChild.isEmpty();
    var spared = met > role.minimum() ? occupied : lacking;
    var child = deeper ? withChild.last() : spared.last();
    take(child);
    var left = deeper ? child.surplusChild() : child.rest();
    put(child);
    judge();
    return left;
  }

  /// All members that are left; then none is.
  List<MemberState> rest() {
    var all = new ArrayList<MemberState>();
    takeAll(all);
    return all;
  }

  private void takeAll(List<MemberState> into) {
    into.addAll(standing);
    standing.clear();
    for (EvictionUnits child : children) {
      take(child);
      child.takeAll(into);
      put(child);
    }
    judge();
  }

  private void take(EvictionUnits child) {
    withMember.remove(child);
    withChild.remove(child);
    occupied.remove(child);
    lacking.remove(child);
    satisfiedChildren -= child.isSatisfied ? 1 : 0;
    size -= child.size();
  }

  private void put(EvictionUnits child) {
    satisfiedChildren += child.isSatisfied ? 1 : 0;
    size += child.size();
    if (child.hasMember) {
      withMember.add(child);
    }
    if (child.hasChild) {
      withChild.add(child);
    }
    if (child.size() > 0) {
      occupied.add(child);
      if (!child.isSatisfied) {
        lacking.add(child);
      }
    }
  }

  private int size() {
    return standing.size() + size;
  }

  private void judge() {
    met = role.isLeaf() ? standing.size() + completed : satisfiedChildren;
    isSatisfied = met >= role.minimum();
    boolean isRich = met > role.minimum();
    hasMember = role.isLeaf() ? isRich && !standing.isEmpty() : !withMember.isEmpty();
    hasChild = !withChild.isEmpty() || !lacking.isEmpty() || isRich && !occupied.isEmpty();
  }

  private static int byNeed(EvictionUnits a, EvictionUnits b) {
    boolean aAsks = a.role.minimum() > 0;
    boolean bAsks = b.role.minimum() > 0;
    if (!aAsks || !bAsks) {
      return Boolean.compare(bAsks, aAsks);
    }
    int byLack = Boolean.compare(a.isSatisfied, b.isSatisfied);
    return byLack != 0
        ? byLack
        : Long.compare((long) a.met * b.role.minimum(), (long) b.met * a.role.minimum());
  }
}
