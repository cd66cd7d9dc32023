package dev.berth.cli.idle;

import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.idle.GpuSeries;
import dev.berth.controllers.idle.GpuSeries.Gpu;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the GPUs of pods did, by the series that can be believed.
final class GpuUtilisation {
  /// More is no utilisation: the exporter writes very large numbers for what it cannot read.
  private static final double MOST = 100;

  /// A GPU of a pod, as far as it was measured.
  ///
  /// @param sharers pods that have a share of it; 0 = it is the pod's alone
  /// @param percent by time
  record MeasuredGpu(int sharers, SortedMap<Instant, Double> percent) {}

  private final GpuSeries series;
  private final IdleSettings settings;

  private GpuUtilisation(GpuSeries series, IdleSettings settings) {
    this.series = series;
    this.settings = settings;
  }

  static GpuUtilisation of(Snapshot snapshot, List<MetricSeries> series, IdleSettings settings) {
    return new GpuUtilisation(GpuSeries.of(snapshot, series, settings.labels()), settings);
  }

  /// The GPUs of a pod that were measured.
  List<MeasuredGpu> of(PodKey pod) {
    return series.of(pod).stream().map(this::measured).toList();
  }

  /// Of several series the busier counts at each moment.
  private MeasuredGpu measured(Gpu gpu) {
    var percent = new TreeMap<Instant, Double>();
    for (MetricSeries each : gpu.series()) {
      each.samples()
          .forEach((moment, value) -> {
            double scaled = value * settings.scale();
            boolean isAsked = moment.isAfter(settings.begin()) && !moment.isAfter(settings.end());
            if (isAsked && scaled >= 0 && scaled <= MOST) {
              percent.merge(moment, scaled, Math::max);
            }
          });
    }
    return new MeasuredGpu(gpu.sharers(), Collections.unmodifiableSortedMap(percent));
  }

  /// Series that are of no pod of Berth.
  int strangers() {
    return series.strangers();
  }

  /// Series that cannot be true.
  int disbelieved() {
    return series.disbelieved();
  }
}
