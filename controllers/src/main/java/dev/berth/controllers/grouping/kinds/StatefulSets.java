package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.Problem;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.WellKnownNames;
import java.util.List;

/// `apps/v1` StatefulSet: each pod by itself, or a gang of `berth.dev/min-member`.
///
/// With `podManagementPolicy: OrderedReady`, the default, a pod is created when the one before is
/// ready, so that pods never start together. The minimum is then what runs already, at most what is
/// asked for: a gang that grows pod by pod, and is told by an event.
final class StatefulSets implements Rule {
  private static final String POLICY = "podManagementPolicy";

  /// @param placed of a pod in order: its UID where it has a place
  private record Trait(int asked, String placed) {}

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return asked(subject, pod, problems) > 1 ? RoleAssignment.MEMBER : RoleAssignment.ALONE;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    int asked = asked(family.subject(), family.first(), problems);
    if (isParallel(family.subject())) {
      return GangShape.of(asked);
    }
    long placed = family.members().stream().filter(StatefulSets::isPlaced).count();
    return GangShape.of(Math.clamp(placed, 1, Math.max(1, asked)));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    int asked = asked(subject, pod, new Problems());
    boolean counts = !isParallel(subject) && isPlaced(pod);
    return new Trait(asked, counts ? pod.pod().uid() : "");
  }

  @Override
  public List<Problem> advice(KubeObject subject) {
    return isParallel(subject)
        ? List.of()
        : List.of(
            new Problem(
                "spec." + POLICY,
                "OrderedReady",
                "its pods come one after the other and cannot start together, as "
                    + WellKnownNames.MIN_MEMBER
                    + " asks. Create it anew with "
                    + POLICY
                    + ": Parallel for a gang."));
  }

  private static boolean isPlaced(WorkloadPod pod) {
    return pod.isAlive() && pod.state().scheduled();
  }

  private static boolean isParallel(KubeObject subject) {
    return subject.spec(new Problems()).text(POLICY).equals("Parallel");
  }

  private static int asked(KubeObject subject, WorkloadPod pod, Problems problems) {
    int said = GroupLabels.minMember(subject.annotations(problems));
    return said > 0 ? said : GroupLabels.minMember(pod.pod().annotations(problems));
  }
}
