package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;

/// `scheduling.x-k8s.io` PodGroup of the scheduler-plugins, which a pod names by label: a gang of
/// `minMember`.
final class PluginGroups implements Rule {
  @Override
  public Seat seat(Thing subject, Member pod, Problems problems) {
    return Seat.MEMBER;
  }

  @Override
  public Shape shape(Family family, Problems problems) {
    return Shape.of(family.subject().spec(problems).number("minMember", 1).orElse(1));
  }
}
