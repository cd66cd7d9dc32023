package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.List;
import java.util.Optional;

/// `kubeflow.org/v1` PyTorchJob: `schedulingPolicy.minAvailable`, else `elasticPolicy.minReplicas`,
/// else all replicas. `master` has all of its own, `worker` what is left of the minimum; workers
/// above it come and go.
///
/// With `berth.dev/segment-size` workers form segments by their index. Of an elastic job as many
/// segments are mandatory as the minimum of workers fills.
final class PyTorchJobs implements Rule {
  private static final String FIELD = "pytorchReplicaSpecs";
  private static final String MASTER = "master";
  private static final String WORKER = "worker";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    String role = KubeflowJobs.role(pod);
    boolean leads = role.equals(MASTER) || KubeflowJobs.leads(pod);
    var segments =
        role.equals(WORKER) ? segments(subject, pod, problems) : Optional.<Segments>empty();
    if (segments.isEmpty()) {
      return RoleAssignment.of(role).leading(leads);
    }
    String text = KubeflowJobs.index(pod);
    if (!text.matches("[0-9]{1,9}")) {
      problems.add(
          "training.kubeflow.org/replica-index",
          text,
          "a worker of a job with segments has its number there, from 0.");
      return RoleAssignment.ALONE;
    }
    return RoleAssignment.of(segment(Integer.parseInt(text) / segments.get().size()))
        .leading(leads);
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    ManifestTree spec = family.subject().spec(problems);
    var replicas = KubeflowJobs.replicas(spec, FIELD, List.of());
    int masters = replicas.getOrDefault("Master", 0);
    int all = replicas.getOrDefault("Worker", 0);
    int minimum =
        KubeflowJobs.minAvailable(spec)
            .orElse(
                spec.object("elasticPolicy")
                    .number("minReplicas", 1)
                    .orElse(KubeflowJobs.sum(replicas, spec, FIELD)));
    int workers = Math.max(0, minimum - masters);
    var roles = new Roles();
    if (masters > 0) {
      roles.leaf(MASTER, masters);
    }
    if (replicas.containsKey("Worker")) {
      addWorkers(roles, family, Math.min(workers, all), all, problems);
    }
    return roles.shape();
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return KubeflowJobs.role(pod).equals(WORKER) ? Segments.said(pod) : SAME;
  }

  private static void addWorkers(
      Roles roles, GangMembers family, int needed, int all, Problems problems) {
    var worker =
        family.members().stream()
            .filter(member -> KubeflowJobs.role(member).equals(WORKER))
            .findFirst()
            .orElse(family.first());
    var found = segments(family.subject(), worker, problems);
    ManifestTree spec = family.subject().spec(problems);
    if (found.isEmpty() || all == 0 || !found.get().isSane(all, spec, FIELD)) {
      roles.leaf(WORKER, needed);
      return;
    }
    var segments = found.get();
    int mandatory = segments.count(needed);
    if (!roles.takes(1L + segments.count(all), spec.object(FIELD).object("Worker"), "replicas")) {
      return;
    }
    roles.parent(WORKER, segments.count(all), TopologyAsk.NONE);
    for (int i = 0; i < segments.count(all); i++) {
      roles.leaf(
          segment(i), WORKER, i < mandatory ? segments.pods(i, all) : 0, segments.topology());
    }
  }

  private static String segment(int number) {
    return WORKER + "-" + number;
  }

  private static Optional<Segments> segments(
      KubeObject subject, WorkloadPod pod, Problems problems) {
    ManifestTree template =
        subject.spec(problems).object(FIELD).object("Worker").object("template").object("metadata");
    var annotations =
        KubeflowJobs.role(pod).equals(WORKER)
            ? List.of(pod.pod().annotations(problems), template.words("annotations"))
            : List.of(template.words("annotations"));
    var size = Segments.size(annotations);
    if (size.isEmpty()) {
      return Optional.empty();
    }
    var lookedAt = new java.util.ArrayList<>(annotations);
    lookedAt.add(subject.annotations(problems));
    return Optional.of(new Segments(size.getAsInt(), Segments.topology(lookedAt)));
  }
}
