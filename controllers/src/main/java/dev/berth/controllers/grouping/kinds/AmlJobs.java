package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;

/// `amlarc.azureml.com` AmlJob: as many pods as its environment says nodes.
final class AmlJobs implements Rule {
  private static final String NODES = "AZUREML_NODE_COUNT";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.MEMBER;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree envs =
        family.subject().spec(problems).object("job").object("options").object("envs");
    var nodes = envs.number(NODES, 1);
    if (nodes.isEmpty() && !envs.has(NODES)) {
      envs.problem(NODES, "", "it says how many pods the job has.");
    }
    return GangShape.of(nodes.orElse(1));
  }
}
