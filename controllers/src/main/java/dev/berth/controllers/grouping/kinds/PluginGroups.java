package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;

/// `scheduling.x-k8s.io` PodGroup of the scheduler-plugins, which a pod names by label: a gang of
/// `minMember`.
final class PluginGroups implements Rule {
  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.MEMBER;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    return GangShape.of(family.subject().spec(problems).number("minMember", 1).orElse(1));
  }
}
