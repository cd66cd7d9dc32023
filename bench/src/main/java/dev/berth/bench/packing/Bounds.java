package dev.berth.bench.packing;

import dev.berth.bench.bound.Bound;
import dev.berth.bench.report.Paired;
import dev.berth.bench.report.Plot.Point;
import dev.berth.bench.trace.Trace;
import dev.berth.bench.trace.Trace.Csv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Upper bounds of one trace: what no policy can exceed with the pods that have arrived.
///
/// @param at100 percent of capacity, by seed
/// @param curve for plots, of the first seed
public record Bounds(String trace, double[] at100, double[] at130, List<Point> curve) {
  private static final String ANCHORS = "anchors/fgd_lp_bounds.csv";
  private static final double TOLERANCE = 0.05;
  private static final int PLOTTED_FROM = 80;
  private static final int STEP = 5;

  /// @param plots whether a curve is wanted
  public static Bounds of(Trace trace, List<Long> seeds, boolean plots) {
    var at100 = new double[seeds.size()];
    var at130 = new double[seeds.size()];
    var curve = new ArrayList<Point>();
    try (var bound = new Bound(trace)) {
      for (int i = 0; i < at100.length; i++) {
        var instance = Instance.of(trace, seeds.get(i));
        at100[i] = at(bound, instance, 100);
        at130[i] = at(bound, instance, 130);
      }
      for (int load = PLOTTED_FROM; plots && load <= 130; load += STEP) {
        curve.add(new Point(load, at(bound, Instance.of(trace, seeds.getFirst()), load)));
      }
    }
    return new Bounds(trace.name(), at100, at130, List.copyOf(curve));
  }

  private static double at(Bound bound, Instance instance, int load) {
    var asks = instance.trace().asks();
    long capacity = instance.trace().capacity();
    var pods = new double[asks.size()];
    long arrived = 0;
    for (int k : instance.arrivals()) {
      if (100 * arrived >= load * capacity) {
        break;
      }
      pods[k]++;
      arrived += asks.get(k).gpuMillis();
    }
    return 100 * bound.of(pods) / capacity;
  }

  /// How they compare with those computed by others.
  static String compare(List<Bounds> all, Path traces, int seeds) {
    var file = traces.resolve(ANCHORS);
    if (!Files.exists(file)) {
      return "bound not compared (no anchors)";
    }
    double tolerance = TOLERANCE * Math.max(1, Math.sqrt(10.0 / seeds));
    int compared = 0;
    int reproduced = 0;
    double worst = 0;
    var where = "";
    for (String[] row : Csv.rows(file)) {
      for (Bounds each : all) {
        if (each.trace.equals(row[0])) {
          double distance =
              Math.max(
                  Math.abs(Paired.mean(each.at100) - Double.parseDouble(row[1])),
                  Math.abs(Paired.mean(each.at130) - Double.parseDouble(row[2])));
          compared++;
          reproduced += distance <= tolerance ? 1 : 0;
          if (distance > worst) {
            worst = distance;
            where = each.trace;
          }
        }
      }
    }
    return String.format(
        Locale.ROOT,
        "bound %d/%d within %.2f (worst %.3f, %s)",
        reproduced,
        compared,
        tolerance,
        worst,
        where);
  }
}
