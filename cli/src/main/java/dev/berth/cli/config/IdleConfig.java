package dev.berth.cli.config;

import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.idle.MeasurementSettings;
import dev.berth.controllers.idle.SeriesLabels;
import dev.berth.controllers.prometheus.PrometheusServer;
import dev.berth.controllers.prometheus.PrometheusServer.Access;
import dev.berth.controllers.prometheus.PrometheusServer.Wording;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Which Prometheus knows what GPUs do, for idle rules of queues.
///
/// @param url empty = none, and no idle rule holds
public record IdleConfig(String url, Access access, MeasurementSettings measurements) {
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);
  private static final String SECTION = "idle.prometheus.";

  private static final Wording WORDING =
      new Wording(
          SECTION + "url",
          SECTION + "caFile",
          SECTION + "tokenFile",
          SECTION + "passwordFile",
          "a narrower " + SECTION + "series asks for fewer GPUs");

  /// Empty = none is named.
  ///
  /// @throws MetricsException where a setting cannot be used
  public Optional<MetricsClient> server() throws MetricsException {
    return url.isEmpty()
        ? Optional.empty()
        : Optional.of(new PrometheusServer(url, access, LONGEST_ANSWER, WORDING));
  }

  static IdleConfig read(Section idle) {
    var section =
        idle.section(
            "prometheus", "The Prometheus that scrapes the DCGM exporter of the GPU nodes.");
    var defaults = MeasurementSettings.DEFAULT;
    String metric =
        section.text(
            "metric",
            "Utilisation of a GPU: percent, or 0 to 1 of names with _PROF_.",
            defaults.metric());
    return new IdleConfig(
        section.text(
            "url",
            "Its address, before /api/v1, like https://prometheus.monitoring.svc:9090. Empty means"
                + " none: then idle rules of queues do nothing.",
            ""),
        new Access(
            file(section, "caFile", "Certificates in PEM that are trusted of it."),
            file(
                section,
                "tokenFile",
                "File with a bearer token for it, which is read for each question."),
            file(section, "passwordFile", "File with USER:PASSWORD, for basic authentication.")),
        new MeasurementSettings(
            section.duration(
                "period",
                "How often it is asked. An answer is believed for three times as long, and for 5m"
                    + " at least.",
                defaults.period(),
                Duration.ofSeconds(1),
                Duration.ofHours(1)),
            metric,
            section.text(
                "series",
                "Which series are believed, as a selector without braces: those of the exporter"
                    + " alone, as every pod that is scraped can export the metric. Add the"
                    + " namespace of the exporter where tenants may write ServiceMonitors.",
                defaults.series()),
            MeasurementSettings.scaleOf(metric),
            labels(
                section.section(
                    "labels",
                    "In which labels series tell what they are of. Where Prometheus keeps its own"
                        + " labels of these names, exported_NAME comes first."),
                defaults.labels())));
  }

  private static Optional<Path> file(Section section, String field, String says) {
    String path = section.text(field, says + " Empty means none.", "");
    return path.isEmpty() ? Optional.empty() : Optional.of(Path.of(path));
  }

  private static SeriesLabels labels(Section section, SeriesLabels defaults) {
    return new SeriesLabels(
        section.text("namespace", "The namespace of the pod.", defaults.namespace()),
        section.text("pod", "The pod that has the GPU.", defaults.pod()),
        section.text("uuid", "The UUID of the physical GPU.", defaults.uuid()));
  }
}
