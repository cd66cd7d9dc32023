package dev.berth.engine.request;

/// The names of labels, annotations and gates that users and Berth write on objects. The page of
/// names is made from their comments: what they stand on, then a colon, then what they say.
///
/// Where a name has an alias, the name of Berth counts if both are there.
public final class WellKnownNames {
  private WellKnownNames() {}

  /// Label of a pod, its owner, its namespace or a ResourceClaim: the leaf queue. That of the pod
  /// counts first, then that of the nearest owner, then that of the namespace.
  public static final String QUEUE = "berth.dev/queue";

  public static final String QUEUE_ALIAS = "kai.scheduler/queue";

  /// Label of a namespace: `berth` makes its new pods that name no scheduler Berth's.
  public static final String NAMESPACE_SCHEDULER = "berth.dev/scheduler";

  /// Label of a queue, a namespace, a role, a binding or a ResourceQuota: the project of which
  /// `berth project` printed it. On pods it says nothing, and serves to add up their use.
  public static final String PROJECT = "berth.dev/project";

  /// Label of a queue, a namespace, a role, a binding or a ResourceQuota: the version of its
  /// project. Whatever has an older one is not in the project any more.
  public static final String PROJECT_VERSION = "berth.dev/project-version";

  /// Annotation of a pod: a share of one GPU, more than 0 and less than 1, with up to three
  /// decimals, like `"0.5"`.
  public static final String GPU_FRACTION = "gpu-fraction";

  /// Annotation of a pod: a share of one GPU by its memory, in MiB like `"8192"`, or as a quantity
  /// like `8Gi`.
  public static final String GPU_MEMORY = "gpu-memory";

  /// Annotation of a pod: how much of the GPU a share by fraction may burst to, where the node
  /// enforces shares.
  public static final String GPU_FRACTION_LIMIT = "gpu-fraction-limit";

  /// Annotation of a pod: how much memory a share by memory may burst to, where the node enforces
  /// shares.
  public static final String GPU_MEMORY_LIMIT = "gpu-memory-limit";

  /// Annotation of a pod: the same share on each of so many GPUs of one node.
  public static final String GPU_COUNT = "gpu-fraction-num-devices";

  /// Annotation of a pod: the container that gets the GPU of the share. Absent means the first one.
  public static final String GPU_CONTAINER = "gpu-fraction-container-name";

  /// Annotation of a pod: how its share must be enforced: `none`, `hami` or `nvidia`.
  public static final String GPU_ISOLATION = "berth.dev/gpu-isolation";

  /// Annotation of a pod: of KAI Scheduler, where `"true"` asks for MPS. Refused beside a share.
  public static final String MPS = "mps";

  /// Annotation of a pod: the GPU models that it accepts, with commas between.
  public static final String GPU_MODEL = "berth.dev/gpu-model";

  /// Annotation of a pod that Berth writes: why the pod waits, where kube-scheduler has written its
  /// condition.
  public static final String WAITING = "berth.dev/waiting";

  /// Label of a pod or its owner: `preemptible`, `semi-preemptible` or `non-preemptible`.
  public static final String PREEMPTIBILITY = "berth.dev/preemptibility";

  public static final String PREEMPTIBILITY_ALIAS = "kai.scheduler/preemptibility";

  /// Label or annotation of a pod: the PodGroup to join.
  public static final String POD_GROUP = "berth.dev/pod-group";

  /// Annotation of a pod: the PodGroup to join, as KAI Scheduler calls it.
  public static final String POD_GROUP_ALIAS = "pod-group-name";

  /// Label of a pod: the PodGroup to join, as the scheduler-plugins of Kubernetes call it.
  public static final String POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group";

  /// Label of a pod: its sub-group in the PodGroup.
  public static final String SUBGROUP = "berth.dev/subgroup";

  public static final String SUBGROUP_ALIAS = "kai.scheduler/subgroup-name";

  /// Annotation of a pod or its owner: how many pods start together, where the kind of the workload
  /// does not say it.
  public static final String MIN_MEMBER = "berth.dev/min-member";

  public static final String MIN_MEMBER_ALIAS = "kai.scheduler/batch-min-member";

  /// Annotation of a pod or its owner: the Topology object that has the required and the preferred
  /// level.
  public static final String TOPOLOGY = "berth.dev/topology";

  public static final String TOPOLOGY_ALIAS = "kai.scheduler/topology";

  /// Annotation of a pod or its owner: the level, by label or alias, of which all members must
  /// share a domain.
  public static final String TOPOLOGY_REQUIRED = "berth.dev/topology-required";

  public static final String TOPOLOGY_REQUIRED_ALIAS = "kai.scheduler/topology-required-placement";

