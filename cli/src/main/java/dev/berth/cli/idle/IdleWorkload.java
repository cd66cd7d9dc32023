package dev.berth.cli.idle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A workload of which GPUs do little.
///
/// @param millis thousandths of GPUs that it holds
/// @param idleMillis of these, on GPUs that are idle
/// @param measured GPUs of it that were measured
/// @param gpus GPUs that it has, or has a share of
/// @param mean percent, over its measured GPUs and the window
/// @param most percent
/// @param since since when its idle GPUs all stay below; empty = for the whole window
/// @param idleHours GPU-hours of the window in which its GPUs were below
/// @param sharers pods on the GPU of which most pods have a share; 0 = its GPUs are its own, and so
///   are the numbers
/// @param overQuota thousandths of GPUs that it holds beyond the quota of its queue
/// @param isPreemptible whether all of it may be evicted for others
/// @param waiting other workloads of its queue that wait for GPUs
/// @param beneficiaries workloads of any queue that would start if it ended, and do not as things
///   are; empty = that was not tried
public record IdleWorkload(
    GroupKey workload,
    QueueName queue,
    long millis,
    long idleMillis,
    int measured,
    int gpus,
    double mean,
    double most,
    Optional<Instant> since,
    double idleHours,
    int sharers,
    long overQuota,
    boolean isPreemptible,
    int waiting,
    Optional<List<GroupKey>> beneficiaries) {
  IdleWorkload with(List<GroupKey> found) {
    return new IdleWorkload(
        workload,
        queue,
        millis,
        idleMillis,
        measured,
        gpus,
        mean,
        most,
        since,
        idleHours,
        sharers,
        overQuota,
        isPreemptible,
        waiting,
        Optional.of(found));
  }

  /// Others would start without it, and neither reclaim nor preemption takes its GPUs for them;
  /// empty = that was not tried.
  public Optional<Boolean> isHoarding() {
    return beneficiaries.map(found -> !found.isEmpty());
  }

  /// `within`, `above`, or `in part`.
  public String quota() {
    return overQuota == 0 ? "within" : overQuota >= millis ? "above" : "in part";
  }
}
