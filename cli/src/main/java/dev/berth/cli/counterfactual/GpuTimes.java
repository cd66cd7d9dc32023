package dev.berth.cli.counterfactual;

import dev.berth.engine.GroupPools;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.SortedMap;
import java.util.TreeMap;

/// What became of the GPUs of a cluster over time: how it is in one snapshot holds until the next.
/// The same for what was observed and for what was played.
///
/// Amounts are thousandths of GPUs × milliseconds. Of one thread.
final class GpuTimes {
  private static final long WHOLE = 1000;

  private final SortedMap<QueueName, Queue> queues;
  private final String poolLabel;
  private final TreeMap<QueueName, Double> belowQuota = new TreeMap<>();
  private Instant since = Instant.MIN; // of the state
  private State state = new State(0, 0, 0, new TreeMap<>());
  private double total;
  private double allocated;
  private double scattered;

  /// In thousandths of GPUs.
  ///
  /// @param scattered see [Sums]
  private record State(
      long total, long allocated, long scattered, TreeMap<QueueName, Long> belowQuota) {}

  /// In GPU-hours.
  ///
  /// @param total of the nodes
  /// @param allocated that pods had, those of other schedulers among them
  /// @param scattered whole GPUs that were free on nodes of which others were taken, while a pod
  ///   waited
  /// @param belowQuota that each queue had less than its quota while its pods waited for as much;
  ///   queues without a quota are left out
  record Sums(
      double total, double allocated, double scattered, SortedMap<QueueName, Double> belowQuota) {
    /// From 0 to 1; 0 without GPUs.
    double share() {
      return total == 0 ? 0 : allocated / total;
    }

    double allBelowQuota() {
      return belowQuota.values().stream().mapToDouble(each -> each).sum();
    }
  }

  /// @param queues whose quotas count, whatever the snapshots say
  /// @param poolLabel that divides nodes into pools, in each of which quotas hold; empty = none
  ///   does
  GpuTimes(SortedMap<QueueName, Queue> queues, String poolLabel) {
    this.queues = queues;
    this.poolLabel = poolLabel;
    for (Queue queue : queues.values()) {
      if (hasQuota(queue) || !poolLabel.isEmpty() && hasQuotaOfAPool(queue)) {
        belowQuota.put(queue.name(), 0.0);
      }
    }
  }

  private static boolean hasQuota(Queue queue) {
    long quota = queue.quota().of(Resource.GPU);
    return quota > 0 && quota != Queue.UNLIMITED;
  }

  private static boolean hasQuotaOfAPool(Queue queue) {
    return queue.pools().keySet().stream().anyMatch(pool -> hasQuota(queue.in(pool)));
  }

  /// In the order of time.
  void see(Snapshot now) {
    passUntil(now.now());
    state = state(now);
  }

  void passUntil(Instant now) {
    if (!since.equals(Instant.MIN)) {
      double millis = Duration.between(since, now).toMillis();
      total += millis * state.total;
      allocated += millis * state.allocated;
      scattered += millis * state.scattered;
      state.belowQuota.forEach(
          (queue, amount) -> belowQuota.merge(queue, millis * amount, Double::sum));
    }
    since = now;
  }

  Sums sums() {
    var below = new TreeMap<QueueName, Double>();
    belowQuota.forEach((queue, amount) -> below.put(queue, QueueEffect.hours(amount)));
    return new Sums(
        QueueEffect.hours(total),
        QueueEffect.hours(allocated),
        QueueEffect.hours(scattered),
        below);
  }

  private State state(Snapshot now) {
    long all = 0;
    long taken = 0;
    long free = 0;
    for (NodeView node : now.nodes()) {
      all += WHOLE * node.node().accelerator().count();
      long used = WHOLE * node.wholeInUse();
      for (NodeView.Slot slot : node.slots()) {
        used += Math.min(WHOLE, slot.usedMillis());
      }
      taken += used;
      free += used > 0 ? WHOLE * node.wholeFree() : 0;
    }
    var pools = GroupPools.of(poolLabel, now);
    var has = new TreeMap<QueuePool, Long>();
    var waits = new TreeMap<QueuePool, Long>();
    for (PodGroup group : now.groups()) {
      boolean mayStart = isThere(group);
      for (Member member : group.members()) {
        if (mayStart && isWaiting(member)) {
          var at = new QueuePool(group.queue(), poolLabel.isEmpty() ? "" : pools.of(group));
          waits.merge(at, asked(member.pod()), Long::sum);
        } else if (!member.standing().placement().isNone()) {
          var at =
              new QueuePool(
                  group.queue(), pools.of(member.standing().placement().node()).orElse(""));
          has.merge(at, asked(member.pod()), Long::sum);
        }
      }
    }
    var below = new TreeMap<QueueName, Long>();
    waits.forEach((at, amount) -> {
      var queue = queues.get(at.queue());
      var there = queue == null || poolLabel.isEmpty() ? queue : queue.in(at.pool());
      if (there != null && hasQuota(there)) {
        long lacks = there.quota().of(Resource.GPU) - has.getOrDefault(at, 0L);
        below.merge(at.queue(), Math.clamp(lacks, 0, amount), Long::sum);
      }
    });
    boolean anyWaits = waits.values().stream().anyMatch(amount -> amount > 0);
    return new State(all, taken, anyWaits ? free : 0, below);
  }

  /// A queue in one node pool.
  private record QueuePool(QueueName queue, String pool) implements Comparable<QueuePool> {
    private static final Comparator<QueuePool> ORDER =
        Comparator.comparing(QueuePool::queue).thenComparing(QueuePool::pool);

    @Override
    public int compareTo(QueuePool other) {
      return ORDER.compare(this, other);
    }
  }

  /// Whether as many of its pods are there as it needs, or have succeeded: else it asks for nothing
  /// yet.
  private static boolean isThere(PodGroup group) {
    long lost =
        group.members().stream()
            .filter(member -> member.standing().equals(new Standing.Over(false)))
            .count();
    return group.members().size() - lost >= group.spec().minMember();
  }

  /// With another's gate it has not come yet.
  private static boolean isWaiting(Member member) {
    return member.standing() instanceof Standing.Waiting
        && member.pod().life().gates().stream().allMatch(Pod.Lifecycle.GATE::equals);
  }

  /// Thousandths of GPUs. A share by memory counts as nothing: what it is depends on its GPU.
  static long asked(Pod pod) {
    return switch (pod.asks().request().devices()) {
      case DeviceRequest.Whole(_, int count) -> WHOLE * count;
      case DeviceRequest.Fraction(int millis, _, int count) -> (long) millis * count;
      case DeviceRequest.None _, DeviceRequest.Memory _ -> 0;
    };
  }
}
