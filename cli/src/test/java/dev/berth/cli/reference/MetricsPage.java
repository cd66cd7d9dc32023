package dev.berth.cli.reference;

import static dev.berth.cli.reference.Markdown.code;
import static dev.berth.cli.reference.Markdown.prose;

import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.SimpleCollector;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Metrics, as the registry has them that `/metrics` shows.
public final class MetricsPage {
  /// Values of labels, and where their number is bounded.
  public static final Map<String, String> LABELS =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.ofEntries(
                  Map.entry(
                      "queue",
                      "name of a Queue: the 500 oldest; `_other` the rest, `_unknown` no such"
                          + " queue"),
                  Map.entry("parent", "name of the Queue above it, empty at the top"),
                  Map.entry("leaf", "`true`, `false`"),
                  Map.entry("resource", "`gpu` (in GPUs), `cpu` (cores), `memory` (bytes)"),
                  Map.entry(
                      "model",
                      "label `nvidia.com/gpu.product` of nodes: the first 50; `_other`,"
                          + " `_unknown`"),
                  Map.entry("reason", "code of a reason, [reasons.md](reasons.md)"),
                  Map.entry("state", "see the metric"),
                  Map.entry("standing", "see the metric"),
                  Map.entry("at_least", "`1`, `2`, `4`, `8`, `16`"),
                  Map.entry(
                      "cause",
                      "of evictions `consolidate`, `reclaim`, `preempt`, `stale`, `max_runtime`; of"
                          + " lists `start`, `expired`, `broken`, `absent`"),
                  Map.entry("scope", "`workload`, `namespace`"),
                  Map.entry(
                      "kind",
                      "kind of an object, or of a drift ([devices.md](../operators/devices.md))"),
                  Map.entry("verb", "`filter`, `prioritize`, `preempt`, `bind`"),
                  Map.entry(
                      "outcome",
                      "closed list: of writes `done`, `gone`, `conflict`, `refused`, `not_now`,"
                          + " `unreachable`; of gangs `open`, `timed_out`, `cancelled`, `left`; of"
                          + " verbs what they answered"),
                  Map.entry("write", "what is written, such as `lift`, `bind`, `evict`"),
                  Map.entry("operation", "`writes`, `gate_removals`, `evictions`"),
                  Map.entry("decision", "`reserve`, `evict`, `withdraw`"),
                  Map.entry("version", "of Berth"),
                  Map.entry("quantile", "`0.5` (the median), `0.9` (P90)"),
                  Map.entry("node", "name of the node"),
                  Map.entry("uuid", "of the GPU, as dcgm-exporter tells it"),
                  Map.entry("namespace", "of the pod"),
                  Map.entry(
                      "pod",
                      "its name; one series for each GPU of which a pod has a share, so bounded by"
                          + " shares"),
                  Map.entry("container", "that has the share"),
                  Map.entry("area", "`heap`, `nonheap`"),
                  Map.entry("pool", "of the JVM"),
                  Map.entry("gc", "collector of the JVM"))));

  private MetricsPage() {}

  /// A metric as the registry has it.
  public record Described(String name, String type, List<String> labels, String help) {}

  public static TreeMap<String, Described> described(CollectorRegistry registry)
      throws ReflectiveOperationException {
    var described = new TreeMap<String, Described>();
    for (Collector collector : collectors(registry)) {
      for (MetricFamilySamples family : collector.collect()) {
        String suffix = family.type == Collector.Type.COUNTER ? "_total" : "";
        String name = family.name.endsWith(suffix) ? family.name : family.name + suffix;
        described.put(
            name,
            new Described(
                name,
                family.type.name().toLowerCase(Locale.ROOT),
                labels(collector, family),
                family.help));
      }
    }
    return described;
  }

  /// The library keeps both to itself.
  @SuppressWarnings("unchecked")
  private static Set<Collector> collectors(CollectorRegistry registry)
      throws ReflectiveOperationException {
    var names = CollectorRegistry.class.getDeclaredField("collectorsToNames");
    names.setAccessible(true);
    return ((Map<Collector, ?>) names.get(registry)).keySet();
  }

  @SuppressWarnings("unchecked")
  private static List<String> labels(Collector collector, MetricFamilySamples family)
      throws ReflectiveOperationException {
    Class<?> keeper =
        switch (collector) {
          case SimpleCollector<?> _ -> SimpleCollector.class;
          default ->
              family instanceof GaugeMetricFamily
                  ? GaugeMetricFamily.class
                  : family instanceof CounterMetricFamily
                      ? CounterMetricFamily.class
                      : Object.class;
        };
    if (keeper == Object.class) {
      return family.samples.stream().flatMap(it -> it.labelNames.stream()).distinct().toList();
    }
    Field field = keeper.getDeclaredField("labelNames");
    field.setAccessible(true);
    return (List<String>) field.get(keeper == SimpleCollector.class ? collector : family);
  }

  public static ReferencePage page(CollectorRegistry registry) throws ReflectiveOperationException {
    var all = described(registry);
    var page = new Markdown();
    page.paragraph(
        "What `/metrics` on port 8888 shows. Which process tells what, what a scrape costs,"
            + " dashboards and alerts: [metrics.md](../operators/metrics.md). What to do when an"
            + " alert fires: [runbooks.md](../operators/runbooks.md).");
    page.paragraph(
        "A unit *of the resource* is GPUs, cores or bytes, by the label `resource`. A histogram has"
            + " the series `…_bucket`, `…_sum` and `…_count`, a summary the last two.");
    page.section("Metrics of Berth");
    table(page, all, true);
    page.section("Of the process");
    table(page, all, false);
    page.section("Labels");
    page.table(
        List.of("label", "values"),
        LABELS.entrySet().stream()
            .map(label -> List.of(code(label.getKey()), label.getValue()))
            .toList());
    return new ReferencePage(
        "metrics.md", "Metrics", "metrics with type, unit, labels and help", page.text());
  }

  private static void table(Markdown page, TreeMap<String, Described> all, boolean own) {
    var rows = new ArrayList<List<String>>();
    for (Described it : all.values()) {
      if (it.name().startsWith("berth_") == own) {
        rows.add(
            List.of(
                code(it.name()),
                it.type(),
                unit(it),
                it.labels().stream().map(Markdown::code).collect(Collectors.joining(" ")),
                prose(it.help())));
      }
    }
    page.table(List.of("metric", "type", "unit", "labels", "what"), rows);
  }

  /// By the conventions for names, which `MonitoringTest` enforces.
  private static String unit(Described metric) {
    String name = metric.name();
    if (name.contains("timestamp_seconds") || name.contains("start_time_seconds")) {
      return "Unix time in seconds";
    }
    if (name.contains("gpu_seconds")) {
      return "GPU seconds";
    }
    if (name.contains("seconds")) {
      return "seconds";
    }
    if (name.contains("bytes")) {
      return "bytes";
    }
    if (name.endsWith("_ratio")) {
      return "ratio";
    }
    if (metric.labels().contains("resource")) {
      return "of the resource";
    }
    if (name.startsWith("berth_gpus")) {
      return "GPUs";
    }
    return metric.help().startsWith("1 ") || metric.help().startsWith("1,") ? "0 or 1" : "count";
  }
}
