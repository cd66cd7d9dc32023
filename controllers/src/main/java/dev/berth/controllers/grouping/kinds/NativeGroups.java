package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;

/// `scheduling.k8s.io` PodGroup, which a pod names by `spec.schedulingGroup.podGroupName`: a gang
/// of `minCount`, in one domain of its topology key. With the policy `basic` each pod is by itself.
final class NativeGroups implements Rule {
  @Override
  public Seat seat(Thing subject, Member pod, Problems problems) {
    return policy(subject, problems).has("gang") ? Seat.MEMBER : Seat.ALONE;
  }

  @Override
  public Shape shape(Family family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    int minimum = policy(family.subject(), problems).object("gang").number("minCount", 1).orElse(1);
    var shape = Shape.of(minimum).of(spec.text("priorityClassName"));
    for (ManifestTree level : spec.object("schedulingConstraints").objects("topology")) {
      return shape.within(new TopologyAsk("", level.text("key"), ""));
    }
    return shape;
  }

  /// Before 1.36 it was called `policy`.
  private static ManifestTree policy(Thing group, Problems problems) {
    ManifestTree spec = group.spec(problems);
    return spec.object(spec.spoken("schedulingPolicy", "policy"));
  }
}
