package dev.berth.controllers.idle;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.idle.GpuSeries.Gpu;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.IdleRules;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which groups do nothing with their GPUs, by what was measured. Whatever is not known is no
/// proof: a pod of the group that is younger than what the rule looks at, a GPU without series or
/// with a value that cannot be, a claim of devices (DRA), of which it is not known how many GPUs it
/// is.
///
/// A shared GPU is measured as a whole. Where that did nothing, none of its shares did; where it
/// did something, it is not told which, and none of them is idle.
final class IdleGroupsMeasured {
  private final Snapshot snapshot;
  private final SortedMap<Duration, GpuSeries> measured;
  private final MeasurementSettings settings;

  private IdleGroupsMeasured(
      Snapshot snapshot, SortedMap<Duration, GpuSeries> measured, MeasurementSettings settings) {
    this.snapshot = snapshot;
    this.measured = measured;
    this.settings = settings;
  }

  /// By group, of those that are idle.
  ///
  /// @param answers the most that GPUs did, by the time that was looked at
  static SortedMap<GroupKey, Idleness> of(
      Snapshot snapshot, Map<Duration, List<MetricSeries>> answers, MeasurementSettings settings) {
    var measured = new TreeMap<Duration, GpuSeries>();
    answers.forEach(
        (after, series) -> measured.put(after, GpuSeries.of(snapshot, series, settings.labels())));
    var all = new IdleGroupsMeasured(snapshot, measured, settings);
    var idle = new TreeMap<GroupKey, Idleness>();
    for (PodGroup group : snapshot.groups()) {
      all.strictest(group).ifPresent(it -> idle.put(group.key(), it));
    }
    return idle;
  }

  private Optional<Idleness> strictest(PodGroup group) {
    return IdleRules.in(group.queue(), snapshot::queue).stream()
        .flatMap(rule -> idle(group, rule).stream())
        // of equals the first, which is the nearest
        .min(Comparator.comparing(Idleness::rule, IdleRule.STRICTEST));
  }

  private Optional<Idleness> idle(PodGroup group, IdleRule rule) {
    var series = measured.get(rule.after());
    if (series == null) {
      return Optional.empty();
    }
    var begin = snapshot.now().minus(rule.after());
    int gpus = 0;
    long millis = 0;
    for (Member member : group.members()) {
      if (!(member.standing() instanceof Standing.Bound(var at))) {
        continue;
      }
      var pod = member.pod();
      if (!pod.traits().claims().isEmpty()) {
        return Optional.empty();
      }
      int has = pod.asks().request().gpus();
      if (has > 0 && !isIdle(pod, has, series.of(pod.key()), rule, begin)) {
        return Optional.empty();
      }
      gpus += has;
      millis += has * GpuAmounts.each(pod, at);
    }
    return gpus == 0 ? Optional.empty() : Optional.of(new Idleness(rule, begin, gpus, millis));
  }

  private boolean isIdle(Pod pod, int has, List<Gpu> gpus, IdleRule rule, Instant begin) {
    return pod.life().phase() == Pod.Phase.RUNNING
        && !pod.life().started().isAfter(begin)
        && gpus.size() == has
        && gpus.stream().allMatch(gpu -> isIdle(gpu, rule));
  }

  private boolean isIdle(Gpu gpu, IdleRule rule) {
    return gpu.series().stream()
        .allMatch(series ->
            !series.samples().isEmpty()
                && series.samples().values().stream()
                    .allMatch(value -> settings.isBelow(value, rule)));
  }
}
