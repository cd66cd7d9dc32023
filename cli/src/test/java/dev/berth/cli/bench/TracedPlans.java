package dev.berth.cli.bench;

import dev.berth.cli.bench.JobTrace.Job;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.util.ArrayList;
import java.util.Random;
import java.util.function.Function;

/// A cluster that is kept full by jobs that come and go, for what is measured over many plans.
public final class TracedPlans {
  private TracedPlans() {}

  /// @param percent of the GPUs that jobs ask for at once
  /// @param planner is asked for so many plans
  public static void play(int nodes, int percent, int plans, Function<Snapshot, Plan> planner) {
    var random = new Random(1);
    var jobs = new ArrayList<Job>();
    int warm = 8 * nodes * percent / 175;
    for (int i = 0; i < warm + plans; i++) {
      long at = i < warm ? 0 : i - warm + 1;
      jobs.add(
          Job.of(
              "q" + random.nextInt(20),
              random.nextInt(20) == 0 ? 16 : 1,
              at,
              1 + random.nextInt(2 * warm)));
    }
    var trace = JobTrace.replay(nodes, jobs);
    var replay = new TraceReplay(new TraceWorld(trace, 42), jobs, Long.MAX_VALUE);
    int made = 0;
    for (var next = replay.next(Long.MAX_VALUE);
        next.isPresent() && made < plans;
        next = replay.next(Long.MAX_VALUE)) {
      replay.planned(planner.apply(next.get()));
      made++;
    }
  }
}
