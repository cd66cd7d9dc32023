package dev.berth.cli.usage;

import dev.berth.cli.usage.GpuHold.QuotaAccount;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the pods of a workload hold at one moment, and how much of it its queue has beyond its
/// quota: in the order of [UsageMeter].
///
/// @param millis thousandths of GPUs that are held
/// @param overQuota of these, beyond the quota of the queue
/// @param nonPreemptible of these, what cannot be evicted for others
/// @param waiting thousandths of GPUs that members without a place ask for
public record QuotaPosition(
    QueueName queue, long millis, long overQuota, long nonPreemptible, long waiting) {
  private static final QuotaPosition NONE = new QuotaPosition(QueueName.NONE, 0, 0, 0, 0);

  /// Of each workload that holds GPUs or waits for some.
  public static SortedMap<GroupKey, QuotaPosition> of(Snapshot snapshot, PlannerSettings settings) {
    var held = new HeldGpus(snapshot, settings.poolLabel(), settings.defaultQueue());
    var started = new HashMap<PodUid, Instant>(); // looked up only
    var accounts = new TreeMap<QuotaAccount, ArrayList<GpuHold>>();
    var positions = new TreeMap<GroupKey, QuotaPosition>();
    for (PodGroup group : snapshot.groups()) {
      group.members().forEach(it -> started.put(it.pod().uid(), it.pod().life().started()));
      for (GpuHold hold : held.of(group)) {
        if (hold.isWaiting()) {
          add(positions, hold, 0);
        } else {
          accounts.computeIfAbsent(hold.account(), _ -> new ArrayList<>()).add(hold);
        }
      }
    }
    accounts.forEach((account, holds) -> {
      long left = quota(snapshot, account, settings);
      holds.sort(
          GpuHold.ORDER
              .thenComparing(hold -> started.getOrDefault(hold.uid(), Instant.MAX))
              .thenComparing(GpuHold::uid));
      for (GpuHold hold : holds) {
        add(positions, hold, Math.max(0, hold.millis() - left));
        left = Math.max(0, left - hold.millis());
      }
    });
    return Collections.unmodifiableSortedMap(positions);
  }

  /// The GPUs of a queue's quota, in a pool where nodes are divided; a cluster without any Queue
  /// has none, and no limits.
  static long quota(Snapshot snapshot, QuotaAccount account, PlannerSettings settings) {
    if (snapshot.queues().isEmpty()) {
      return Queue.UNLIMITED;
    }
    boolean isDivided = !settings.poolLabel().isEmpty();
    return snapshot
        .queue(account.queue())
        .map(each -> isDivided ? each.in(account.pool()) : each)
        .map(each -> each.quota().of(Resource.GPU))
        .orElse(0L);
  }

  private static void add(
      TreeMap<GroupKey, QuotaPosition> positions, GpuHold hold, long overQuota) {
    var before = positions.getOrDefault(hold.workload(), NONE);
    boolean waits = hold.isWaiting();
    positions.put(
        hold.workload(),
        new QuotaPosition(
            hold.account().queue(),
            before.millis + (waits ? 0 : hold.millis()),
            before.overQuota + overQuota,
            before.nonPreemptible + (waits || hold.isPreemptible() ? 0 : hold.millis()),
            UsageAmounts.sum(before.waiting, waits ? hold.millis() : 0)));
  }
}