  /// Annotation of a pod or its owner: the level of which all members should share a domain.
  public static final String TOPOLOGY_PREFERRED = "berth.dev/topology-preferred";

  public static final String TOPOLOGY_PREFERRED_ALIAS =
      "kai.scheduler/topology-preferred-placement";

  /// Annotation of a pod or its owner: a role is cut into segments of so many pods, each with a
  /// topology of its own.
  public static final String SEGMENT_SIZE = "berth.dev/segment-size";

  public static final String SEGMENT_SIZE_ALIAS = "kai.scheduler/segment-size";

  /// Annotation of a pod or its owner: the level of which each segment must share a domain.
  public static final String SEGMENT_REQUIRED = "berth.dev/segment-topology-required";

  public static final String SEGMENT_REQUIRED_ALIAS =
      "kai.scheduler/segment-topology-required-placement";

  /// Annotation of a pod or its owner: the level of which each segment should share a domain.
  public static final String SEGMENT_PREFERRED = "berth.dev/segment-topology-preferred";

  public static final String SEGMENT_PREFERRED_ALIAS =
      "kai.scheduler/segment-topology-preferred-placement";

  /// Label of a pod or its owner: the PriorityClass of the group.
  public static final String PRIORITY_CLASS = "priorityClassName";

  /// Label or annotation of a pod or its owner: `"true"` makes each pod a group of one, whatever
  /// its owners say.
  public static final String LEFT_ALONE = "berth.dev/skip-grouping";

  public static final String LEFT_ALONE_ALIAS = "kai.scheduler/skip-podgrouper";

  /// Annotation of a pod or its owner: a duration, how long the group is expected to run, for
  /// backfill and forecasts.
  public static final String EXPECTED_RUNTIME = "berth.dev/expected-runtime";

  /// Annotation of a pod or its owner: a duration, after which the group is evicted.
  public static final String MAX_RUNTIME = "berth.dev/max-runtime";

  /// Annotation of a pod or its owner: a duration, how long the group waits before pods are evicted
  /// for it.
  public static final String PREEMPTION_DELAY = "berth.dev/preemption-delay";

  public static final String PREEMPTION_DELAY_ALIAS = "kai.scheduler/preemption-delay";

  /// Annotation of a pod or its owner: a duration, how long the group may run below its minimum;
  /// negative means for ever.
  public static final String STALENESS_GRACE = "berth.dev/staleness-grace-period";

  public static final String STALENESS_GRACE_ALIAS = "kai.scheduler/staleness-grace-period";

  /// Label of a pod: its order inside the group, a whole number; higher comes first.
  public static final String TASK_PRIORITY = "berth.dev/task-priority";

  public static final String TASK_PRIORITY_ALIAS = "kai.scheduler/task-priority";

  /// Scheduling gate of a pod: set at admission, removed by Berth only.
  public static final String GATE = "berth.dev/queued";

  /// Annotation of a pod that Berth writes: the plan, which is the node and the GPUs of the node.
  public static final String PLAN = "berth.dev/plan";

  /// Annotation of a pod that Berth writes: UUIDs of the GPUs of its share, with commas between.
  public static final String GPU_DEVICES = "berth.dev/gpu-devices";

  /// Annotation of a pod that Berth writes: the part of each of its GPUs that a share has, like
  /// `0.5`.
  public static final String GPU_SHARE = "berth.dev/gpu-share";

  /// Annotation of a pod that Berth writes: its own UID, where evictions were requested for its
  /// group.
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

  /// Label of a pod: of KAI Scheduler, on pods to which it gave a share of a GPU; with a suffix for
  /// each of several GPUs.
  public static final String KAI_GPU_GROUP = "runai-gpu-group";

  /// Label of a pod that Berth writes: a placeholder, which shows autoscalers the room that is
  /// missing and is never bound.
  public static final String PLACEHOLDER = "berth.dev/placeholder";

  /// Label of a pod that Berth writes: `"true"` on a holder.
  public static final String HOLDER = "berth.dev/holder";

  /// Annotation of a pod that Berth writes: on a holder, which shared GPU of its node it keeps.
  public static final String HOLDER_SLOT = "berth.dev/holder-slot";

  /// Label of a node: the GPU model, by GPU feature discovery.
  public static final String DEVICE_MODEL = "nvidia.com/gpu.product";

  /// Label of a node: the memory of each GPU in MiB, by GPU feature discovery.
  public static final String DEVICE_MEMORY = "nvidia.com/gpu.memory";

  /// Label of a node: how its GPUs are partitioned, by GPU feature discovery.
  public static final String MIG_STRATEGY = "nvidia.com/mig.strategy";

  /// Label of a node: whether its GPUs can be partitioned, by GPU feature discovery.
  public static final String MIG_CAPABLE = "nvidia.com/mig.capable";
}
