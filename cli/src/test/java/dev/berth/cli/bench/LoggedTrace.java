package dev.berth.cli.bench;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.cli.shadow.EndedPods;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.replay.LogEntry;
import dev.berth.engine.replay.LoggedPlanner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Jobs on nodes of 8 GPUs each, played in trace time by a planner that logs its plans.
public final class LoggedTrace {
  private final int nodes;
  private final List<Queue> queues = new ArrayList<>();
  private final List<JobTrace.Job> jobs = new ArrayList<>();

  public LoggedTrace(int nodes) {
    this.nodes = nodes;
  }

  /// @param quota in GPUs
  /// @param limit in GPUs; [Queue#UNLIMITED] = none
  public LoggedTrace queue(String name, long quota, long limit) {
    var limits = new TreeMap<Resource, Long>();
    if (limit != Queue.UNLIMITED) {
      limits.put(Resource.GPU, 1000 * limit);
    }
    queues.add(
        new Queue(
            new QueueName(name),
            1,
            Instant.EPOCH,
            QueueName.NONE,
            100,
            Amounts.of(Resource.GPU, 1000 * quota),
            limits,
            Collections.emptySortedMap(),
            Duration.ZERO,
            Duration.ZERO,
            List.of()));
    return this;
  }

  /// @param submitted in seconds from the beginning
  /// @param seconds that it runs
  public LoggedTrace job(String queue, int gpus, long submitted, long seconds) {
    jobs.add(JobTrace.Job.of(queue, gpus, submitted, seconds));
    return this;
  }

  /// Writes the log.
  ///
  /// @param until the second at which it ends
  public void log(Path folder, long until) throws IOException {
    var replay = replay(world(), until);
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var planner = new LoggedPlanner(PlannerSettings.DEFAULT, "test", log.ofPlanner());
      for (var next = replay.next(until); next.isPresent(); next = replay.next(until)) {
        var plan =
            planner.planUnless(
                () -> false, next.get(), Collections.emptySortedMap(), SearchEffort.A_SLICE);
        replay.planned(plan.orElseThrow());
      }
    }
  }

  /// Writes what is seen of the same by looks at the cluster, and no plan. A pod that is gone
  /// counts as deleted.
  ///
  /// @param until the second at which it ends
  /// @param every seconds from one look to the next
  public void looks(Path folder, long until, long every) throws IOException {
    var world = world();
    var replay = replay(world, until);
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var looks = log.ofPlanner();
      looks.add(new LogEntry.Begin("test", PlannerSettings.DEFAULT));
      var planner = new Planner(PlannerSettings.DEFAULT).incremental();
      var last = Snapshot.empty(Instant.MIN);
      for (long second = 1; second <= until; second += every) {
        for (var next = replay.next(second); next.isPresent(); next = replay.next(second)) {
          var plan =
              planner.planUnless(
                  () -> false, next.get(), Collections.emptySortedMap(), SearchEffort.A_SLICE);
          replay.planned(plan.orElseThrow());
        }
        world.passUntil(second);
        last = EndedPods.shown(last, world.snapshot(), Map.of());
        looks.add(new LogEntry.Accounted(last));
      }
    }
  }

  private TraceWorld world() {
    var trace = JobTrace.replay(nodes, jobs);
    return new TraceWorld(new JobTrace(trace.nodes(), queues, trace.jobs()), 1);
  }

  private TraceReplay replay(TraceWorld world, long until) {
    return new TraceReplay(world, JobTrace.replay(nodes, jobs).jobs(), until);
  }
}
