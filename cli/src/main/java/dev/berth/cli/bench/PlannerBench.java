package dev.berth.cli.bench;

import dev.berth.cli.bench.BenchCluster.Ask;
import dev.berth.cli.bench.Stopwatch.Goal;
import dev.berth.cli.bench.Stopwatch.Row;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SinglePodPlanner;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What one plan costs, from a snapshot of the ledger on: verdicts, reclaim, consolidation, gangs,
/// and cycles in which little or nothing changed.
public final class PlannerBench {
  private static final int CYCLES = 300;
  private static final long DAY = 86_400; // seconds
  private static final long SEED = 42;

  /// Of a cycle, and of a pod that fits, on a full cluster: with work that waits.
  private static final Goal CYCLE = new Goal(20, 100, 250);

  private static final Goal FITS = Goal.p99(20);

  /// As if all slices of a search were one.
  private static final PlannerSettings UNSLICED =
      PlannerSettings.DEFAULT.with(ActionSettings.DEFAULT.with(Searching.UNSLICED));

  private static final PlannerSettings UNBOUNDED_MOVES =
      UNSLICED.with(UNSLICED.actions().with(new ActionSettings.Consolidation(Integer.MAX_VALUE)));

  private static final SortedMap<GroupKey, Instant> NONE_STALE = Collections.emptySortedMap();

  private final Stopwatch watch;
  private final Optional<String> only;
  private final Path traces;
  private final PlannerSettings settings = PlannerSettings.DEFAULT;

  /// @param only cases with this in their name
  /// @param traces published traces; cases that need one are skipped where it is not there
  public PlannerBench(Stopwatch watch, Optional<String> only, Path traces) {
    this.watch = watch;
    this.only = only;
    this.traces = traces;
  }

  public void run() {
    watch.head();
    cases()
        .forEach((row, body) -> {
          if (isChosen(row.name())) {
            body.accept(row);
          }
        });
    watch.foot();
  }

  private boolean isChosen(String name) {
    return only.isEmpty() || name.contains(only.get());
  }

  /// All cases.
  public List<String> names() {
    return cases().keySet().stream().map(Row::name).toList();
  }

  /// Cases that [#run] measures.
  public List<String> chosen() {
    return names().stream().filter(this::isChosen).toList();
  }

  private Map<Row, Consumer<Row>> cases() {
    var cases = new LinkedHashMap<Row, Consumer<Row>>();
    cases.put(
        new Row("verdict: gang 10×8, full 500×8, 79 above quota", Goal.median(100)),
        row -> plan(row, PlannerWorlds.verdict(0)));
    cases.put(
        new Row("verdict, and 4,000 one-GPU pods wait", Goal.median(100)),
        row -> plan(row, PlannerWorlds.verdict(4_000)));
    cases.put(
        new Row("reclaim: 4,000 one-GPU pods, 500×8", Goal.median(5_000)),
        row -> plan(row, PlannerWorlds.reclaim(500, 4_000)));
    cases.put(
        new Row("a slice of it", Goal.NONE), row -> slice(row, PlannerWorlds.reclaim(500, 4_000)));
    for (int nodes : new int[] {10, 50, 100, 200, 500, 1_000}) {
      cases.put(
          new Row(
              "large gang reclaim: " + nodes + " nodes",
              nodes == 1_000 ? Goal.median(250) : Goal.NONE),
          row -> plan(row, PlannerWorlds.gangReclaim(nodes)));
    }
    cases.put(
        new Row("consolidate: 41 gangs 10×6, 3 of 8 taken on 500", Goal.NONE),
        row -> plan(row, PlannerWorlds.scattered()));
    cases.put(
        new Row("the same, and as many moves as it takes", Goal.median(500)),
        row -> plan(row, PlannerWorlds.scattered(), UNBOUNDED_MOVES));
    cases.put(new Row("a slice of that", Goal.NONE), row -> slice(row, PlannerWorlds.scattered()));
    cases.put(
        new Row("topology: gang of 512, empty 500×8", Goal.median(50)),
        row -> plan(row, PlannerWorlds.together()));
    cases.put(
        new Row("allocate: 500 pods, 4 queues, 100×8", Goal.median(8)),
        row -> plan(row, PlannerWorlds.allocate()));
    for (int gangs : new int[] {0, 2_000}) {
      var waits = gangs == 0 ? "" : ", and 2,000 gangs of 5 wait";
      cases.put(
          new Row("idle, 10,000×8, 130,000 pods run, 1,000 queues" + waits, Goal.median(20)),
          row -> idle(row, gangs));
      cases.put(
          new Row("one pod changed, the same" + waits, Goal.median(gangs == 0 ? 1 : 20)),
          row -> oneChange(row, gangs));
    }
    cases.put(new Row("without a gate: 100 nodes judged, one pod changed", Goal.NONE), this::alone);
    saturated(
        cases, new Traced("openb", JobTrace::hasOpenb, in -> JobTrace.openb(in, "default")), 10);
    var elasticFlow = new Traced("ElasticFlow", JobTrace::hasElasticFlow, JobTrace::elasticFlow);
    saturated(cases, new Traced("Philly", JobTrace::hasPhilly, JobTrace::philly));
    saturated(cases, elasticFlow);
    cases.put(new Row("ElasticFlow, a week of churn", CYCLE), row -> week(row, elasticFlow));
    return cases;
  }

