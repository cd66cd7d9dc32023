package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;

/// `scheduling.k8s.io` PodGroup, which a pod names by `spec.schedulingGroup.podGroupName`: a gang
/// of `minCount`, in one domain of its topology key. With the policy `basic` each pod is by itself.
final class NativeGroups implements Rule {
  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return policy(subject, problems).has("gang") ? RoleAssignment.MEMBER : RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    int minimum = policy(family.subject(), problems).object("gang").number("minCount", 1).orElse(1);
    var shape = GangShape.of(minimum).of(spec.text("priorityClassName"));
    for (ManifestTree level : spec.object("schedulingConstraints").objects("topology")) {
      return shape.within(new TopologyAsk("", level.text("key"), ""));
    }
    return shape;
  }

  /// Before 1.36 it was called `policy`.
  private static ManifestTree policy(KubeObject group, Problems problems) {
    ManifestTree spec = group.spec(problems);
    return spec.object(spec.spoken("schedulingPolicy", "policy"));
  }
}
