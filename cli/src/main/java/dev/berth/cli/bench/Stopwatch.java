package dev.berth.cli.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/// Times one piece of work again and again, on the calling thread, and prints a row: median, p99
/// and worst of the wall time, median and worst of the CPU time of the thread, the median of the
/// bytes that it allocated, and the goal of the row. On a machine with others the CPU time is what
/// can be compared; the load of the machine stands above and below the table.
public final class Stopwatch {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST = 30 * SECOND;

  private final PrintStream out;
  private final int repetitions;
  private int goals;
  private int met;

  /// One row.
  record Row(String name, Goal goal) {}

  /// Most milliseconds of wall time; infinite = not asked for. A goal that is missed fails nothing.
  record Goal(double median, double p99, double worst) {
    static final Goal NONE =
        new Goal(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

    static Goal median(double millis) {
      return new Goal(millis, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    static Goal p99(double millis) {
      return new Goal(Double.POSITIVE_INFINITY, millis, Double.POSITIVE_INFINITY);
    }

    private boolean isMet(Times times) {
      return times.median() <= median && times.p99() <= p99 && times.worst() <= worst;
    }

    /// Such as `median ≤ 20, p99 ≤ 100: met`; empty where nothing is asked for.
    private String text(Times times) {
      var parts = new ArrayList<String>();
      add(parts, "median", median);
      add(parts, "p99", p99);
      add(parts, "worst", worst);
      return parts.isEmpty()
          ? ""
          : String.join(", ", parts) + (isMet(times) ? ": met" : ": MISSED");
    }

    private static void add(List<String> parts, String what, double millis) {
      if (!Double.isInfinite(millis)) {
        parts.add(String.format(Locale.ROOT, "%s ≤ %.0f", what, millis));
      }
    }
  }

  /// Milliseconds of wall time.
  private record Times(double median, double p99, double worst) {
    /// @param nanos sorted
    static Times of(long[] nanos) {
      int n = nanos.length;
      return new Times(
          nanos[n / 2] / 1e6, nanos[(int) Math.ceil(n * 0.99) - 1] / 1e6, nanos[n - 1] / 1e6);
    }
  }

  /// @param repetitions of what takes less than a second; longer work is repeated less, though
  ///   never less than three times
  public Stopwatch(PrintStream out, int repetitions) {
    this.out = out;
    this.repetitions = repetitions;
  }

  /// Where this is measured, and the head of the table.
  public void head() {
    var system = System.getProperties();
    out.printf(
        Locale.ROOT,
        "%d cores, load average %s, JDK %s, heap of at most %d MiB%n%n"
            + "%-62s %9s %9s %9s %9s %9s %9s  %-44s %s%n",
        Runtime.getRuntime().availableProcessors(),
        load(),
        system.getProperty("java.version"),
        Runtime.getRuntime().maxMemory() >> 20,
        "case",
        "median ms",
        "p99 ms",
        "worst ms",
        "CPU ms",
        "worst CPU",
        "MB",
        "goal, ms",
        "what came of it");
  }

  /// The last line: goals of the rows that were measured, and the load that the machine has now.
  public void foot() {
    out.printf(Locale.ROOT, "%nplanner: goals %d/%d, load average %s%n", met, goals, load());
  }

  /// Of the last minute; more than the number of cores: others slowed this down.
  private static String load() {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return load < 0 ? "unknown" : String.format(Locale.ROOT, "%.1f", load);
  }

  /// A case that cannot be measured here.
  void skip(Row row, String why) {
    out.printf(Locale.ROOT, "%-62s skipped: %s%n", row.name, why);
  }

  /// Wall times that were measured elsewhere.
  void row(Row row, long[] nanos, String result) {
    Arrays.sort(nanos);
    print(row, Times.of(nanos), "-", "-", "-", result);
  }

  private void print(
      Row row, Times times, String cpu, String worstCpu, String bytes, String result) {
    var goal = row.goal.text(times);
    goals += goal.isEmpty() ? 0 : 1;
    met += !goal.isEmpty() && row.goal.isMet(times) ? 1 : 0;
    out.printf(
        Locale.ROOT,
        "%-62s %9.2f %9.2f %9.2f %9s %9s %9s  %-44s %s%n",
        row.name,
        times.median,
        times.p99,
        times.worst,
        cpu,
        worstCpu,
        bytes,
        goal,
        result);
    out.flush();
  }

  /// @param work gives what came of it in a few words
  void time(Row row, Supplier<String> work) {
    long began = System.nanoTime();
    var _ = work.get();
    long took = System.nanoTime() - began;
    for (int i = 0; i < warmUps(took); i++) {
      var _ = work.get();
    }
    int runs = Math.clamp(20 * SECOND / Math.max(1, took), 3, repetitions);
    timeMany(row, runs, () -> "", _ -> work.get(), Function.identity());
  }

  /// @param runs how often at most; what takes long is repeated less, though never less than three
  ///   times
  /// @param before makes what the work needs; not timed
  /// @param after what came of it in a few words; not timed
  <A, B> void timeMany(
      Row row, int runs, Supplier<A> before, Function<A, B> work, Function<B, String> after) {
    var laps = new Laps();
    timeAll(
        row,
        laps,
        () ->
            laps.count < runs && (laps.count < 3 || laps.all < LONGEST)
                ? Optional.of(before.get())
                : Optional.empty(),
        work,
        after);
  }

  /// @param before makes what the work needs; empty = that was all, of which there is at least one;
  ///   not timed
  /// @param after what came of it in a few words; not timed
  <A, B> void timeAll(
      Row row, Supplier<Optional<A>> before, Function<A, B> work, Function<B, String> after) {
    timeAll(row, new Laps(), before, work, after);
  }

  private <A, B> void timeAll(
      Row row,
      Laps laps,
      Supplier<Optional<A>> before,
      Function<A, B> work,
      Function<B, String> after) {
    var result = "";
    for (var given = before.get(); given.isPresent(); given = before.get()) {
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long busy = THREADS.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      var made = work.apply(given.get());
      laps.add(
          System.nanoTime() - start,
          THREADS.getCurrentThreadCpuTime() - busy,
          THREADS.getCurrentThreadAllocatedBytes() - allocated);
      result = after.apply(made);
    }
    var cpu = laps.sorted(laps.cpu);
    var bytes = laps.sorted(laps.bytes);
    print(
        row,
        Times.of(laps.sorted(laps.nanos)),
        millions(cpu[cpu.length / 2]),
        millions(cpu[cpu.length - 1]),
        millions(bytes[bytes.length / 2]),
        result);
  }

  private static String millions(long value) {
    return String.format(Locale.ROOT, "%.2f", value / 1e6);
  }

  private int warmUps(long first) {
    return first > 10 * SECOND ? 0 : Math.clamp(3 * SECOND / Math.max(1, first), 1, repetitions);
  }

  /// What was measured so far; arrays grow.
  private static final class Laps {
    private long[] nanos = new long[64];
    private long[] cpu = new long[64];
    private long[] bytes = new long[64];
    private int count;
    private long all; // nanoseconds

    void add(long took, long busy, long allocated) {
      if (count == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * count);
        cpu = Arrays.copyOf(cpu, 2 * count);
        bytes = Arrays.copyOf(bytes, 2 * count);
      }
      nanos[count] = took;
      cpu[count] = busy;
      bytes[count] = allocated;
      count++;
      all += took;
    }

    long[] sorted(long[] values) {
      var used = Arrays.copyOf(values, count);
      Arrays.sort(used);
      return used;
    }
  }
}
