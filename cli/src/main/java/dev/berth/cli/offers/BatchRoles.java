package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pods of JobSets, LeaderWorkerSets and Volcano's Jobs.
final class BatchRoles {
  private static final String JOB_SET = "jobset.sigs.k8s.io/";
  private static final String REPLICA = "leaderworkerset.sigs.k8s.io/";

  private BatchRoles() {}

  /// One Job for each replica of a replicatedJob. In order the first alone is made at once, and
  /// what depends on others is made when these are ready or complete.
  static List<PodRole> ofJobSet(Map<String, Object> spec, String name) {
    var roles = new ArrayList<PodRole>();
    boolean isInOrder =
        ObjectTree.text(spec, "startupPolicy", "startupPolicyOrder").equals("InOrder");
    for (var job : ObjectTree.maps(spec, "replicatedJobs")) {
      boolean isLater =
          !ObjectTree.list(job, "dependsOn").isEmpty() || isInOrder && !roles.isEmpty();
      if (!isLater) {
        roles.add(ofReplicatedJob(job, name));
      }
    }
    return roles;
  }

  private static PodRole ofReplicatedJob(Map<String, Object> job, String name) {
    String role = ObjectTree.text(job, "name");
    var template = ObjectTree.under(job, "template");
    var spec = ObjectTree.under(template, "spec");
    return new PodRole(
        SubmittedKind.template(spec),
        SubmittedKind.replicas(job),
        SubmittedKind.parallel(spec),
        set -> {
          var made = PodRole.object("batch/v1", "Job", name + "-" + role + "-" + set);
          var metadata = ObjectTree.under(made, "metadata");
          ObjectTree.map(template, "metadata").forEach(metadata::putIfAbsent);
          made.put("spec", ObjectTree.thaw(spec));
          return Optional.of(made);
        },
        (set, pod, metadata) -> {
          metadata.put("name", name + "-" + role + "-" + set + "-" + pod);
          PodRole.label(metadata, JOB_SET + "jobset-name", name);
          PodRole.label(metadata, JOB_SET + "replicatedjob-name", role);
          PodRole.label(metadata, JOB_SET + "job-index", Integer.toString(set));
        });
  }

  /// A leader and its workers for each replica; with `LeaderReady` workers are made when their
  /// leader is ready.
  static List<PodRole> ofLeaderWorkerSet(Map<String, Object> spec, String name) {
    var both = ObjectTree.under(spec, "leaderWorkerTemplate");
    var workers = ObjectTree.under(both, "workerTemplate");
    var leader =
        both.containsKey("leaderTemplate") ? ObjectTree.under(both, "leaderTemplate") : workers;
    long replicas = SubmittedKind.replicas(spec);
    long size = ObjectTree.number(both, 1, "size");
    var roles = new ArrayList<PodRole>();
    roles.add(
        new PodRole(
            leader,
            replicas,
            1,
            _ -> Optional.of(PodRole.object("apps/v1", "StatefulSet", name)),
            (set, _, metadata) -> member(metadata, name, set, 0, size)));
    if (!ObjectTree.text(spec, "startupPolicy").equals("LeaderReady") && size > 1) {
      roles.add(
          new PodRole(
              workers,
              replicas,
              size - 1,
              set -> Optional.of(PodRole.object("apps/v1", "StatefulSet", name + "-" + set)),
              (set, pod, metadata) -> member(metadata, name, set, pod + 1, size)));
    }
    return roles;
  }

  private static void member(
      Map<String, Object> metadata, String name, int group, int worker, long size) {
    metadata.put("name", name + "-" + group + (worker == 0 ? "" : "-" + worker));
    PodRole.label(metadata, REPLICA + "name", name);
    PodRole.label(metadata, REPLICA + "group-index", Integer.toString(group));
    PodRole.label(metadata, REPLICA + "worker-index", Integer.toString(worker));
    ObjectTree.under(metadata, "annotations").put(REPLICA + "size", Long.toString(size));
  }

  /// The tasks that depend on no others. A scheduler that the Job names is that of its pods.
  static List<PodRole> ofVolcanoJob(Map<String, Object> spec, String name) {
    var roles = new ArrayList<PodRole>();
    String scheduler = ObjectTree.text(spec, "schedulerName");
    for (var task : ObjectTree.maps(spec, "tasks")) {
      if (ObjectTree.list(task, "dependsOn", "name").isEmpty()) {
        String role = ObjectTree.text(task, "name");
        var template = SubmittedKind.template(task);
        if (!scheduler.isEmpty()) {
          ObjectTree.under(template, "spec").put("schedulerName", scheduler);
        }
        roles.add(
            PodRole.owned(
                template,
                SubmittedKind.replicas(task),
                (_, pod, metadata) -> {
                  metadata.put("name", name + "-" + role + "-" + pod);
                  PodRole.label(metadata, "volcano.sh/task-spec", role);
                }));
      }
    }
    return roles;
  }
}
