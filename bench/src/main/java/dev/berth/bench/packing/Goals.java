package dev.berth.bench.packing;

import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Paired;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What `packing` is to reach, of the traces that ran.
final class Goals {
  private static final Map<String, Double> AT_100 = new LinkedHashMap<>();

  static {
    AT_100.put("default", 95.7);
    AT_100.put("cpu200", 95.4);
    AT_100.put("cpu250", 94.7);
    AT_100.put("gpushare100", 87.4);
    AT_100.put("gpuspec20", 95.8);
    AT_100.put("gpuspec33", 94.0);
    AT_100.put("multigpu20", 96.1);
    AT_100.put("multigpu50", 97.3);
  }

  private static final double DEFAULT_AT_130 = 95.9;

  private Goals() {}

  /// Traces with a value to reach.
  static List<String> traces() {
    return List.copyOf(AT_100.keySet());
  }

  static List<Goal> of(List<Row> rows) {
    var goals = new ArrayList<Goal>();
    var behind =
        rows.stream()
            .filter(row -> !(row.d().mean() >= 0 && row.d130().mean() >= 0))
            .map(Row::trace)
            .toList();
    goals.add(
        new Goal(
            "at least FGD at 100 and 130 % on every trace"
                + (behind.isEmpty() ? "" : "; not on " + String.join(", ", behind)),
            behind.isEmpty()));
    for (Row row : rows) {
      var wanted = AT_100.get(row.trace());
      if (wanted == null) {
        continue;
      }
      boolean met = row.ours() >= wanted && row.d().standing() == Paired.Standing.AHEAD;
      var text =
          String.format(Locale.ROOT, "%s ≥ %.1f at 100 %% (%.2f)", row.trace(), wanted, row.ours());
      if (row.trace().equals("default")) {
        met &= row.ours130() >= DEFAULT_AT_130;
        text +=
            String.format(Locale.ROOT, ", ≥ %.1f at 130 %% (%.2f)", DEFAULT_AT_130, row.ours130());
      }
      goals.add(new Goal(text + " and ahead of FGD", met));
    }
    double closed = rows.stream().mapToDouble(Row::gapClosed).average().orElse(0);
    goals.add(
        new Goal(
            String.format(
                Locale.ROOT,
                "mean gap closed ≥ 30 %% (%.0f %% of what is between FGD and the bound)",
                100 * closed),
            closed >= 0.3));
    return goals;
  }
}
