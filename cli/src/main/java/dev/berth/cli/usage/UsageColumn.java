package dev.berth.cli.usage;

import java.util.function.ToLongFunction;

/// The amounts of a report. Names and order of the columns of CSV are a promise: new ones come
/// last.
enum UsageColumn {
  ALLOCATED("gpu_hours", "gpuHours", "GPU-HOURS", UsageAmounts::allocated),
  WITHIN_QUOTA(
      "within_quota_gpu_hours", "withinQuotaGpuHours", "IN QUOTA", UsageAmounts::withinQuota),
  OVER_QUOTA("over_quota_gpu_hours", "overQuotaGpuHours", "OVER QUOTA", UsageAmounts::overQuota),
  PREEMPTIBLE(
      "preemptible_gpu_hours", "preemptibleGpuHours", "PREEMPTIBLE", UsageAmounts::preemptible),
  NON_PREEMPTIBLE(
      "non_preemptible_gpu_hours",
      "nonPreemptibleGpuHours",
      "NON-PREEMPTIBLE",
      UsageAmounts::nonPreemptible),
  WHOLE("whole_gpu_hours", "wholeGpuHours", "WHOLE", UsageAmounts::whole),
  SHARED("shared_gpu_hours", "sharedGpuHours", "SHARED", UsageAmounts::shared),
  EVICTED("evicted_gpu_hours", "evictedGpuHours", "EVICTED", UsageAmounts::evicted),
  WAITING("waiting_gpu_hours", "waitingGpuHours", "WAITING", UsageAmounts::waiting);

  private final String csv;
  private final String json;
  private final String heading;
  private final ToLongFunction<UsageAmounts> amount;

  UsageColumn(String csv, String json, String heading, ToLongFunction<UsageAmounts> amount) {
    this.csv = csv;
    this.json = json;
    this.heading = heading;
    this.amount = amount;
  }

  String csv() {
    return csv;
  }

  String json() {
    return json;
  }

  String heading() {
    return heading;
  }

  long of(UsageRow row) {
    return amount.applyAsLong(row.amounts());
  }
}
