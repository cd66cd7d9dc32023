package dev.berth.cli.bench;

import dev.berth.cli.bench.World.Ask;
import dev.berth.engine.Alone;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.action.ActionSettings.Searching;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.NodeRoom;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/// What one plan costs, from a snapshot of the ledger on: verdicts, reclaim, consolidation, gangs,
/// and cycles in which little or nothing changed.
public final class PlannerBench {
  private static final TopologyAsk ANYWHERE = TopologyAsk.NONE;

  private static final int CYCLES = 300;

  /// As if all slices of a search were one.
  private static final PlannerSettings UNSLICED =
      PlannerSettings.DEFAULT.with(
          ActionSettings.DEFAULT.with(
              new Searching(
                  Searching.DEFAULT.trials(),
                  Long.MAX_VALUE / 1024,
                  Searching.DEFAULT.wideFrom())));

  private static final PlannerSettings UNBOUNDED_MOVES =
      UNSLICED.with(UNSLICED.actions().with(new ActionSettings.Consolidation(Integer.MAX_VALUE)));

  private static final SortedMap<GroupKey, Instant> NOBODY = Collections.emptySortedMap();

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
        .forEach((name, body) -> {
          if (only.isEmpty() || name.contains(only.get())) {
            body.accept(name);
          }
        });
  }

  private Map<String, Consumer<String>> cases() {
    var cases = new LinkedHashMap<String, Consumer<String>>();
    cases.put("verdict: gang 10×8, full 500×8, 79 above quota", name -> plan(name, verdict(0)));
    cases.put("verdict, and 4,000 one-GPU pods wait", name -> plan(name, verdict(4_000)));
    cases.put("reclaim: 4,000 one-GPU pods, 500×8", name -> plan(name, reclaim(500, 4_000)));
    cases.put("a slice of it", name -> slice(name, reclaim(500, 4_000)));
    for (int nodes : new int[] {10, 50, 100, 200, 500, 1_000}) {
      cases.put("large gang reclaim: " + nodes + " nodes", name -> plan(name, gangReclaim(nodes)));
    }
    cases.put("consolidate: 41 gangs 10×6, 3 of 8 taken on 500", name -> plan(name, scattered()));
    cases.put(
        "the same, and as many moves as it takes",
        name -> plan(name, scattered(), UNBOUNDED_MOVES));
    cases.put("a slice of that", name -> slice(name, scattered()));
    cases.put("topology: gang of 512, empty 500×8", name -> plan(name, together()));
    cases.put("allocate: 500 pods, 4 queues, 100×8", name -> plan(name, allocate()));
    cases.put("idle, 10,000×8, 130,000 pods run, 1,000 queues", name -> idle(name, 0));
    cases.put("one pod changed, the same", name -> oneChange(name, 0));
    cases.put("idle, 10,000×8, and 2,000 gangs of 5 wait", name -> idle(name, 2_000));
    cases.put("one pod changed, and 2,000 gangs of 5 wait", name -> oneChange(name, 2_000));
    cases.put("without a gate: 100 nodes judged, one pod changed", this::alone);
    for (int waiting : new int[] {10, 100, 2_000}) {
      cases.put("openb, full, " + waiting + " wait, nothing changes", name -> full(name, waiting));
      cases.put("openb, full, " + waiting + " wait, pods come and go", name -> busy(name, waiting));
      cases.put(
          "openb, full, " + waiting + " wait: one that fits, from event to plan",
          name -> arrives(name, waiting));
    }
    return cases;
  }

  /// On the nodes of a published trace, filled with its pods until these find no room.
  private void full(String name, int waiting) {
    traced(name, waiting)
        .ifPresent(world -> {
          var planner = new Planner(settings).rolling();
          watch.time(name, () -> told(planner.plan(world.snapshot(), NOBODY)));
        });
  }

  /// Before each plan a pod comes, and as many more as started, and one ends; who gets a place
  /// runs.
  private void busy(String name, int waiting) {
    traced(name, waiting)
        .ifPresent(world -> {
          var planner = new Planner(settings).rolling();
          int[] started = {0};
          watch.timeMany(
              name,
              CYCLES,
              () -> {
                do {
                  var _ = world.comes();
                } while (world.waits() < waiting);
                world.oneEnds();
                return world.snapshot();
              },
              snapshot -> planner.plan(snapshot, NOBODY),
              plan -> {
                started[0] += world.carryOut(plan);
                return started[0] + " started; last " + told(plan);
              });
        });
  }

  /// With threads and the clock of the wall: others on the machine count.
  private void arrives(String name, int waiting) {
    traced(name, waiting)
        .ifPresent(world -> {
          var arrivals = new Arrivals(world, waiting);
          var nanos = arrivals.measure(CYCLES);
          watch.row(name, nanos, arrivals.searchingPercent() + " % of plans while searches go on");
        });
  }

  private Optional<TraceWorld> traced(String name, int waiting) {
    if (!TraceWorld.isIn(traces)) {
      watch.skip(name, "no trace at " + traces.resolve("fgd"));
      return Optional.empty();
    }
    return Optional.of(new TraceWorld(traces, "default", 42).fill().waiting(waiting));
  }

  private void plan(String name, Supplier<World> world) {
    plan(name, world, UNSLICED);
  }

  private void plan(String name, Supplier<World> world, PlannerSettings with) {
    var snapshot = world.get().snapshot();
    var planner = new Planner(with);
    watch.time(name, () -> told(planner.plan(snapshot)));
  }

  /// The first plan of several: the next ones go on.
  private void slice(String name, Supplier<World> world) {
    var snapshot = world.get().snapshot();
    var planner = new Planner(PlannerSettings.DEFAULT);
    watch.time(name, () -> told(planner.plan(snapshot)));
  }

  /// Nothing changed but the version.
  private void idle(String name, int gangs) {
    var world = large(gangs);
    var planner = new Planner(PlannerSettings.DEFAULT).rolling();
    long[] version = {world.snapshot().version()};
    watch.time(
        name,
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
                  NOBODY));
        });
  }

  private void oneChange(String name, int gangs) {
    var world = large(gangs);
    var planner = new Planner(PlannerSettings.DEFAULT).rolling();
    afterEachChange(name, world, () -> told(planner.plan(world.snapshot(), NOBODY)));
  }

  /// What `filter` asks of the engine for a pod that comes without a gate.
  private void alone(String name) {
    var world = large(0);
    var view = Alone.over(world.snapshot(), PlannerSettings.DEFAULT);
    var nodes = world.snapshot().nodes().stream().limit(100).map(NodeRoom::name).toList();
    var pod = world.stranger("alone", Ask.share(500));
    afterEachChange(
        name,
        world,
        () -> {
          view.see(world.snapshot());
          return switch (view.judge(pod, nodes)) {
            case Alone.Verdict.Judged(var passing, _) -> passing.size() + " pass";
            case Alone.Verdict.Refused(var reason) -> reason.code();
          };
        });
  }

  /// One pod comes, or goes, and then it answers.
  private void afterEachChange(String name, World world, Supplier<String> answer) {
    int[] turn = {0};
    watch.time(
        name,
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

  /// Full with one-GPU pods of a queue that owns all but 79 devices; another asks for ten nodes.
  private static Supplier<World> verdict(int waiting) {
    return () ->
        new World()
            .nodes(500)
            .queue("borrower", "", 3_921, 1)
            .queue("owner", "", 80, 1)
            .running(4_000, 8, 0, "borrower", Ask.gpus(1))
            .waiting(waiting, "borrower", Ask.gpus(1))
            .gang("gang", "owner", 10, Ask.gpus(8), ANYWHERE);
  }

  private static Supplier<World> reclaim(int nodes, int pods) {
    return () ->
        new World()
            .nodes(nodes)
            .queue("borrower", "", 0, 0)
            .queue("owner", "", 8L * nodes, 1)
            .running(8 * nodes, 8, 0, "borrower", Ask.gpus(1))
            .waiting(pods, "owner", Ask.gpus(1));
  }

  private static Supplier<World> gangReclaim(int nodes) {
    return () ->
        new World()
            .nodes(nodes)
            .queue("borrower", "", 0, 0)
            .queue("owner", "", 8L * nodes, 1)
            .running(8 * nodes, 8, 0, "borrower", Ask.gpus(1))
            .gang("gang", "owner", nodes / 2, Ask.gpus(8), ANYWHERE);
  }

  private static Supplier<World> scattered() {
    return () -> {
      var world =
          new World()
              .nodes(500)
              .queue("one", "", 2_000, 1)
              .queue("two", "", 2_000, 1)
              .running(1_500, 3, 0, "one", Ask.gpus(1));
      for (int i = 0; i < 41; i++) {
        world.gang("gang-" + (10 + i), "two", 10, Ask.gpus(6), ANYWHERE);
      }
      return world;
    };
  }

  private static Supplier<World> together() {
    return () ->
        new World()
            .nodes(500)
            .fabric()
            .queue("one", "", 4_000, 1)
            .gang("gang", "one", 512, Ask.gpus(1), new TopologyAsk("fabric", "block", "rack"));
  }

  private static Supplier<World> allocate() {
    return () -> {
      var world = new World().nodes(100);
      for (int department = 0; department < 2; department++) {
        world.queue("department-" + department, "", 400, 1);
        for (int queue = 0; queue < 2; queue++) {
          var name = "queue-" + department + "-" + queue;
          world.queue(name, "department-" + department, 200, 1);
          world.waiting(125, name, Ask.gpus(1));
        }
      }
      return world;
    };
  }

  /// 10,000 full nodes, 13 pods on each, in 1,000 queues of three levels.
  private static World large(int gangs) {
    int nodes = 10_000;
    int leaves = 900;
    var world = new World().nodes(nodes);
    for (int top = 0; top < 10; top++) {
      world.queue("top-" + top, "", 8_000, 1);
      for (int middle = 0; middle < 9; middle++) {
        world.queue("mid-" + top + middle, "top-" + top, 800, 1);
        for (int leaf = 0; leaf < 10; leaf++) {
          world.queue("leaf-" + (top * 9 + middle) + "-" + leaf, "mid-" + top + middle, 80, 1);
        }
      }
    }
    for (int n = 0; n < nodes; n++) {
      var queue = leaf(n % leaves);
      world.running(6, 6, n, queue, Ask.gpus(1));
      world.running(4, 4, n, queue, Ask.share(500));
      world.running(3, 3, n, queue, Ask.none());
    }
    for (int i = 0; i < gangs; i++) {
      world.gang("gang-" + (10_000 + i), leaf(i % leaves), 5, Ask.gpus(1), ANYWHERE);
    }
    return world;
  }

  private static String leaf(int number) {
    return "leaf-" + number / 10 + "-" + number % 10;
  }
}
