package dev.berth.cli.bench;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.forecast.Calibration;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/// Whether forecasts of starts hold, on replays of published traces by the planner that ships.
public final class ForecastBench {
  private static final long SEED = 1;
  private static final int TOLD_EVERY = 500; // jobs

  private final PrintStream out;
  private final PrintStream errors;
  private final Path traces;

  /// @param traces folder of published traces
  public ForecastBench(PrintStream out, PrintStream errors, Path traces) {
    this.out = out;
    this.errors = errors;
    this.traces = traces;
  }

  /// Plays each trace from its first job to its last, and tells how many forecasts held.
  public void run() {
    out.println(
        "goal: 44 to 56 % start by the median of their first forecast, 88 to 92 % by its P90");
    row("ElasticFlow cluster 04, 72 nodes", JobTrace::hasElasticFlow, JobTrace::elasticFlow04);
    row("Philly, 112 nodes", JobTrace::hasPhilly, JobTrace::philly);
  }

  private void row(String name, Predicate<Path> isThere, Function<Path, JobTrace> read) {
    if (!isThere.test(traces)) {
      out.println(name + ": skipped, no such trace in " + traces.normalize());
      return;
    }
    var trace = read.apply(traces);
    var told =
        play(
            trace,
            arrived -> {
              if (arrived % TOLD_EVERY == 0) {
                errors.println(name + ": " + arrived + " of " + trace.jobs().size() + " jobs");
              }
            });
    out.printf(
        Locale.ROOT,
        "%s: %,d jobs, %,d forecasts; by the median %.1f %%, by P90 %.1f %%%n",
        name,
        trace.jobs().size(),
        told.p90().judged(),
        100 * told.median().part(),
        100 * told.p90().part());
  }

  /// All of a trace.
  ///
  /// @param progress is told how many jobs have come, with each plan for which some came
  static Calibration play(JobTrace trace, IntConsumer progress) {
    var world = new TraceWorld(trace, SEED);
    var replay = new TraceReplay(world, trace.jobs(), Long.MAX_VALUE);
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    var forecasts = new StartForecasts();
    int arrived = 0;
    for (var next = replay.next(Long.MAX_VALUE);
        next.isPresent();
        next = replay.next(Long.MAX_VALUE)) {
      var plan = planner.plan(next.get(), Collections.emptySortedMap());
      replay.planned(plan);
      var waits = new TreeMap<GroupKey, Reason>();
      plan.waits().forEach((group, wait) -> waits.put(group, wait.reason()));
      forecasts.look(world.snapshot(), waits);
      if (replay.arrived() > arrived) {
        arrived = replay.arrived();
        progress.accept(arrived);
      }
    }
    return forecasts.calibration();
  }
}
