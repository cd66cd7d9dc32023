package dev.berth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What Berth's `/metrics` say, as a scraper reads them.
final class Metrics {
  private final Map<String, Double> values = new TreeMap<>();

  static Metrics of(int port) {
    try (var http = HttpClient.newHttpClient()) {
      var reply =
          http.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build(),
              HttpResponse.BodyHandlers.ofString());
      var metrics = new Metrics();
      reply
          .body()
          .lines()
          .filter(line -> !line.startsWith("#") && line.contains(" "))
          .forEach(line -> {
            int space = line.lastIndexOf(' ');
            metrics.values.put(
                line.substring(0, space).strip(), Double.parseDouble(line.substring(space + 1)));
          });
      return metrics;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }

  /// The sum over all labels of a metric whose text contains `with`.
  double sum(String name, String with) {
    return values.entrySet().stream()
        .filter(e -> e.getKey().startsWith(name) && e.getKey().contains(with))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /// By how much each value grew, of a metric whose text contains `with`; what stood still is left
  /// out.
  Map<String, Long> since(Metrics before, String name, String with) {
    var grown = new TreeMap<String, Long>();
    values.forEach((key, value) -> {
      long more = Math.round(value - before.values.getOrDefault(key, 0.0));
      if (key.startsWith(name) && key.contains(with) && more != 0) {
        grown.put(key.substring(name.length()), more);
      }
    });
    return grown;
  }

  /// The quantile of a histogram since `before`, in milliseconds: the upper bound of its bucket.
  String quantile(Metrics before, String histogram, String label, double quantile) {
    var buckets = new TreeMap<Double, Double>();
    values.forEach((name, value) -> {
      if (name.startsWith(histogram + "_bucket") && name.contains(label)) {
        String bound = name.replaceAll(".*le=\"([^\"]+)\".*", "$1");
        buckets.put(
            bound.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound),
            value - before.values.getOrDefault(name, 0.0));
      }
    });
    double total = buckets.isEmpty() ? 0 : buckets.lastEntry().getValue();
    for (var bucket : buckets.entrySet()) {
      if (total > 0 && bucket.getValue() >= quantile * total) {
        return String.format(Locale.ROOT, "≤ %.3g ms", bucket.getKey() * 1000);
      }
    }
    return "–";
  }
}
