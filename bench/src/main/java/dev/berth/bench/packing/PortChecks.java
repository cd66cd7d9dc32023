package dev.berth.bench.packing;

import dev.berth.bench.peers.Peer;
import dev.berth.bench.trace.Trace.Csv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Whether the ports of other rules reproduce what is published of these rules: without that no
/// comparison means anything.
///
/// Compared are means over seeds of allocation and fragmentation at 100 and 130 % arrived load. The
/// seeds are ours, so tolerances are those of a mean over ten seeds, and wider in proportion to the
/// standard error over fewer. Of a trace beyond its tolerance, further seeds run, and the mean over
/// all of them counts. Where nothing is published, an independent replication stands in.
final class PortChecks {
  private static final String PUBLISHED = "anchors/fgd_published_summary.csv";
  private static final String REPLICATED = "anchors/fgd_replication_java.csv";
  private static final double OVER_TRACES = 0.1;
  private static final double SEEDS = 10;

  private final Map<String, Double> anchors = new HashMap<>(); // looked up only

  PortChecks(Path traces) {
    if (Files.exists(traces.resolve(REPLICATED))) {
      for (String[] row : Csv.rows(traces.resolve(REPLICATED))) {
        anchors.put(key(row[0], row[1], "alloc_pct", "100"), Double.valueOf(row[3]));
        anchors.put(key(row[0], row[1], "alloc_pct", "130"), Double.valueOf(row[5]));
        anchors.put(key(row[0], row[1], "frag_pct", "100"), Double.valueOf(row[7]));
      }
    }
    if (Files.exists(traces.resolve(PUBLISHED))) {
      for (String[] row : Csv.rows(traces.resolve(PUBLISHED))) {
        anchors.put(key(row[0], row[1], row[2], row[3]), Double.valueOf(row[4]));
      }
    }
  }

  private static String key(String trace, String policy, String metric, String percent) {
    return String.join("/", trace, policy, metric, percent);
  }

  /// What came of one port.
  ///
  /// @param reproduced traces within the tolerance, of `compared`
  /// @param worst the largest distance, on `where`
  /// @param beyond traces beyond the tolerance
  /// @param bias the mean distance over all traces
  record Check(
      Peer peer,
      int reproduced,
      int compared,
      double tolerance,
      double worst,
      String where,
      List<String> beyond,
      double bias,
      double mostBias) {
    boolean isReproduced() {
      return reproduced == compared && Math.abs(bias) <= mostBias;
    }

    String text() {
      if (compared == 0) {
        return peer.label() + " not compared (no anchors)";
      }
      return String.format(
          Locale.ROOT,
          "%s %d/%d within %.2f (worst %.2f, %s; mean %+.2f)%s",
          peer.label(),
          reproduced,
          compared,
          tolerance,
          worst,
          where,
          bias,
          isReproduced() ? "" : " NOT REPRODUCED");
    }
  }

  /// @param traces the traces that ran
  List<Check> check(Results results, List<String> traces, List<Peer> peers, int seeds) {
    double wider = Math.max(1, Math.sqrt(SEEDS / seeds));
    var checks = new ArrayList<Check>();
    for (Peer peer : peers) {
      double tolerance = peer.tolerance() * wider;
      double worst = 0;
      var where = "";
      double sum = 0;
      int compared = 0;
      int reproduced = 0;
      var beyond = new ArrayList<String>();
      for (String trace : traces) {
        var distances = distances(results, trace, peer);
        if (distances.isEmpty()) {
          continue;
        }
        compared++;
        sum += distances.getFirst();
        double farthest = distances.stream().mapToDouble(Math::abs).max().orElseThrow();
        if (farthest <= tolerance) {
          reproduced++;
        } else {
          beyond.add(trace);
        }
        if (farthest > worst) {
          worst = farthest;
          where = trace;
        }
      }
      // over few traces the mean is as uncertain as each of them
      double mostBias = compared < 10 ? tolerance : OVER_TRACES * wider;
      checks.add(
          new Check(
              peer,
              reproduced,
              compared,
              tolerance,
              worst,
              where,
              List.copyOf(beyond),
              compared == 0 ? 0 : sum / compared,
              mostBias));
    }
    return checks;
  }

  /// Of allocation at 100 % first.
  private List<Double> distances(Results results, String trace, Peer peer) {
    var distances = new ArrayList<Double>();
    for (String metric : List.of("alloc_pct", "frag_pct")) {
      for (String percent : List.of("100", "130")) {
        var anchor = anchors.get(key(trace, peer.label(), metric, percent));
        if (anchor != null) {
          distances.add(
              results.mean(
                      trace,
                      peer.label(),
                      each -> {
                        var at = percent.equals("100") ? each.at100() : each.at130();
                        return metric.equals("alloc_pct") ? at.allocation() : at.fragmented();
                      })
                  - anchor);
        }
      }
    }
    return distances;
  }
}
