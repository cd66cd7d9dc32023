package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.TreeSet;

/// `batch.volcano.sh` Job: `minAvailable`, else the replicas of all tasks.
///
/// A task that depends on others (`dependsOn`) is created when those are ready, so it counts once
/// the first of its pods is there: the minimum is at most the replicas of the tasks that can exist.
final class VolcanoJobs implements Rule {
  private static final String TASK = "volcano.sh/task-spec";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.MEMBER;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    var present = new TreeSet<String>();
    family.members().forEach(member -> present.add(task(member)));
    long sum = 0;
    for (ManifestTree task : spec.objects("tasks")) {
      boolean waits = !task.object("dependsOn").texts("name").isEmpty();
      if (!waits || present.contains(task.text("name"))) {
        sum += task.number("replicas", 0).orElse(1);
      }
    }
    int can = GangShape.counted(sum, spec, "tasks");
    int minimum = Math.min(spec.number("minAvailable", 0).orElse(can), can);
    return GangShape.of(Math.max(1, minimum));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return task(pod);
  }

  private static String task(WorkloadPod pod) {
    String label = pod.label(TASK);
    return label.isEmpty() ? pod.annotation(TASK) : label;
  }
}
