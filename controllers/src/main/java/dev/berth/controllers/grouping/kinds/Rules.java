package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.Membership;
import dev.berth.engine.request.WellKnownNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Maps kinds to rules, in this order: the exact apiVersion and kind, group and kind in any
/// version, a definition of the configuration, the default.
public final class Rules {
  private static final Rule TRAIN = new DefaultKind(Membership.USUAL_CLASS);
  private static final Rule BUILD = new DefaultKind("build");
  private static final Rule TRAIN_ALONE = new SinglePods(Membership.USUAL_CLASS);
  private static final Rule INFERENCE_ALONE = new SinglePods("inference");

  /// Objects above the workload that say nothing of its gangs: what stands below them does, and
  /// they fill in labels and annotations that it lacks. By group and kind, in any version.
  private static final List<String> SKIPPED =
      List.of(
          "argoproj.io/Workflow",
          "kubeflow.org/ScheduledWorkflow",
          "trainer.kubeflow.org/TrainJob",
          "nvidia.com/DynamoGraphDeployment",
          "run.ai/TrainingWorkload",
          "run.ai/InteractiveWorkload",
          "run.ai/DistributedWorkload",
          "run.ai/InferenceWorkload",
          "run.ai/DistributedInferenceWorkload",
          "workload.codeflare.dev/AppWrapper");

  private final Map<String, Rule> byVersion = new LinkedHashMap<>();
  private final Map<String, Rule> byGroup = new LinkedHashMap<>();
  private final Map<String, Rule> declared = new LinkedHashMap<>();

  /// @param definitions of the configuration
  public Rules(List<ConfiguredKind> definitions) {
    plain();
    training();
    serving();
    named();
    definitions.forEach(each -> declared.put(each.group() + "/" + each.kind(), each));
  }

  private void plain() {
    add("/v1", "Pod", TRAIN);
    add("apps/v1", "Deployment", INFERENCE_ALONE);
    add("apps/v1", "ReplicaSet", TRAIN);
    add("apps/v1", "StatefulSet", new StatefulSets());
    add("batch/v1", "Job", new BatchJobs());
    add("batch/v1", "CronJob", new BatchJobs());
    add("sparkoperator.k8s.io/v1beta2", "SparkApplication", TRAIN_ALONE);
    add("sparkoperator.k8s.io/v1beta2", "ScheduledSparkApplication", TRAIN_ALONE);
  }

  private void training() {
    add("kubeflow.org/v1", "PyTorchJob", new PyTorchJobs());
    add("kubeflow.org/v1", "TFJob", new KubeflowJobs("tfReplicaSpecs", List.of()));
    add("kubeflow.org/v1", "XGBoostJob", new KubeflowJobs("xgbReplicaSpecs", List.of("Master")));
    add("kubeflow.org/v1", "JAXJob", new KubeflowJobs("jaxReplicaSpecs", List.of("Worker")));
    add("kubeflow.org/v1", "PaddleJob", new KubeflowJobs("paddleReplicaSpecs", List.of()));
    add("kubeflow.org/v1", "MPIJob", new MpiJobs());
    add("kubeflow.org/v2beta1", "MPIJob", new MpiJobs());
    add("jobset.x-k8s.io/v1alpha2", "JobSet", new JobSets());
    for (String kind : List.of("RayCluster", "RayJob", "RayService")) {
      add("ray.io/v1", kind, new RayClusters());
    }
    add("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", new LeaderWorkerSets());
    add("amlarc.azureml.com/v1alpha1", "AmlJob", new AmlJobs());
    add("batch.volcano.sh/v1alpha1", "Job", new VolcanoJobs());
    add("run.ai/v1", "RunaiJob", TRAIN_ALONE);
    add("tekton.dev/v1", "PipelineRun", TRAIN_ALONE);
    add("tekton.dev/v1", "TaskRun", TRAIN_ALONE);
  }

  private void serving() {
    add("serving.knative.dev/v1", "Service", new KnativeServices());
    add("machinelearning.seldon.io/v1", "SeldonDeployment", TRAIN);
    add("kubeflow.org/v1beta1", "Notebook", BUILD);
    add("workspace.devfile.io/v1alpha2", "DevWorkspace", TRAIN);
    add("kubevirt.io/v1", "VirtualMachineInstance", TRAIN);
    add("egx.nvidia.io/v1", "SPOTRequest", INFERENCE_ALONE);
    add("grove.io/v1alpha1", "PodCliqueSet", new PodGangs());
    add("grove.io/v1alpha1", "PodGangSet", new PodGangs());
  }

  private void named() {
    add("scheduling.k8s.io/v1beta1", "PodGroup", new NativeGroups());
    add("scheduling.x-k8s.io/v1alpha1", "PodGroup", new PluginGroups());
  }

  /// The first version of a kind counts for all others of its group.
  private void add(String version, String kind, Rule rule) {
    byVersion.put(version + "/" + kind, rule);
    byGroup.putIfAbsent(version.substring(0, version.indexOf('/')) + "/" + kind, rule);
  }

  public Rule of(KubeObject subject) {
    return of(subject.apiVersion(), subject.kind());
  }

  private Rule of(String apiVersion, String kind) {
    return known(apiVersion, kind).orElse(TRAIN);
  }

  private Optional<Rule> known(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    String version = slash < 0 ? "/" + apiVersion : apiVersion;
    String group = version.substring(0, version.indexOf('/'));
    Rule exact = byVersion.get(version + "/" + kind);
    if (exact != null) {
      return Optional.of(exact);
    }
    Rule anyVersion = byGroup.get(group + "/" + kind);
    return Optional.ofNullable(anyVersion != null ? anyVersion : declared.get(group + "/" + kind));
  }

  /// Whether more than the metadata of an owner is needed.
  public boolean readsSpec(OwnerReference owner) {
    return of(owner.apiVersion(), owner.kind()).readsSpec();
  }

  static boolean isSkipped(KubeObject owner) {
    return SKIPPED.contains(owner.group() + "/" + owner.kind());
  }

  /// What the rule is about: the top of the owners, without those that are skipped; the pod itself
  /// where nothing else is left.
  ///
  /// An object of an unknown kind above a workload of a known one (a Katib Trial above a
  /// PyTorchJob) does not say what its pods are, unless it has a `berth.dev/min-member`: the
  /// highest of a known kind does.
  public KubeObject subject(WorkloadPod pod) {
    var chain = new ArrayList<>(pod.chain());
    while (chain.size() > 1 && isSkipped(chain.getLast())) {
      chain.removeLast();
    }
    KubeObject top = chain.getLast();
    if (known(top).isPresent() || saysMinimum(top)) {
      return top;
    }
    for (KubeObject each : chain.reversed()) {
      if (!isBuildingBlock(each) && !isSkipped(each) && known(each).isPresent()) {
        return each;
      }
    }
    return top;
  }

  private Optional<Rule> known(KubeObject thing) {
    return known(thing.apiVersion(), thing.kind());
  }

  private static boolean saysMinimum(KubeObject top) {
    var annotations = top.annotations();
    return annotations.containsKey(WellKnownNames.MIN_MEMBER)
        || annotations.containsKey(WellKnownNames.MIN_MEMBER_ALIAS);
  }

  /// What other kinds are made of: it is no workload of its own where it is owned.
  private static boolean isBuildingBlock(KubeObject owned) {
    return owned.group().equals("apps") || owned.is("", "Pod");
  }
}
