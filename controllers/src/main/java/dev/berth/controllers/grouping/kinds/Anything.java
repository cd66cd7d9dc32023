package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.Problems;

/// Every kind that has no rule of its own, and those whose rule this is: each pod is a group of
/// one, unless `berth.dev/min-member` on the owner at the top, or on a pod of it, makes a gang of
/// them all.
///
/// @param priorityClass of a group of which nobody names one
record Anything(String priorityClass) implements Rule {
  @Override
  public Seat seat(Thing subject, Member pod, Problems problems) {
    boolean gang = pod.pod() != subject && minimum(subject, pod, problems) > 1;
    return gang ? Seat.MEMBER : Seat.ALONE;
  }

  @Override
  public Shape shape(Family family, Problems problems) {
    return Shape.of(minimum(family.subject(), family.first(), problems));
  }

  @Override
  public Object trait(Thing subject, Member pod) {
    return GroupLabels.minMember(pod.pod().annotations(new Problems()));
  }

  private static int minimum(Thing subject, Member pod, Problems problems) {
    int said = GroupLabels.minMember(subject.annotations(problems));
    return said > 0 ? said : GroupLabels.minMember(pod.pod().annotations(problems));
  }

  @Override
  public boolean readsSpec() {
    return false;
  }
}
