package dev.berth.bench.packing;

import dev.berth.bench.report.Goal;
import dev.berth.bench.report.Paired;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/// The table of `packing`, in percent of all GPUs, and its last line.
final class Table {
  private Table() {}

  static void print(List<Row> rows, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%-12s %7s %7s %9s %7s %10s   %-14s %10s   %-8s %-23s %s%n",
        "trace",
        "ours",
        "FGD",
        "BestFit",
        "bound",
        "ours/FGD",
        "d ± se",
        "gap closed",
        "",
        "130 %: ours, FGD, d",
        "CPU-only refused, ours / FGD");
    for (Row row : rows) {
      out.printf(
          Locale.ROOT,
          "%-12s %7.2f %7.2f %9.2f %7.2f %10.4f   %-14s %8.0f %%   %-8s %-23s %.1f / %.1f%n",
          row.trace(),
          row.ours(),
          row.fgd(),
          row.bestFit(),
          row.bound(),
          row.ours() / row.fgd(),
          String.format(Locale.ROOT, "%+.2f ± %.2f", row.d().mean(), row.d().error()),
          100 * row.gapClosed(),
          row.d().standing().name().toLowerCase(Locale.ROOT),
          String.format(
              Locale.ROOT, "%.2f  %.2f  %+.2f", row.ours130(), row.fgd130(), row.d130().mean()),
          row.refused(),
          row.fgdRefused());
    }
  }

  static void summary(List<Row> rows, List<Goal> goals, long seconds, PrintStream out) {
    double ours = rows.stream().mapToDouble(Row::ours).average().orElseThrow();
    double fgd = rows.stream().mapToDouble(Row::fgd).average().orElseThrow();
    out.printf(
        Locale.ROOT,
        "packing: ours %.1f  peer FGD %.1f  bound %.1f  ratio %.3f  ahead %d  level %d  behind %d"
            + "  goals %d/%d  %d s%n",
        ours,
        fgd,
        rows.stream().mapToDouble(Row::bound).average().orElseThrow(),
        ours / fgd,
        count(rows, Paired.Standing.AHEAD),
        count(rows, Paired.Standing.LEVEL),
        count(rows, Paired.Standing.BEHIND),
        goals.stream().filter(Goal::isMet).count(),
        goals.size(),
        seconds);
  }

  private static long count(List<Row> rows, Paired.Standing standing) {
    return rows.stream().filter(row -> row.d().standing() == standing).count();
  }
}
