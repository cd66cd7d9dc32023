package dev.berth.cli.idle;

import dev.berth.cli.idle.GpuUtilisation.MeasuredGpu;
import dev.berth.cli.usage.QuotaPosition;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.idle.GpuAmounts;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/// The workloads of which GPUs do little, the largest loss first.
///
/// A GPU is idle if its mean over the window is below the bound. A pod counts once it has run for
/// the whole window, and a GPU if samples cover at least half of it.
///
/// @param unmeasured running workloads with GPUs of which too few samples are there
/// @param young running workloads with GPUs that have not run for the whole window
/// @param strangers series that are of no pod of Berth
/// @param disbelieved series that are of one by what they say, and cannot be true
public record IdleWorkloads(
    List<IdleWorkload> workloads, int unmeasured, int young, int strangers, int disbelieved) {
  private static final double HOUR = 3_600_000;

  public IdleWorkloads {
    workloads = List.copyOf(workloads);
  }

  /// @param waiting groups that wait for something that others may release
  public static IdleWorkloads of(
      Snapshot snapshot,
      PlannerSettings planner,
      Set<GroupKey> waiting,
      List<MetricSeries> series,
      IdleSettings settings) {
    var utilisation = GpuUtilisation.of(snapshot, series, settings);
    var positions = QuotaPosition.of(snapshot, planner);
    var queued = queued(positions, waiting);
    var idle = new ArrayList<IdleWorkload>();
    int unmeasured = 0;
    int young = 0;
    for (PodGroup group : snapshot.groups()) {
      var position = positions.get(group.key());
      if (position == null || position.millis() == 0) {
        continue;
      }
      var sum = new Sum(utilisation, settings);
      group.members().forEach(sum::add);
      unmeasured += sum.measured < sum.gpus ? 1 : 0;
      young += sum.young > 0 ? 1 : 0;
      if (sum.idleMillis > 0) {
        int others =
            queued.getOrDefault(group.queue(), 0)
                - (position.waiting() > 0 && waiting.contains(group.key()) ? 1 : 0);
        idle.add(sum.workload(group, position, others));
      }
    }
    idle.sort(
        Comparator.comparingDouble(IdleWorkload::idleHours)
            .reversed()
            .thenComparing(IdleWorkload::workload));
    return new IdleWorkloads(
        idle, unmeasured, young, utilisation.strangers(), utilisation.disbelieved());
  }

  /// The same, and of the largest losses what would start without them.
  ///
  /// @param most workloads of which that is tried
  public IdleWorkloads with(Beneficiaries beneficiaries, int most) {
    var told = new ArrayList<IdleWorkload>();
    for (IdleWorkload each : workloads) {
      told.add(told.size() < most ? each.with(beneficiaries.of(each.workload())) : each);
    }
    return new IdleWorkloads(told, unmeasured, young, strangers, disbelieved);
  }

  /// How many workloads wait for GPUs, by queue.
  private static HashMap<QueueName, Integer> queued(
      SortedMap<GroupKey, QuotaPosition> positions, Set<GroupKey> waiting) {
    var queued = new HashMap<QueueName, Integer>(); // looked up only
    positions.forEach((group, position) -> {
      if (position.waiting() > 0 && waiting.contains(group)) {
        queued.merge(position.queue(), 1, Integer::sum);
      }
    });
    return queued;
  }

  /// What is measured of the pods of one workload.
  private static final class Sum {
    private final GpuUtilisation utilisation;
    private final IdleSettings settings;
    private int gpus;
    private int measured;
    private int young; // pods
    private long idleMillis;
    private double means;
    private double most;
    private double idleHours;
    private int sharers;
    private Optional<Instant> since = Optional.empty();

    Sum(GpuUtilisation utilisation, IdleSettings settings) {
      this.utilisation = utilisation;
      this.settings = settings;
    }

    void add(Member member) {
      var pod = member.pod();
      if (!(member.standing() instanceof Standing.Bound(var at))
          || pod.life().phase() != Pod.Phase.RUNNING) {
        return;
      }
      var devices = pod.asks().request().devices();
      var found = utilisation.of(pod.key());
      int has = Math.max(devices.count(), found.size());
      if (has == 0) {
        return;
      }
      if (pod.life().started().isAfter(settings.begin())) {
        young++;
        return;
      }
      gpus += has;
      long each = GpuAmounts.each(pod, at);
      found.forEach(gpu -> add(gpu, each));
    }

    private void add(MeasuredGpu gpu, long millis) {
      var percent = gpu.percent();
      if (percent.isEmpty() || covered(percent).multipliedBy(2).compareTo(settings.window()) < 0) {
        return;
      }
      measured++;
      double mean =
          percent.values().stream().mapToDouble(Double::doubleValue).sum() / percent.size();
      means += mean;
      most =
          Math.max(
              most, percent.values().stream().mapToDouble(Double::doubleValue).max().orElse(0));
      sharers = Math.max(sharers, gpu.sharers());
      if (mean >= settings.below()) {
        return;
      }
      idleMillis += millis;
      long below = percent.values().stream().filter(value -> value < settings.below()).count();
      idleHours += millis / 1000.0 * covered(percent).toMillis() / HOUR * below / percent.size();
      percent.forEach((moment, value) -> {
        if (value >= settings.below() && since.filter(moment::isBefore).isEmpty()) {
          since = Optional.of(moment);
        }
      });
    }

    /// How much of the window samples tell of: each of one step.
    private Duration covered(SortedMap<Instant, Double> percent) {
      var sum = settings.step().multipliedBy(percent.size());
      return sum.compareTo(settings.window()) > 0 ? settings.window() : sum;
    }

    IdleWorkload workload(PodGroup group, QuotaPosition position, int waiting) {
      return new IdleWorkload(
          group.key(),
          group.queue(),
          position.millis(),
          idleMillis,
          measured,
          gpus,
          means / measured,
          most,
          since,
          idleHours,
          sharers,
          position.overQuota(),
          position.nonPreemptible() == 0,
          waiting,
          Optional.empty());
    }
  }
}