  /// A trace that may be there.
  private record Traced(String name, Predicate<Path> isIn, Function<Path, JobTrace> read) {}

  /// Rows on a cluster that is full with the jobs of a trace.
  ///
  /// @param fewer how many wait, besides 100 and 2,000
  private void saturated(Map<Row, Consumer<Row>> cases, Traced trace, int... fewer) {
    for (int waiting : IntStream.concat(IntStream.of(fewer), IntStream.of(100, 2_000)).toArray()) {
      var full = trace.name + ", full, " + waiting + " wait";
      cases.put(new Row(full + ", nothing changes", CYCLE), row -> full(row, trace, waiting));
      cases.put(new Row(full + ", come and go", CYCLE), row -> busy(row, trace, waiting));
      cases.put(
          new Row(full + ": one that fits, from event to plan", FITS),
          row -> arrives(row, trace, waiting));
    }
  }

  /// On the nodes of a published trace, filled with its jobs until these find no room.
  private void full(Row row, Traced trace, int waiting) {
    traced(row, trace, waiting)
        .ifPresent(world -> {
          var planner = new Planner(settings).incremental();
          watch.time(row, () -> told(planner.plan(world.snapshot(), NONE_STALE)));
        });
  }

  /// Before each plan a job comes, and as many more as started, and one ends; a job that gets a
  /// place runs.
  private void busy(Row row, Traced trace, int waiting) {
    traced(row, trace, waiting)
        .ifPresent(world -> {
          var planner = new Planner(settings).incremental();
          int[] started = {0};
          watch.timeMany(
              row,
              CYCLES,
              () -> {
                do {
                  var _ = world.comes();
                } while (world.waits() < waiting);
                world.oneEnds();
                return world.snapshot();
              },
              snapshot -> planner.plan(snapshot, NONE_STALE),
              plan -> {
                started[0] += world.carryOut(plan);
                return told(world) + ", " + started[0] + " started; last " + told(plan);
              });
        });
  }

  /// With threads and the clock of the wall: others on the machine count.
  private void arrives(Row row, Traced trace, int waiting) {
    traced(row, trace, waiting)
        .ifPresent(world -> {
          var arrivals = new ArrivalDelays(world, waiting);
          var nanos = arrivals.measure(CYCLES);
          watch.row(
              row,
              nanos,
              told(world)
                  + "; "
                  + arrivals.searchingPercent()
                  + " % of plans while searches go on");
        });
  }

  /// The seventh week of a replay; the week before it comes first, untimed, so that the cluster is
  /// as full as it is then.
  private void week(Row row, Traced trace) {
    read(row, trace)
        .ifPresent(replay -> {
          long from = 40 * DAY;
          long until = 47 * DAY;
          var jobs =
              replay.jobs().stream()
                  .filter(job -> job.submitted() >= from - 7 * DAY && job.submitted() < until)
                  .toList();
          var world = new TraceWorld(replay, SEED);
          var week = new TraceReplay(world, jobs, until);
          var planner = new Planner(settings).incremental();
          for (var next = week.next(from); next.isPresent(); next = week.next(from)) {
            week.planned(planner.plan(next.get(), NONE_STALE));
          }
          int arrived = week.arrived();
          int ended = week.ended();
          int victims = world.victims();
          int[] most = {0};
          int[] plans = {0};
          int[] searching = {0};
          watch.timeAll(
              row,
              () -> week.next(until),
              snapshot -> planner.plan(snapshot, NONE_STALE),
              plan -> {
                week.planned(plan);
                most[0] = Math.max(most[0], world.waits());
                plans[0]++;
                searching[0] += plan.searches() ? 1 : 0;
                return String.format(
                    Locale.ROOT,
                    "%d plans, %d while searches go on: %d jobs came, %d ended, %d pods moved"
                        + " or lost their place, up to %d jobs waited; last %s",
                    plans[0],
                    searching[0],
                    week.arrived() - arrived,
                    week.ended() - ended,
                    world.victims() - victims,
                    most[0],
                    told(world));
              });
        });
  }

