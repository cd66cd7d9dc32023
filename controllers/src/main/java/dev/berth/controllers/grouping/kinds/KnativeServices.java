package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;
import java.util.Optional;

/// `serving.knative.dev` Service: each Revision is a gang of the pods that it never has fewer of
/// (`autoscaling.knative.dev/min-scale`). Those above it come and go; while a new revision is
/// rolled out there are two gangs. A revision that no route leads to is scaled down whatever its
/// `min-scale`, so each pod that is left of it may go on alone.
final class KnativeServices implements Rule {
  private static final String REVISION = "serving.knative.dev/revision";
  private static final String MIN_SCALE = "autoscaling.knative.dev/min-scale";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return minimum(pod, problems) > 1
        ? RoleAssignment.MEMBER.in(pod.label(REVISION))
        : RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    boolean drains = revision(family.first()).filter(KnativeServices::isInReserve).isPresent();
    return GangShape.of(drains ? 1 : minimum(family.first(), problems));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return revision(pod).<Object>map(ObjectTrait::new).orElse(SAME);
  }

  private static int minimum(WorkloadPod pod, Problems problems) {
    return revision(pod)
        .map(revision -> revision.annotations(problems).number(MIN_SCALE, 0).orElse(1))
        .orElse(1);
  }

  private static boolean isInReserve(KubeObject revision) {
    return revision.label("serving.knative.dev/routingState").equals("reserve");
  }

  private static Optional<KubeObject> revision(WorkloadPod pod) {
    return pod.owner("serving.knative.dev", "Revision").stream().findFirst();
  }

  @Override
  public String priorityClass() {
    return "inference";
  }

  @Override
  public boolean readsSpec() {
    return false;
  }
}
