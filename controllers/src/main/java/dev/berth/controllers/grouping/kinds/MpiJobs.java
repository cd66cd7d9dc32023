package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.List;

/// `kubeflow.org` MPIJob, v1 and v2beta1: as other jobs of Kubeflow, with a Launcher and Workers. A
/// Launcher alone is a job, too: the operator accepts it.
///
/// With `launcherCreationPolicy: WaitForWorkersReady` the Job of the launcher is created when the
/// workers are ready, so the launcher does not count before. Afterwards it counts until the MPIJob
/// has finished: an evicted launcher is created again by its Job, without regard to the workers.
final class MpiJobs implements Rule {
  private static final String FIELD = "mpiReplicaSpecs";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.MEMBER.leading(isLauncher(pod));
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    var replicas = KubeflowJobs.replicas(spec, FIELD, List.of("Launcher"));
    int minimum = KubeflowJobs.minAvailable(spec).orElse(KubeflowJobs.sum(replicas, spec, FIELD));
    if (spec.text("launcherCreationPolicy").equals("WaitForWorkersReady")
        && !hasLauncher(family)
        && !isLauncherDue(family.subject().status(problems))) {
      minimum -= replicas.getOrDefault("Launcher", 0);
    }
    return GangShape.of(Math.max(1, minimum));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return isLauncher(pod) && !pod.state().leaving();
  }

  /// The operator reports on the launcher as soon as its Job exists.
  private static boolean isLauncherDue(ManifestTree status) {
    return status.object("replicaStatuses").has("Launcher") && !status.has("completionTime");
  }

  private static boolean hasLauncher(GangMembers family) {
    return family.members().stream()
        .anyMatch(member -> isLauncher(member) && !member.state().leaving());
  }

  /// In v2beta1 a Job stands between the launcher and the MPIJob.
  private static boolean isLauncher(WorkloadPod pod) {
    return KubeflowJobs.leads(pod)
        || KubeflowJobs.role(pod).equals("launcher")
        || !pod.owner("batch", "Job").isEmpty();
  }
}
