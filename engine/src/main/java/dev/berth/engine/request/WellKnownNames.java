package dev.berth.engine.request;

/// The names of labels, annotations and gates that users and Berth write on objects.
///
/// Where a name has an alias, the name of Berth counts if both are there.
public final class WellKnownNames {
  private WellKnownNames() {}

  /// Label: the leaf queue, on a pod, its owner or its namespace.
  public static final String QUEUE = "berth.dev/queue";

  public static final String QUEUE_ALIAS = "kai.scheduler/queue";

  /// Annotation: a share of one device, `"0.5"`.
  public static final String GPU_FRACTION = "gpu-fraction";

  /// Annotation: MiB of one device, or a quantity.
  public static final String GPU_MEMORY = "gpu-memory";

  public static final String GPU_FRACTION_LIMIT = "gpu-fraction-limit";
  public static final String GPU_MEMORY_LIMIT = "gpu-memory-limit";

  /// Annotation: the same share on each of so many devices.
  public static final String GPU_COUNT = "gpu-fraction-num-devices";

  /// Annotation: the container that gets the device.
  public static final String GPU_CONTAINER = "gpu-fraction-container-name";

  /// Annotation: `none`, `mps`, `hami` or `nvidia`.
  public static final String GPU_ISOLATION = "berth.dev/gpu-isolation";

  /// Annotation of KAI: `"true"` asks for MPS.
  public static final String MPS = "mps";

  /// Annotation: accepted device models, comma list.
  public static final String GPU_MODEL = "berth.dev/gpu-model";

  /// Annotation that Berth writes: why a pod waits whose condition kube-scheduler has written.
  public static final String WAITING = "berth.dev/waiting";

  /// Label: `preemptible`, `semi-preemptible` or `non-preemptible`.
  public static final String PREEMPTIBILITY = "berth.dev/preemptibility";

  public static final String PREEMPTIBILITY_ALIAS = "kai.scheduler/preemptibility";

  /// Label or annotation: the PodGroup to join.
  public static final String POD_GROUP = "berth.dev/pod-group";

  /// Annotation.
  public static final String POD_GROUP_ALIAS = "pod-group-name";

  /// Label of the scheduler-plugins.
  public static final String POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group";

  /// Label: the role inside the group.
  public static final String SUBGROUP = "berth.dev/subgroup";

  public static final String SUBGROUP_ALIAS = "kai.scheduler/subgroup-name";

  /// Annotation: gang size.
  public static final String MIN_MEMBER = "berth.dev/min-member";

  public static final String MIN_MEMBER_ALIAS = "kai.scheduler/batch-min-member";

  /// Annotations: Topology object and levels.
  public static final String TOPOLOGY = "berth.dev/topology";

  public static final String TOPOLOGY_ALIAS = "kai.scheduler/topology";
  public static final String TOPOLOGY_REQUIRED = "berth.dev/topology-required";
  public static final String TOPOLOGY_REQUIRED_ALIAS = "kai.scheduler/topology-required-placement";
  public static final String TOPOLOGY_PREFERRED = "berth.dev/topology-preferred";
  public static final String TOPOLOGY_PREFERRED_ALIAS =
      "kai.scheduler/topology-preferred-placement";

  /// Annotations: a role is cut into blocks of so many pods, each with a topology of its own.
  public static final String SEGMENT_SIZE = "berth.dev/segment-size";

  public static final String SEGMENT_SIZE_ALIAS = "kai.scheduler/segment-size";
  public static final String SEGMENT_REQUIRED = "berth.dev/segment-topology-required";
  public static final String SEGMENT_REQUIRED_ALIAS =
      "kai.scheduler/segment-topology-required-placement";
  public static final String SEGMENT_PREFERRED = "berth.dev/segment-topology-preferred";
  public static final String SEGMENT_PREFERRED_ALIAS =
      "kai.scheduler/segment-topology-preferred-placement";

  /// Label on an owner or a pod: the PriorityClass of the group.
  public static final String PRIORITY_CLASS = "priorityClassName";

  /// Label or annotation on an owner or a pod, `"true"`: the pod is a group of one, whatever its
  /// owners say.
  public static final String LEFT_ALONE = "berth.dev/skip-grouping";

  public static final String LEFT_ALONE_ALIAS = "kai.scheduler/skip-podgrouper";

  /// Annotations: durations.
  public static final String EXPECTED_RUNTIME = "berth.dev/expected-runtime";

  public static final String MAX_RUNTIME = "berth.dev/max-runtime";
  public static final String PREEMPTION_DELAY = "berth.dev/preemption-delay";
  public static final String PREEMPTION_DELAY_ALIAS = "kai.scheduler/preemption-delay";
  public static final String STALENESS_GRACE = "berth.dev/staleness-grace-period";
  public static final String STALENESS_GRACE_ALIAS = "kai.scheduler/staleness-grace-period";

  /// Label: order inside a group.
  public static final String TASK_PRIORITY = "berth.dev/task-priority";

  public static final String TASK_PRIORITY_ALIAS = "kai.scheduler/task-priority";

  /// The scheduling gate: set at admission, lifted by Berth only.
  public static final String GATE = "berth.dev/queued";

  /// Annotations that Berth writes.
  public static final String PLAN = "berth.dev/plan";

  public static final String GPU_DEVICES = "berth.dev/gpu-devices";
  public static final String GPU_SHARE = "berth.dev/gpu-share";

  /// On a planned pod for whose group evictions were requested: its own UID.
  public static final String PREEMPTOR = "berth.dev/preemptor";

  /// The name of Berth's own scheduler, whichever others are Berth's, too.
  public static final String SCHEDULER = "berth";

  /// The scheduler of pods that name none: the API server writes it into them.
  public static final String DEFAULT_SCHEDULER = "default-scheduler";

  /// The scheduler of a pod.
  ///
  /// @param named its `spec.schedulerName`; empty = it names none
  public static String scheduler(String named) {
    return named.isEmpty() ? DEFAULT_SCHEDULER : named;
  }

  /// Label that KAI writes on a pod to which it gave a share of a device, and the beginning of
  /// those it writes for each of several devices.
  public static final String KAI_GPU_GROUP = "runai-gpu-group";

  /// Label of a pod that shows autoscalers a want of room, and stands on no node ever.
  public static final String PLACEHOLDER = "berth.dev/placeholder";

  /// Label of a holder, `"true"`.
  public static final String HOLDER = "berth.dev/holder";

  /// Annotation of a holder: which shared device of its node.
  public static final String HOLDER_SLOT = "berth.dev/holder-slot";

  /// Node labels of GPU feature discovery.
  public static final String DEVICE_MODEL = "nvidia.com/gpu.product";

  public static final String DEVICE_MEMORY = "nvidia.com/gpu.memory";
  public static final String MIG_STRATEGY = "nvidia.com/mig.strategy";
  public static final String MIG_CAPABLE = "nvidia.com/mig.capable";
}
