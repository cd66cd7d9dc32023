package dev.berth.bench.packing;

import dev.berth.bench.Options;
import dev.berth.bench.peers.Peer;
import dev.berth.bench.report.Plot;
import dev.berth.bench.report.Plot.Ink;
import dev.berth.bench.report.Plot.Point;
import dev.berth.bench.report.Plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The plot of `packing`: allocation and fragmentation against arrived load on the first trace, and
/// the difference to FGD on each trace.
final class Picture {
  private static final String LOAD = "GPUs asked for by the pods that have arrived, of all GPUs";

  /// One of the values of a curve.
  private interface Value {
    double at(Curve curve, int x);
  }

  private Picture() {}

  static void write(List<Row> rows, Bounds bounds, Results results, Options options) {
    var trace = bounds.trace();
    var allocation = lines(trace, results, Curve::allocation);
    allocation.add(new Series("upper bound", Ink.BOUND, bounds.curve()));
    var fragmented = lines(trace, results, Curve::fragmented);
    double highest =
        fragmented.stream()
            .flatMap(line -> line.points().stream())
            .mapToDouble(Point::y)
            .max()
            .orElse(0);
    new Plot(
            "GPUs allocated while pods keep coming and none leaves",
            String.format(
                Locale.ROOT,
                "1,213 nodes with 6,212 GPUs of a published trace; mean over %d seeds; left and"
                    + " middle: pod list %s",
                options.seeds().size(),
                trace))
        .lines("Allocated GPUs, of all GPUs", LOAD, 80, 130, 80, 100, allocation)
        .lines(
            "Free GPUs that typical pods cannot use, of all GPUs",
            LOAD,
            0,
            130,
            0,
            Math.max(10, 5 * Math.ceil(highest / 5)),
            fragmented)
        .rows(
            "Berth − FGD at 100 %, by pod list",
            "points of allocated GPUs; bar: two standard errors",
            rows.stream()
                .filter(row -> !Double.isNaN(row.d().mean()))
                .map(row -> new Plot.Row(row.trace(), row.d().mean(), row.d().error()))
                .toList())
        .write(options.target().resolve("packing.svg"));
  }

  private static List<Series> lines(String trace, Results results, Value value) {
    var lines = new ArrayList<Series>();
    lines.add(new Series("Berth", Ink.OURS, mean(results.of(trace, Packing.OURS), value)));
    lines.add(new Series("FGD", Ink.FIRST, mean(results.of(trace, Peer.FGD.label()), value)));
    lines.add(
        new Series("BestFit", Ink.SECOND, mean(results.of(trace, Peer.BEST_FIT.label()), value)));
    lines.removeIf(line -> line.points().isEmpty());
    return lines;
  }

  private static List<Point> mean(List<Result> results, Value value) {
    var points = new ArrayList<Point>();
    for (int x = 0; x <= 130; x++) {
      double sum = 0;
      int count = 0;
      for (Result each : results) {
        if (each.curve().has(x)) {
          sum += value.at(each.curve(), x);
          count++;
        }
      }
      if (count > 0) {
        points.add(new Point(x, sum / count));
      }
    }
    return points;
  }
}
