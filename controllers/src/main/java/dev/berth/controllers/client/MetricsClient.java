package dev.berth.controllers.client;

import java.util.List;

/// A server of metrics that understands PromQL.
public interface MetricsClient {
  /// What an expression is now: one sample of each series.
  ///
  /// @throws MetricsException where it cannot be had, with the way out
  List<MetricSeries> ask(String expression) throws MetricsException;
}
