package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The kinds of which a manifest tells what pods are made at once, and how.
///
/// Pods that come later are none of these: a launcher that waits for its workers, a step after
/// others, the pod that submits a RayJob.
enum SubmittedKind {
  POD("Pod", "v1"),
  JOB("Job", "batch/v1"),
  CRON_JOB("CronJob", "batch/v1"),
  DEPLOYMENT("Deployment", "apps/v1"),
  REPLICA_SET("ReplicaSet", "apps/v1"),
  STATEFUL_SET("StatefulSet", "apps/v1"),
  JOB_SET("JobSet", "jobset.x-k8s.io/v1alpha2"),
  LEADER_WORKER_SET("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1"),
  PY_TORCH_JOB("PyTorchJob", "kubeflow.org/v1"),
  TF_JOB("TFJob", "kubeflow.org/v1"),
  XGBOOST_JOB("XGBoostJob", "kubeflow.org/v1"),
  JAX_JOB("JAXJob", "kubeflow.org/v1"),
  PADDLE_JOB("PaddleJob", "kubeflow.org/v1"),
  MPI_JOB("MPIJob", "kubeflow.org/v2beta1", "kubeflow.org/v1"),
  NOTEBOOK("Notebook", "kubeflow.org/v1beta1"),
  RAY_CLUSTER("RayCluster", "ray.io/v1"),
  RAY_JOB("RayJob", "ray.io/v1"),
  RAY_SERVICE("RayService", "ray.io/v1"),
  WORKFLOW("Workflow", "argoproj.io/v1alpha1"),
  VOLCANO_JOB("Job", "batch.volcano.sh/v1alpha1");

  private final String kind;
  private final List<String> apiVersions;

  SubmittedKind(String kind, String... apiVersions) {
    this.kind = kind;
    this.apiVersions = List.of(apiVersions);
  }

  /// Empty where it is not known what pods come of it.
  static Optional<SubmittedKind> of(Map<String, ?> manifest) {
    String kind = ObjectTree.text(manifest, "kind");
    String apiVersion = ObjectTree.text(manifest, "apiVersion");
    return Arrays.stream(values())
        .filter(each -> each.kind.equals(kind) && each.apiVersions.contains(apiVersion))
        .findFirst();
  }

  /// All of them in words, for a message.
  static String names() {
    return String.join(", ", Arrays.stream(values()).map(each -> each.kind).distinct().toList());
  }

  /// Pods that are made at once.
  ///
  /// @throws UntoldPods where the manifest does not say it
  List<PodRole> roles(Map<String, Object> manifest) throws UntoldPods {
    String name = ObjectTree.name(manifest);
    var spec = ObjectTree.under(manifest, "spec");
    return switch (this) {
      case POD -> List.of(PodRole.owned(manifest, 1, (_, _, _) -> {}));
      case JOB -> List.of(ofJob(spec, name));
      case CRON_JOB ->
          List.of(ofJob(ObjectTree.under(ObjectTree.under(spec, "jobTemplate"), "spec"), name));
      case DEPLOYMENT, REPLICA_SET ->
          List.of(PodRole.owned(template(spec), replicas(spec), PodRole.numbered(name)));
      case STATEFUL_SET -> List.of(ofStatefulSet(spec, name));
      case NOTEBOOK -> List.of(PodRole.owned(template(spec), 1, PodRole.numbered(name)));
      case JOB_SET -> BatchRoles.ofJobSet(spec, name);
      case LEADER_WORKER_SET -> BatchRoles.ofLeaderWorkerSet(spec, name);
      case VOLCANO_JOB -> BatchRoles.ofVolcanoJob(spec, name);
      case PY_TORCH_JOB -> KubeflowRoles.of(spec, "pytorchReplicaSpecs", name);
      case TF_JOB -> KubeflowRoles.of(spec, "tfReplicaSpecs", name);
      case XGBOOST_JOB -> KubeflowRoles.of(spec, "xgbReplicaSpecs", name);
      case JAX_JOB -> KubeflowRoles.of(spec, "jaxReplicaSpecs", name);
      case PADDLE_JOB -> KubeflowRoles.of(spec, "paddleReplicaSpecs", name);
      case MPI_JOB ->
          KubeflowRoles.ofMpiJob(
              spec, name, ObjectTree.text(manifest, "apiVersion").endsWith("/v2beta1"));
      case RAY_CLUSTER -> RayRoles.ofCluster(spec, name, PodRole.Between.NOTHING);
      case RAY_JOB -> RayRoles.ofJob(spec, name);
      case RAY_SERVICE -> RayRoles.ofService(spec, name);
      case WORKFLOW -> WorkflowRoles.of(spec, name);
    };
  }

  /// Where labels and annotations of its pods may stand, besides the manifest itself.
  List<Map<String, Object>> holders(Map<String, Object> manifest) throws UntoldPods {
    var templates = roles(manifest).stream().map(PodRole::template);
    var all = new ArrayList<Map<String, Object>>();
    var jobs =
        this == JOB_SET
            ? ObjectTree.maps(manifest, "spec", "replicatedJobs").stream()
                .map(each -> ObjectTree.under(each, "template"))
            : Stream.<Map<String, Object>>empty();
    Stream.concat(jobs, templates)
        .filter(each -> each != manifest && all.stream().noneMatch(known -> known == each))
        .forEach(all::add);
    return all;
  }

  /// Where it says how many pods start together, beside an annotation; empty = nowhere.
  Optional<List<String>> minimum() {
    return switch (this) {
      case PY_TORCH_JOB, TF_JOB, XGBOOST_JOB, JAX_JOB, PADDLE_JOB, MPI_JOB ->
          Optional.of(List.of("spec", "runPolicy", "schedulingPolicy", "minAvailable"));
      case VOLCANO_JOB -> Optional.of(List.of("spec", "minAvailable"));
      default -> Optional.empty();
    };
  }

  /// Whether the annotation `berth.dev/min-member` says so.
  boolean isAnnotated() {
    return switch (this) {
      case POD, JOB, CRON_JOB, DEPLOYMENT, REPLICA_SET, STATEFUL_SET, NOTEBOOK, WORKFLOW -> true;
      default -> false;
    };
  }

  static Map<String, Object> template(Map<String, Object> spec) {
    return ObjectTree.under(spec, "template");
  }

  static long replicas(Map<String, ?> spec) {
    return ObjectTree.number(spec, 1, "replicas");
  }

  /// Pods of a Job at once.
  static long parallel(Map<String, ?> spec) {
    long parallelism = ObjectTree.number(spec, 1, "parallelism");
    return Math.min(parallelism, ObjectTree.number(spec, parallelism, "completions"));
  }

  private static PodRole ofJob(Map<String, Object> spec, String name) {
    return PodRole.owned(template(spec), parallel(spec), PodRole.numbered(name));
  }

  private static PodRole ofStatefulSet(Map<String, Object> spec, String name) {
    return PodRole.owned(
        template(spec),
        replicas(spec),
        (_, pod, metadata) -> {
          metadata.put("name", name + "-" + pod);
          PodRole.label(metadata, "apps.kubernetes.io/pod-index", Integer.toString(pod));
        });
  }
}
