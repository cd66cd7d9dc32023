package dev.berth.bench.packing;

import dev.berth.bench.ours.Repair;
import dev.berth.bench.ours.Repair.Repaired;
import dev.berth.bench.report.Paired;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// The rows `moves`: what is gained by moving running pods once all pods have come (130 %) and
/// those that were refused wait. Apart from the headline, as no peer moves anything.
final class Repairs {
  /// As many pods may be moved as the default settings allow in an hour.
  static final int MOST_MOVES = 256;

  /// Seeds of a row, at most: a repair takes ten times as long as the run before it.
  static final int SEEDS = 3;

  private Repairs() {}

  /// One run.
  ///
  /// @param capacity thousandths of GPUs
  record Result(String trace, long seed, long capacity, Repaired repaired) {
    /// GPUs allocated when the last pod has come, in per cent of all; nothing was moved.
    double before() {
      return 100.0 * repaired.usedBefore() / capacity;
    }

    /// The same after the moves.
    double after() {
      return 100.0 * repaired.usedAfter() / capacity;
    }

    /// For the document.
    Map<String, Object> numbers() {
      var numbers = new LinkedHashMap<String, Object>();
      numbers.put("trace", trace);
      numbers.put("seed", seed);
      numbers.put("mostMoves", MOST_MOVES);
      numbers.put("alloc", before());
      numbers.put("allocWithMoves", after());
      numbers.put("moves", repaired.moves());
      numbers.put("movedAndNotPlacedAgain", repaired.lost());
      numbers.put("waited", repaired.waited());
      numbers.put("started", repaired.started());
      return numbers;
    }
  }

  static Result of(Instance instance) {
    var policies = new ArrayList<Repair>(1);
    var _ =
        PackingRun.of(
            instance,
            cluster -> {
              policies.add(new Repair(cluster));
              return policies.getFirst();
            },
            Packing.fragmentation(instance));
    return new Result(
        instance.trace().name(),
        instance.seed(),
        instance.trace().capacity(),
        policies.getFirst().repair(MOST_MOVES));
  }

  /// One line for each trace; means over the seeds.
  static void print(List<Result> results, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%nmoves, apart from the headline: once all have come (130 %%), those refused wait, and at"
            + " most %d running pods may be moved for them (%d seeds at most)%n"
            + "%-12s %7s %7s   %-14s %7s %14s   %-18s %s%n",
        MOST_MOVES,
        SEEDS,
        "trace",
        "before",
        "after",
        "d ± se",
        "moves",
        "moves per GPU",
        "started / waited",
        "moved, not placed again");
    var rows = new LinkedHashMap<String, List<Result>>();
    for (Result each : results) {
      rows.computeIfAbsent(each.trace, _ -> new ArrayList<>()).add(each);
    }
    rows.forEach((trace, seeds) -> out.println(line(trace, seeds)));
    out.println();
  }

  private static String line(String trace, List<Result> seeds) {
    var d = Paired.of(values(seeds, Result::after), values(seeds, Result::before));
    double moves = mean(seeds, each -> each.repaired.moves());
    double gpus =
        mean(seeds, each -> each.repaired.usedAfter() - each.repaired.usedBefore()) / 1000;
    return String.format(
        Locale.ROOT,
        "%-12s %7.2f %7.2f   %-14s %7.1f %14s   %-18s %.1f",
        trace,
        mean(seeds, Result::before),
        mean(seeds, Result::after),
        String.format(Locale.ROOT, "%+.2f ± %.2f", d.mean(), d.error()),
        moves,
        gpus > 0 ? String.format(Locale.ROOT, "%.1f", moves / gpus) : "-",
        String.format(
            Locale.ROOT,
            "%.1f / %.1f",
            mean(seeds, each -> each.repaired.started()),
            mean(seeds, each -> each.repaired.waited())),
        mean(seeds, each -> each.repaired.lost()));
  }

  private static double mean(List<Result> seeds, ToDoubleFunction<Result> value) {
    return Paired.mean(values(seeds, value));
  }

  private static double[] values(List<Result> seeds, ToDoubleFunction<Result> value) {
    return seeds.stream().mapToDouble(value).toArray();
  }
}
