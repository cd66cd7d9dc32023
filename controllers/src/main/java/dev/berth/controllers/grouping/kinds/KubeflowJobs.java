package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/// `kubeflow.org` TFJob, XGBoostJob, JAXJob, PaddleJob: `schedulingPolicy.minAvailable`, else all
/// replicas of all roles. The first member is the one of `job-role: master`.
///
/// @param field of the spec, that maps roles to replicas
/// @param required roles that must be there, with a replica at least
record KubeflowJobs(String field, List<String> required) implements Rule {
  private static final String LABELS = "training.kubeflow.org/";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    return RoleAssignment.MEMBER.leading(leads(pod));
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    int all = sum(replicas(spec, field, required), spec, field);
    return GangShape.of(minAvailable(spec).orElse(all));
  }

  static boolean leads(WorkloadPod pod) {
    String role = pod.label(LABELS + "job-role");
    return role.equals("master") || role.equals("launcher");
  }

  /// The role of a pod, in lower case.
  static String role(WorkloadPod pod) {
    return pod.label(LABELS + "replica-type");
  }

  static String index(WorkloadPod pod) {
    return pod.label(LABELS + "replica-index");
  }

  static OptionalInt minAvailable(ManifestTree spec) {
    return spec.object("runPolicy").object("schedulingPolicy").number("minAvailable", 1);
  }

  /// Replicas by role, in the order of their names; 1 where it is not said, as in Kubeflow.
  static SortedMap<String, Integer> replicas(
      ManifestTree spec, String field, List<String> required) {
    var replicas = new TreeMap<String, Integer>();
    ManifestTree roles = spec.object(field);
    roles.eachObject((role, said) -> replicas.put(role, said.number("replicas", 0).orElse(1)));
    for (String role : required) {
      if (replicas.getOrDefault(role, 0) == 0) {
        roles
            .object(role)
            .problem("replicas", "0", "this kind of job has one " + role + " at least.");
      }
    }
    if (replicas.isEmpty()) {
      spec.problem(field, "", "a job has at least one role with replicas.");
    }
    return replicas;
  }

  /// @param field of the spec, that has them
  static int sum(SortedMap<String, Integer> replicas, ManifestTree spec, String field) {
    long sum = 0;
    for (int count : replicas.values()) {
      sum += count;
    }
    return GangShape.counted(sum, spec, field);
  }
}
