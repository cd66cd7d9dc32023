package dev.berth.cli.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;

/// Times one piece of work again and again, on the calling thread, and prints a row: median, p99
/// and worst of the wall time, and the median CPU time of the thread and bytes that it allocated.
/// On a machine with others the CPU time is what can be compared.
public final class Stopwatch {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long SECOND = 1_000_000_000L;
  private static final long LONGEST = 30 * SECOND;

  private final PrintStream out;
  private final int repetitions;

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
        "%d cores, JDK %s, heap of at most %d MiB%n%n%-58s %9s %9s %9s %9s %9s  %s%n",
        Runtime.getRuntime().availableProcessors(),
        system.getProperty("java.version"),
        Runtime.getRuntime().maxMemory() >> 20,
        "case",
        "median ms",
        "p99 ms",
        "worst ms",
        "CPU ms",
        "MB",
        "what came of it");
  }

  /// A case that cannot be measured here.
  public void skip(String name, String why) {
    out.printf(Locale.ROOT, "%-58s skipped: %s%n", name, why);
  }

  /// Wall times that were measured elsewhere.
  void row(String name, long[] nanos, String result) {
    Arrays.sort(nanos);
    int n = nanos.length;
    out.printf(
        Locale.ROOT,
        "%-58s %9.2f %9.2f %9.2f %9s %9s  %s%n",
        name,
        nanos[n / 2] / 1e6,
        nanos[(int) Math.ceil(n * 0.99) - 1] / 1e6,
        nanos[n - 1] / 1e6,
        "-",
        "-",
        result);
    out.flush();
  }

  /// @param work gives what came of it in a few words
  public void time(String name, Supplier<String> work) {
    long began = System.nanoTime();
    var _ = work.get();
    long took = System.nanoTime() - began;
    for (int i = 0; i < warmUps(took); i++) {
      var _ = work.get();
    }
    int runs = Math.clamp(20 * SECOND / Math.max(1, took), 3, repetitions);
    timeMany(name, runs, () -> "", _ -> work.get(), Function.identity());
  }

  /// @param runs how often at most; what takes long is repeated less, though never less than three
  ///   times
  /// @param before makes what the work needs; not timed
  /// @param after what came of it in a few words; not timed
  public <A, B> void timeMany(
      String name, int runs, Supplier<A> before, Function<A, B> work, Function<B, String> after) {
    var nanos = new long[runs];
    var cpu = new long[runs];
    var bytes = new long[runs];
    var result = "";
    int done = 0;
    for (long all = 0; done < runs && (done < 3 || all < LONGEST); done++) {
      var given = before.get();
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long busy = THREADS.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      var made = work.apply(given);
      nanos[done] = System.nanoTime() - start;
      cpu[done] = THREADS.getCurrentThreadCpuTime() - busy;
      bytes[done] = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      all += nanos[done];
      result = after.apply(made);
    }
    Arrays.sort(nanos, 0, done);
    Arrays.sort(cpu, 0, done);
    Arrays.sort(bytes, 0, done);
    out.printf(
        Locale.ROOT,
        "%-58s %9.2f %9.2f %9.2f %9.2f %9.2f  %s%n",
        name,
        nanos[done / 2] / 1e6,
        nanos[Math.min(done - 1, (int) Math.ceil(done * 0.99) - 1)] / 1e6,
        nanos[done - 1] / 1e6,
        cpu[done / 2] / 1e6,
        bytes[done / 2] / 1e6,
        result);
    out.flush();
  }

  private int warmUps(long first) {
    return first > 10 * SECOND ? 0 : Math.clamp(3 * SECOND / Math.max(1, first), 1, repetitions);
  }
}
