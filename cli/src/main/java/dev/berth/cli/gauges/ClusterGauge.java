package dev.berth.cli.gauges;

import java.util.List;

/// What is told of the cluster, one constant a metric. Only a leader that has planned tells any of
/// it, so that a sum over replicas counts nothing twice.
///
/// Amounts of the resource `gpu` are GPUs (a share counts as its part), of `cpu` cores, of `memory`
/// bytes.
public enum ClusterGauge {
  NODES("berth_nodes", "Nodes, by state: ready, cordoned or not_ready.", "state"),
  NODES_WITH_FREE_GPUS(
      "berth_nodes_with_free_gpus",
      "Nodes that take pods and have at least so many whole GPUs free.",
      "at_least"),
  NODES_WITH_HOLDER_FAILURES(
      "berth_nodes_with_holder_failures",
      "Nodes of which no further GPU can be held for shares for the time being."),
  GPUS(
      "berth_gpus",
      "GPUs, each in one state: whole (given to one pod), shared, idle_held (held for shares,"
          + " unused), free, unavailable (free on a node that takes no pods) or unhealthy.",
      "model",
      "state"),
  GPUS_ALLOCATED(
      "berth_gpus_allocated",
      1000,
      "GPUs that pods have or are planned onto; a share counts as its part.",
      "model"),
  GPUS_FRAGMENTED(
      "berth_gpus_fragmented",
      1000,
      "What is left of shared GPUs, in GPUs: room for shares alone.",
      "model"),
  GPUS_TERMINATING(
      "berth_gpus_terminating", 1000, "GPUs of pods that are terminating, in GPUs.", "model"),
  GPUS_OTHER_SCHEDULERS(
      "berth_gpus_other_schedulers", "GPUs that pods of other schedulers have.", "model"),
  IDLE_GPUS(
      "berth_idle_gpus",
      1000,
      "GPUs of workloads that are idle by an idle rule of their queue, or of one above it; a share"
          + " counts as its part.",
      "queue"),
  HOLDERS(
      "berth_holders",
      "Holders of shared GPUs, by state: absent (to be created), starting, reported or retiring.",
      "state"),
  PODS(
      "berth_pods",
      "Pods of Berth, by queue and where they stand: waiting, planned (behind the gate), released"
          + " (kube-scheduler may bind it), bound, leaving or awaited (evicted, to start again).",
      "queue",
      "standing"),
  GROUPS(
      "berth_groups",
      "Groups of pods, single pods included: pending (no member bound, one without a plan), planned"
          + " (none bound, all planned), partial (some bound) or running (all bound).",
      "queue",
      "state"),
  OLDEST_PENDING(
      "berth_oldest_pending_group_timestamp_seconds",
      1000,
      "When the oldest pending group of the queue was created, in Unix time; absent = none is"
          + " pending.",
      "queue"),
  VETOES("berth_vetoes", "Pairs of pod and node that kube-scheduler refused lately."),
  WAITING_GROUPS(
      "berth_waiting_groups",
      "Groups that the last plan left waiting, by the code of the reason.",
      "queue",
      "reason"),
  STALE_GROUPS(
      "berth_stale_groups",
      "Gangs that run below their minimum; evicted when their grace is over.",
      "queue"),
  BACKOFFS(
      "berth_backoffs",
      "Workloads and namespaces for which no pod is evicted for a while, as their last plans with"
          + " victims ended without a Binding.",
      "scope"),
  SNAPSHOT_OBJECTS(
      "berth_snapshot_objects",
      "Objects in the snapshot of the last plan, by kind: nodes, queues, groups or foreign_pods.",
      "kind"),
  SEARCH_UNFINISHED(
      "berth_search_unfinished", "1 = a search for victims goes on after the last plan."),
  CAPACITY(
      "berth_capacity",
      "What there is for queues to divide: nodes that take pods, less what other schedulers use.",
      "resource"),
  QUEUE_INFO(
      "berth_queue_info",
      "1 for each queue. A parent includes its children: sum over leaf=\"true\" alone.",
      "queue",
      "parent",
      "leaf"),
  QUEUE_QUOTA("berth_queue_quota", "Quota; absent = unlimited.", "queue", "resource"),
  QUEUE_LIMIT("berth_queue_limit", "Limit; absent = none.", "queue", "resource"),
  QUEUE_FAIR_SHARE(
      "berth_queue_fair_share", "What the queue is entitled to now.", "queue", "resource"),
  QUEUE_ALLOCATED(
      "berth_queue_allocated",
      "What the workloads of the queue have; planned places count.",
      "queue",
      "resource"),
  QUEUE_NON_PREEMPTIBLE(
      "berth_queue_allocated_non_preemptible",
      "The part of berth_queue_allocated that is never evicted for others.",
      "queue",
      "resource"),
  QUEUE_REQUESTED("berth_queue_requested", "Allocated and pending together.", "queue", "resource"),
  QUEUE_BORROWED(
      "berth_queue_borrowed",
      "By how much the queue has more than its quota; others may reclaim it.",
      "queue",
      "resource"),
  QUEUE_BELOW_FAIR_SHARE(
      "berth_queue_below_fair_share",
      "By how much the queue has less than its fair share.",
      "queue",
      "resource"),
  QUEUE_USAGE(
      "berth_queue_usage_ratio",
      1_000_000_000,
      "Decayed past use as a part of the capacity; absent where time does not count.",
      "queue",
      "resource"),
  QUEUE_WORKLOADS(
      "berth_queue_workloads",
      "Workloads that have their minimum (running) or lack it (pending).",
      "queue",
      "state"),
  QUEUE_CONFIG_ERRORS(
      "berth_queue_config_errors",
      "1 = nothing can start in the queue, by the code of the reason.",
      "queue",
      "reason");

  private final String metric;
  private final long unit;
  private final String help;
  private final List<String> labels;

  ClusterGauge(String metric, String help, String... labels) {
    this(metric, 1, help, labels);
  }

  ClusterGauge(String metric, long unit, String help, String... labels) {
    this.metric = metric;
    this.unit = unit;
    this.help = help;
    this.labels = List.of(labels);
  }

  public String metric() {
    return metric;
  }

  public String help() {
    return help;
  }

  /// Names of the labels, in the order of their values in a [Sample].
  public List<String> labels() {
    return labels;
  }

  /// Sums are integers, so that they stay exact: so many of what is counted are one of what is
  /// told.
  long unit(List<String> values) {
    int resource = unit == 1 ? labels.indexOf("resource") : -1;
    return resource >= 0 && !values.get(resource).equals("memory") ? 1000 : unit;
  }

  /// One value of a metric.
  ///
  /// @param labels values of [#labels]
  public record Sample(List<String> labels, double value) {
    public Sample {
      labels = List.copyOf(labels);
    }
  }
}