  private Optional<TraceWorld> traced(Row row, Traced trace, int waiting) {
    return read(row, trace)
        .map(jobs -> new TraceWorld(jobs, SEED).fill().waiting(waiting).balanced());
  }

  private Optional<JobTrace> read(Row row, Traced trace) {
    if (!trace.isIn.test(traces)) {
      watch.skip(
          row,
          "no trace of "
              + trace.name
              + " in "
              + traces.normalize()
              + " (--traces says where it is)");
      return Optional.empty();
    }
    return Optional.of(trace.read.apply(traces));
  }

  private static String told(TraceWorld world) {
    return String.format(
        Locale.ROOT,
        "%.1f %% allocated, %d jobs run, %d wait",
        world.allocatedPercent(),
        world.runs(),
        world.waits());
  }

  private void plan(Row row, Supplier<BenchCluster> world) {
    plan(row, world, UNSLICED);
  }

  private void plan(Row row, Supplier<BenchCluster> world, PlannerSettings with) {
    var snapshot = world.get().snapshot();
    var planner = new Planner(with);
    watch.time(row, () -> told(planner.plan(snapshot)));
  }

  /// The first plan of several: the next ones go on.
  private void slice(Row row, Supplier<BenchCluster> world) {
    var snapshot = world.get().snapshot();
    var planner = new Planner(PlannerSettings.DEFAULT);
    watch.time(row, () -> told(planner.plan(snapshot)));
  }

  /// Nothing changed but the version.
  private void idle(Row row, int gangs) {
    var world = PlannerWorlds.large(gangs);
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    long[] version = {world.snapshot().version()};
    watch.time(
        row,
        () -> {
          var now = world.snapshot();
          return told(
              planner.plan(
                  new Snapshot(
                      version[0]++,
                      now.now(),
                      now.nodes(),
                      now.queues(),
                      now.groups(),
                      now.topologies()),
                  NONE_STALE));
        });
  }

  private void oneChange(Row row, int gangs) {
    var world = PlannerWorlds.large(gangs);
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    afterEachChange(row, world, () -> told(planner.plan(world.snapshot(), NONE_STALE)));
  }

  /// What `filter` asks of the engine for a pod that comes without a gate.
  private void alone(Row row) {
    var world = PlannerWorlds.large(0);
    var view = SinglePodPlanner.over(world.snapshot(), PlannerSettings.DEFAULT);
    var nodes = world.snapshot().nodes().stream().limit(100).map(NodeView::name).toList();
    var pod = world.stranger("alone", Ask.share(500));
    afterEachChange(
        row,
        world,
        () -> {
          view.see(world.snapshot());
          return switch (view.judge(pod, nodes)) {
            case SinglePodPlanner.Verdict.Judged(var passing, _) -> passing.size() + " pass";
            case SinglePodPlanner.Verdict.Refused(var reason) -> reason.code();
          };
        });
  }

  /// One pod comes, or goes, and then it answers.
  private void afterEachChange(Row row, BenchCluster world, Supplier<String> answer) {
    int[] turn = {0};
    watch.time(
        row,
        () -> {
          int i = turn[0]++;
          var _ = i % 2 == 0 ? world.passerBy("q", "leaf-1-1", i % 10_000) : world.gone("q");
          return answer.get();
        });
  }

  private static String told(Plan plan) {
    int places = 0;
    int victims = 0;
    var codes = new LinkedHashMap<String, Integer>();
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          places += reserve.block().size() + reserve.surplus().size();
          victims += reserve.victims().size();
        }
        case Decision.Evict(_, var leave) -> victims += leave.size();
        case Decision.Wait(_, var reason, _) -> codes.merge(reason.code(), 1, Integer::sum);
        case Decision.Withdraw _ -> codes.merge("withdrawn", 1, Integer::sum);
      }
    }
    var waits =
        codes.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    return places + " placed, " + victims + " victims" + (waits.isEmpty() ? "" : ", " + waits);
  }
}
