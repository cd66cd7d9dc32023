package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Pods of the jobs of Kubeflow's training operator and of the MPI operator: of each role so many
/// replicas, one where none are said.
final class KubeflowRoles {
  private static final String LABELS = "training.kubeflow.org/";
  private static final String LAUNCHER = "Launcher";

  private KubeflowRoles() {}

  /// @param field of the spec, that has the roles
  static List<PodRole> of(Map<String, Object> spec, String field, String name) {
    var replicas = ObjectTree.under(spec, field);
    boolean hasMaster = replicas.containsKey("Master");
    var roles = new ArrayList<PodRole>();
    for (String role : replicas.keySet()) {
      boolean leads = hasMaster ? role.equals("Master") : role.equals(LAUNCHER);
      roles.add(role(ObjectTree.under(replicas, role), role, name, leads));
    }
    return roles;
  }

  private static PodRole role(
      Map<String, Object> replicas, String role, String name, boolean leads) {
    String type = role.toLowerCase(Locale.ROOT);
    return PodRole.owned(
        SubmittedKind.template(replicas),
        SubmittedKind.replicas(replicas),
        (_, pod, metadata) -> {
          metadata.put("name", name + "-" + type + "-" + pod);
          PodRole.label(metadata, LABELS + "job-name", name);
          PodRole.label(metadata, LABELS + "replica-type", type);
          PodRole.label(metadata, LABELS + "replica-index", Integer.toString(pod));
          if (leads) {
            PodRole.label(metadata, LABELS + "job-role", role.toLowerCase(Locale.ROOT));
          }
        });
  }

  /// @param byJob a Job makes the launcher; it may wait until the workers are ready
  static List<PodRole> ofMpiJob(Map<String, Object> spec, String name, boolean byJob) {
    var roles = new ArrayList<PodRole>();
    boolean isLate = ObjectTree.text(spec, "launcherCreationPolicy").equals("WaitForWorkersReady");
    var replicas = ObjectTree.under(spec, "mpiReplicaSpecs");
    for (String role : replicas.keySet()) {
      boolean isLauncher = role.equals(LAUNCHER);
      if (!(isLauncher && isLate)) {
        var made = role(ObjectTree.under(replicas, role), role, name, isLauncher);
        roles.add(isLauncher && byJob ? ofJob(made, name) : made);
      }
    }
    return roles;
  }

  private static PodRole ofJob(PodRole launcher, String name) {
    return new PodRole(
        launcher.template(),
        1,
        launcher.pods(),
        _ -> Optional.of(PodRole.object("batch/v1", "Job", name + "-launcher")),
        launcher.writing());
  }
}
