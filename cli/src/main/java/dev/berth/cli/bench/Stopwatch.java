package dev.berth.cli.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;

/// Times one piece of work again and again, on the calling thread, and prints a row: median, p99
/// and worst of the wall time, and the median CPU time of the thread and bytes that it allocated.
/// On a machine with others the CPU time is what can be compared.
public final class Stopwatch {
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long SECOND = 1_000_000_000L;

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

  /// @param work gives what came of it in a few words
  public void time(String name, Supplier<String> work) {
    long began = System.nanoTime();
    var result = work.get();
    long first = System.nanoTime() - began;
    for (int i = 0; i < warmUps(first); i++) {
      result = work.get();
    }
    int runs = Math.clamp(20 * SECOND / Math.max(1, first), 3, repetitions);
    var nanos = new long[runs];
    var cpu = new long[runs];
    var bytes = new long[runs];
    for (int i = 0; i < runs; i++) {
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long busy = THREADS.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      result = work.get();
      nanos[i] = System.nanoTime() - start;
      cpu[i] = THREADS.getCurrentThreadCpuTime() - busy;
      bytes[i] = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    }
    Arrays.sort(nanos);
    Arrays.sort(cpu);
    Arrays.sort(bytes);
    out.printf(
        Locale.ROOT,
        "%-58s %9.2f %9.2f %9.2f %9.2f %9.2f  %s%n",
        name,
        nanos[runs / 2] / 1e6,
        nanos[Math.min(runs - 1, (int) Math.ceil(runs * 0.99) - 1)] / 1e6,
        nanos[runs - 1] / 1e6,
        cpu[runs / 2] / 1e6,
        bytes[runs / 2] / 1e6,
        result);
    out.flush();
  }

  private int warmUps(long first) {
    return first > 10 * SECOND ? 0 : Math.clamp(3 * SECOND / Math.max(1, first), 1, repetitions);
  }
}
