package dev.berth.controllers.idle;

import dev.berth.controllers.client.MetricSeries;
import java.util.List;

/// In which labels series of GPUs tell what they are of. Where Prometheus keeps its own labels of
/// these names, those of the exporter begin with `exported_`, and come first.
///
/// @param uuid of the physical GPU
public record SeriesLabels(String namespace, String pod, String uuid) {
  /// Of the DCGM exporter.
  public static final SeriesLabels DCGM = new SeriesLabels("namespace", "pod", "UUID");

  /// Of a MIG instance of the GPU.
  private static final String INSTANCE = "GPU_I_ID";

  /// Where the GPU is: `node` is what Prometheus knows of the exporter, if it is told to keep it,
  /// `Hostname` what the exporter says.
  private static final List<String> NODES = List.of("node", "Hostname");

  private static final String EXPORTED = "exported_";

  String pod(MetricSeries series) {
    String own = series.label(EXPORTED + pod);
    return own.isEmpty() ? series.label(pod) : own;
  }

  String namespace(MetricSeries series) {
    boolean isExported = !series.label(EXPORTED + pod).isEmpty();
    String own = series.label(EXPORTED + namespace);
    return isExported && !own.isEmpty() ? own : series.label(namespace);
  }

  /// Empty where it is of a whole GPU.
  String instance(MetricSeries series) {
    return series.label(INSTANCE);
  }

  /// What it says of where it is; not each of these need be the name of a node.
  List<String> nodes(MetricSeries series) {
    return NODES.stream().map(series::label).filter(name -> !name.isEmpty()).toList();
  }
}
