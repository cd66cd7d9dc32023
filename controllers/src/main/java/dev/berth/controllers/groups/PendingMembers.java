package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import java.util.TreeSet;

/// A group of which nothing is decided: which members it has.
final class PendingMembers {
  /// Why a group waits of which no member exists.
  static final String NONE = "NoMembers";

  private static final String NOT_YET = "No pod of it exists yet; ";

  private PendingMembers() {}

  /// Whether a status says that there never was a member.
  static boolean areYetToCome(PodGroupStatus status) {
    return status.reason().equals(NONE) && status.message().startsWith(NOT_YET);
  }

  /// Whether none is there, or only such as have ended or leave.
  static boolean areNone(PodGroup group) {
    return Count.of(group).have == 0;
  }

  /// @param have members that exist and stay
  /// @param gone members that have ended or leave
  private record Count(int have, int gone) {
    static Count of(PodGroup group) {
      int have = 0;
      int gone = 0;
      for (var member : group.members()) {
        switch (member.standing()) {
          case Standing.Waiting _, Standing.Planned _, Standing.Bound _ -> have++;
          case Standing.Leaving _, Standing.Over _ -> gone++;
          case Standing.Awaited _ -> {} // is still to be created
        }
      }
      return new Count(have, gone);
    }
  }

  private static String none(int gone, PodGroupStatus before) {
    if (gone == 0 && (before.isNone() || areYetToCome(before))) {
      return NOT_YET;
    }
    return gone == 0
        ? "No member exists now: pods that nothing creates anew must be created again once they"
            + " were evicted or deleted; "
        : gone
            + (gone == 1 ? " member has ended or leaves" : " members have ended or leave")
            + ", and no other exists yet; ";
  }

  /// How many members exist, how many are needed, and what those that exist wait for.
  ///
  /// @param before the last status of the group
  static String sentence(PodGroup group, PodGroupStatus before) {
    int need = Math.max(1, group.spec().required());
    var count = Count.of(group);
    int have = count.have;
    if (have == 0) {
      return none(count.gone, before) + need + (need == 1 ? " starts" : " start") + " together.";
    }
    int heldBack = 0;
    var gates = new TreeSet<String>();
    for (var member : group.members()) {
      var others = new TreeSet<>(member.pod().life().gates());
      others.remove(Pod.Lifecycle.GATE);
      heldBack += others.isEmpty() ? 0 : 1;
      gates.addAll(others);
    }
    String exist = have + (have == 1 ? " member exists, " : " members exist, ") + need;
    String held =
        heldBack == 0
            ? ""
            : heldBack
                + (heldBack == 1 ? " is" : " are")
                + (" held by scheduling gates of others (" + String.join(", ", gates) + "); ");
    return exist
        + (need == 1 ? " is needed" : " are needed")
        + " to start: "
        + held
        + (have < need ? "the others do not exist yet." : "they wait to be planned.");
  }
}
