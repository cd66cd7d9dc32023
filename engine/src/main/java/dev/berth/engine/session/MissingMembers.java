package dev.berth.engine.session;

import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Reason;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/// What a role says that has fewer pods than its minimum.
final class MissingMembers {
  private MissingMembers() {}

  static Reason reason(Role role) {
    return role.isLeaf() ? ofLeaf(role) : ofInner(role);
  }

  private static Reason ofLeaf(Role role) {
    int heldBack = 0;
    var gates = new TreeSet<String>();
    for (MemberState seat : role.seats()) {
      if (seat.was() == MemberState.Was.UNPLANNABLE && !seat.pod().life().leaving()) {
        heldBack++;
        gates.addAll(seat.pod().life().gates());
      }
    }
    gates.remove(Pod.Life.GATE);
    return new Reason.TooFewMembers(
        role.name(),
        role.met() + role.waiting(),
        role.minimum(),
        heldBack,
        List.copyOf(gates),
        creator(role));
  }

  private static Reason ofInner(Role role) {
    int can = 0;
    for (Role child : role.children()) {
      can += child.canBeSatisfied() ? 1 : 0;
    }
    return new Reason.TooFewMembers(role.name(), can, role.minimum());
  }

  /// That of its first pod: events on it tell what a quota or an admission policy refused.
  private static Reason.Creator creator(Role role) {
    for (MemberState seat : role.seats()) {
      var owner = seat.pod().belonging().owner();
      if (!owner.isNone()) {
        return new Reason.Creator(
            seat.pod().key().namespace(), kind(owner.kind(), owner.apiVersion()), owner.name());
      }
    }
    return Reason.Creator.NONE;
  }

  /// Of the kinds of Kubernetes itself the group is left out.
  private static String kind(String kind, String apiVersion) {
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String name = kind.toLowerCase(Locale.ROOT);
    return group.indexOf('.') < 0 ? name : name + "." + group;
  }
}
