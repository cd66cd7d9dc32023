package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;

/// Kinds whose pods are independent, or come one after the other: a group of one each, whatever is
/// annotated.
///
/// @param priorityClass of a group that names none
record SinglePods(String priorityClass) implements Rule {
  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    return GangShape.of(1);
  }

  @Override
  public boolean readsSpec() {
    return false;
  }
}
