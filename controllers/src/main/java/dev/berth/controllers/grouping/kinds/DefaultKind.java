package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.Problems;

/// Every kind that has no rule of its own, and those whose rule this is: each pod is a group of
/// one, unless `berth.dev/min-member` on the owner at the top, or on a pod of it, makes a gang of
/// them all.
///
/// @param priorityClass of a group that names none
record DefaultKind(String priorityClass) implements Rule {
  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    boolean gang = pod.pod() != subject && minimum(subject, pod, problems) > 1;
    return gang ? RoleAssignment.MEMBER : RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    return GangShape.of(minimum(family.subject(), family.first(), problems));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return GroupLabels.minMember(pod.pod().annotations(new Problems()));
  }

  private static int minimum(KubeObject subject, WorkloadPod pod, Problems problems) {
    int said = GroupLabels.minMember(subject.annotations(problems));
    return said > 0 ? said : GroupLabels.minMember(pod.pod().annotations(problems));
  }

  @Override
  public boolean readsSpec() {
    return false;
  }
}
