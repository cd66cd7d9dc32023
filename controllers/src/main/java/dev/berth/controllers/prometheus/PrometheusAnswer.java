package dev.berth.controllers.prometheus;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsException;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Reads what the query API of Prometheus answers: a matrix, as `query_range` gives it, or a
/// vector, as `query` does.
public final class PrometheusAnswer {
  private static final double LATEST = 253_402_300_799.0; // the year 9999

  private PrometheusAnswer() {}

  /// A matrix.
  ///
  /// @param from where it is from, for messages
  /// @throws MetricsException where it is no such answer, or tells of an error
  public static List<MetricSeries> read(byte[] json, String from) throws MetricsException {
    return read(
        json,
        from,
        "matrix",
        "ask /api/v1/query_range, or /api/v1/query with a range such as"
            + " DCGM_FI_DEV_GPU_UTIL[30m]");
  }

  /// A vector: one sample of each series.
  static List<MetricSeries> readVector(byte[] json, String from) throws MetricsException {
    return read(json, from, "vector", "ask /api/v1/query, without a range");
  }

  private static List<MetricSeries> read(byte[] json, String from, String expected, String wayOut)
      throws MetricsException {
    JsonNode tree;
    try {
      tree = new ObjectMapper().readTree(json);
    } catch (IOException noJson) {
      throw new MetricsException(
          from
              + " is no JSON: it must be an answer of the query API of Prometheus"
              + " (/api/v1/query_range)");
    }
    if (tree.path("status").asText().equals("error")) {
      throw new MetricsException(
          from + ": " + tree.path("errorType").asText() + ": " + tree.path("error").asText());
    }
    var data = tree.path("data");
    String type = data.path("resultType").asText();
    if (!type.equals(expected)) {
      throw new MetricsException(
          from
              + ": data.resultType is \""
              + type
              + "\", but must be \""
              + expected
              + "\": "
              + wayOut);
    }
    var all = new ArrayList<MetricSeries>();
    for (JsonNode each : data.path("result")) {
      all.add(series(each, from));
    }
    return all;
  }

  private static MetricSeries series(JsonNode series, String from) throws MetricsException {
    var labels = new TreeMap<String, String>();
    series
        .path("metric")
        .properties()
        .forEach(it -> labels.put(it.getKey(), it.getValue().asText()));
    var samples = new TreeMap<Instant, Double>();
    var one = series.path("value");
    for (JsonNode sample : one.isArray() ? List.of(one) : series.path("values")) {
      double time = sample.path(0).asDouble(-1);
      double value;
      try {
        value = Double.parseDouble(sample.path(1).asText());
      } catch (NumberFormatException noNumber) {
        throw new MetricsException(
            from + ": a sample of " + labels + " is " + sample + ", but must be [TIME, \"VALUE\"]");
      }
      if (time < 0 || time > LATEST) {
        throw new MetricsException(
            from + ": a sample of " + labels + " is " + sample + ": that is no time in seconds");
      }
      if (Double.isFinite(value)) {
        samples.put(Instant.ofEpochMilli(Math.round(time * 1000)), value);
      }
    }
    return new MetricSeries(labels, samples);
  }
}
