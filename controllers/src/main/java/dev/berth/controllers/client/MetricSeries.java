package dev.berth.controllers.client;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One series of an answer of Prometheus.
///
/// @param labels by name, the name of the metric included (`__name__`), if the answer has it
/// @param samples by time; none of them is NaN or infinite
public record MetricSeries(SortedMap<String, String> labels, SortedMap<Instant, Double> samples) {
  public MetricSeries {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    samples = Collections.unmodifiableSortedMap(new TreeMap<>(samples));
  }

  /// Empty where it has no such label.
  public String label(String name) {
    return labels.getOrDefault(name, "");
  }
}
