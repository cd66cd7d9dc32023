package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Who of a tree of roles goes next, step by step, without any role falling below its minimum.
/// Nothing changes in the session: it counts for itself.
final class Leaving {
  private final Role role;
  private final List<Leaving> children = new ArrayList<>();
  private final ArrayList<Seat> standing = new ArrayList<>(); // of a leaf
  private final int completed;

  Leaving(Role role) {
    this.role = role;
    for (Role child : role.children()) {
      children.add(new Leaving(child));
    }
    int over = 0;
    for (Seat seat : role.seats()) {
      if (seat.isPlaced()) {
        standing.add(seat);
      }
      over += seat.was() == Seat.Was.SUCCEEDED ? 1 : 0;
    }
    completed = over;
  }

  /// Empty when only the core is left.
  List<Seat> next() {
    var member = surplusMember();
    return member.isEmpty() ? surplusChild() : member;
  }

  private List<Seat> surplusMember() {
    if (role.isLeaf()) {
      return !standing.isEmpty() && met() > role.minimum()
          ? Collections.singletonList(standing.removeLast())
          : Collections.emptyList();
    }
    for (Leaving child : lastFirst()) {
      var member = child.surplusMember();
      if (!member.isEmpty()) {
        return member;
      }
    }
    return Collections.emptyList();
  }

  private List<Seat> surplusChild() {
    if (role.isLeaf()) {
      return Collections.emptyList();
    }
    for (Leaving child : lastFirst()) {
      var deeper = child.surplusChild();
      if (!deeper.isEmpty()) {
        return deeper;
      }
    }
    for (Leaving child : lastFirst()) {
      boolean spared = !child.isSatisfied() || met() > role.minimum();
      if (spared && child.size() > 0) {
        return child.rest();
      }
    }
    return Collections.emptyList();
  }

  /// Everybody who is left; then nobody is.
  List<Seat> rest() {
    var all = new ArrayList<Seat>();
    takeAll(all);
    return all;
  }

  private void takeAll(List<Seat> into) {
    into.addAll(standing);
    standing.clear();
    for (Leaving child : children) {
      child.takeAll(into);
    }
  }

  private int size() {
    int size = standing.size();
    for (Leaving child : children) {
      size += child.size();
    }
    return size;
  }

  private int met() {
    if (role.isLeaf()) {
      return standing.size() + completed;
    }
    int met = 0;
    for (Leaving child : children) {
      met += child.isSatisfied() ? 1 : 0;
    }
    return met;
  }

  private boolean isSatisfied() {
    return met() >= role.minimum();
  }

  /// The reverse of the order in which children are placed.
  private List<Leaving> lastFirst() {
    var ordered = new ArrayList<>(children);
    ordered.sort(Leaving::byNeed);
    Collections.reverse(ordered);
    return ordered;
  }

  private static int byNeed(Leaving a, Leaving b) {
    boolean aAsks = a.role.minimum() > 0;
    boolean bAsks = b.role.minimum() > 0;
    if (!aAsks || !bAsks) {
      return Boolean.compare(bAsks, aAsks);
    }
    int byLack = Boolean.compare(a.isSatisfied(), b.isSatisfied());
    return byLack != 0
        ? byLack
        : Long.compare((long) a.met() * b.role.minimum(), (long) b.met() * a.role.minimum());
  }
}
