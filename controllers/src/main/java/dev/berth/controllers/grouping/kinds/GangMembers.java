package dev.berth.controllers.grouping.kinds;

import java.util.List;

/// The known pods of one group of a workload, as far as its shape depends on them: the first of
/// each trait ([Rule#trait]), in the order of their UIDs. There is at least one.
///
/// @param subject the object that the rule is about
/// @param part which of the workload's groups
public record GangMembers(KubeObject subject, String part, List<WorkloadPod> members) {
  public GangMembers {
    members = List.copyOf(members);
  }

  WorkloadPod first() {
    return members.getFirst();
  }

  /// The first owner of that kind that any member has, in a list of none or one.
  List<KubeObject> owner(String group, String kind) {
    for (WorkloadPod member : members) {
      var found = member.owner(group, kind);
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }
}
