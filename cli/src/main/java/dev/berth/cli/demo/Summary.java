package dev.berth.cli.demo;

import dev.berth.simulator.check.Invariants;
import dev.berth.simulator.world.World;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The demo without a terminal: a line every few seconds, a table at the end, and a verdict. It
/// holds if gangs and shares were placed and no invariant was ever broken.
public final class Summary {
  private static final Duration LOOK = Duration.ofMillis(250);
  private static final Duration LINE = Duration.ofSeconds(5);
  private static final int FAILURES_SHOWN = 5;

  private final World world;
  private final DemoJournal logbook;
  private final Supplier<Scene> scenes;
  private final PrintStream out;
  private final Invariants invariants;
  private final TreeMap<String, Instant> broken = new TreeMap<>();
  private double busiest;

  /// @param gangDeadline how long a gang may be partly bound
  public Summary(
      World world,
      DemoJournal logbook,
      Supplier<Scene> scenes,
      Duration gangDeadline,
      PrintStream out) {
    this.world = world;
    this.logbook = logbook;
    this.scenes = scenes;
    this.out = out;
    this.invariants = new Invariants(world, gangDeadline);
  }

  /// Watches on the calling thread until `ends`, or until interrupted.
  ///
  /// @return whether all went well
  public boolean run(Instant ends) {
    Instant line = world.time().instant().plus(LINE);
    try {
      while (world.time().instant().isBefore(ends)) {
        Thread.sleep(LOOK);
        look(scenes.get());
        if (!world.time().instant().isBefore(line)) {
          out.println(line(scenes.get()));
          line = line.plus(LINE);
        }
      }
    } catch (InterruptedException enough) {
      Thread.currentThread().interrupt();
    }
    tell();
    return isGood(logbook.tally());
  }

  /// Prints the table and the verdict.
  void tell() {
    table(logbook.tally()).forEach(out::println);
    out.flush();
  }

  /// Looks at the invariants and at how busy the GPUs are.
  void look(Scene scene) {
    look();
    busiest = Math.max(busiest, percent(scene));
  }

  private static double percent(Scene scene) {
    var heading = scene.heading();
    return 100.0 * heading.usedMillis() / Math.max(1, heading.deviceMillis());
  }

  /// Looks at the invariants once.
  void look() {
    invariants.broken().forEach(rule -> broken.putIfAbsent(rule, world.time().instant()));
  }

  boolean isGood(DemoJournal.Totals tally) {
    return broken.isEmpty() && tally.gangs() > 0 && tally.shares() > 0;
  }

  private String line(Scene scene) {
    var heading = scene.heading();
    var counts = heading.counts();
    double percent = percent(scene);
    return String.format(
        Locale.ROOT,
        "%4ds  GPUs %5.1f %%  running %3d  starting %2d  waiting %3d  gangs %2d"
            + "  plans %4.1f/s  cycle %.1f ms",
        heading.up().toSeconds(),
        percent,
        counts.running(),
        counts.starting(),
        counts.waiting(),
        counts.gangs(),
        heading.pulse().plansPerSecond(),
        heading.pulse().cycle().toNanos() / 1e6);
  }

  List<String> table(DemoJournal.Totals tally) {
    var rows = new ArrayList<String>();
    rows.add("");
    rows.add(row("pods placed", Integer.toString(tally.pods())));
    rows.add(row("  with a share of a GPU", Integer.toString(tally.shares())));
    rows.add(row("  with whole GPUs", Integer.toString(tally.wholes())));
    rows.add(row("gangs placed", Integer.toString(tally.gangs())));
    rows.add(row("pods finished", Integer.toString(tally.finished())));
    rows.add(row("pods evicted", Integer.toString(tally.evicted())));
    rows.add(row("wait, created to bound, p50", seconds(tally.wait(0.5))));
    rows.add(row("wait, created to bound, p99", seconds(tally.wait(0.99))));
    rows.add(row("GPUs in use at the busiest", String.format(Locale.ROOT, "%.1f %%", busiest)));
    rows.add(row("invariants broken", Integer.toString(broken.size())));
    broken.entrySet().stream()
        .limit(FAILURES_SHOWN)
        .forEach(rule -> rows.add("  " + rule.getValue() + " " + rule.getKey()));
    rows.add(row("gangs being bound at the end", Integer.toString(Invariants.partlyBound(world))));
    rows.add("");
    rows.add(verdict(tally));
    return rows;
  }

  private String verdict(DemoJournal.Totals tally) {
    if (!broken.isEmpty()) {
      return "Failed: an invariant was broken.";
    }
    return isGood(tally)
        ? "All well: gangs and shares were placed, no device was given out twice."
        : "Failed: no gang or no share was placed.";
  }

  private static String row(String what, String value) {
    return String.format(Locale.ROOT, "%-32s %12s", what, value);
  }

  private static String seconds(Duration wait) {
    return String.format(Locale.ROOT, "%.2f s", wait.toMillis() / 1e3);
  }
}
