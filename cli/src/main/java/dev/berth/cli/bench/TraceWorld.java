package dev.berth.cli.bench;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.action.ActionSettings;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodRequest;
import dev.berth.engine.model.PodRequest.Isolation;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Preemptibility;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.WrittenPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// The GPU nodes of a published trace (openb: 1,213 nodes, 6,212 GPUs of seven models) in a ledger,
/// and pods of its lists: they come, get the places that a planner gives them, and go.
final class TraceWorld {
  private static final Instant NOW = World.NOW;
  private static final String MODEL = "nvidia.com/gpu.product";
  private static final String QUEUE = "all";
  private static final int BATCH = 100;
  private static final long MIB = 1L << 20;
  private static final long PODS = 250;

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, this::changed);
  private volatile Runnable listener = () -> {};
  private final List<Ask> asks;
  private final Random random;
  private final LinkedHashMap<String, Ask> waiting = new LinkedHashMap<>();
  private final HashMap<String, Ask> known = new HashMap<>(); // looked up only
  private final ArrayList<String> running = new ArrayList<>();
  private int pods;
  private long versions = 1;
  private long seconds;

  /// What a pod of the list asks.
  ///
  /// @param millis of one GPU where `gpus` is 1; 1000 = all of it
  /// @param models of which it takes any; empty = all
  private record Ask(long cpu, long memoryMib, int gpus, int millis, List<String> models) {
    PodRequest request() {
      boolean share = gpus == 1 && millis < 1000;
      var amounts =
          Amounts.of(Resource.CPU, cpu).plus(Amounts.of(Resource.MEMORY, memoryMib * MIB));
      DeviceRequest devices = DeviceRequest.NONE;
      if (share) {
        devices = new DeviceRequest.Fraction(millis, millis, 1);
      } else if (gpus > 0) {
        amounts = amounts.plus(Amounts.of(Resource.NVIDIA, gpus));
        devices = new DeviceRequest.Whole(Resource.NVIDIA, gpus);
      }
      return new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, List.of());
    }

    Constraints constraints() {
      var terms = List.of(new Term(List.of(new Expression(false, MODEL, Operator.IN, models))));
      return models.isEmpty()
          ? Constraints.NONE
          : new Constraints(new TreeMap<>(), terms, List.of());
    }
  }

  /// @param traces the folder with `fgd/`
  /// @param list of pods, such as `default`
  TraceWorld(Path traces, String list, long seed) {
    this(traces, list, seed, Integer.MAX_VALUE);
  }

  /// @param nodes how many of the nodes at most, by chance
  TraceWorld(Path traces, String list, long seed, int nodes) {
    random = new Random(seed);
    record(queue());
    var all = new ArrayList<>(rows(traces.resolve("fgd/openb_node_list_gpu_node.csv")));
    if (nodes < all.size()) {
      Collections.shuffle(all, random);
    }
    for (String[] row : all.subList(0, Math.min(nodes, all.size()))) {
      record(new Fact.NodeSeen(node(row)));
    }
    asks = new ArrayList<>();
    for (String[] row : rows(traces.resolve("fgd/pods/openb_pod_list_" + list + ".csv.gz"))) {
      asks.add(ask(row));
    }
  }

  /// Whether the trace is there.
  static boolean isIn(Path traces) {
    return Files.exists(traces.resolve("fgd/openb_node_list_gpu_node.csv"));
  }

  private static Fact queue() {
    var quota = new TreeMap<Resource, Long>();
    quota.put(Resource.GPU, Queue.UNLIMITED);
    quota.put(Resource.CPU, Queue.UNLIMITED);
    quota.put(Resource.MEMORY, Queue.UNLIMITED);
    return new Fact.QueueSeen(
        new Queue(
            new QueueName(QUEUE),
            1,
            NOW.minus(Duration.ofDays(1)),
            QueueName.NONE,
            100,
            Amounts.of(quota),
            new TreeMap<>(),
            new TreeMap<>(),
            Duration.ZERO,
            Duration.ZERO,
            List.of()));
  }

  private static Node node(String[] row) {
    int gpus = Integer.parseInt(row[3]);
    var labels = new TreeMap<String, String>();
    labels.put(MODEL, row[4]);
    return new Node(
        new NodeName(row[0]),
        1,
        labels,
        List.of(),
        false,
        true,
        Amounts.of(Resource.CPU, Long.parseLong(row[1]))
            .plus(Amounts.of(Resource.MEMORY, Long.parseLong(row[2]) * MIB))
            .plus(Amounts.of(Resource.PODS, PODS))
            .plus(Amounts.of(Resource.NVIDIA, gpus)),
        new Node.Accelerator(Resource.NVIDIA, gpus, row[4], 0, Node.Mig.NONE));
  }

  private static Ask ask(String[] row) {
    var models =
        row.length > 5 && !row[5].isEmpty() ? List.of(row[5].split("\\|")) : List.<String>of();
    return new Ask(
        Long.parseLong(row[1]),
        Long.parseLong(row[2]),
        Integer.parseInt(row[3]),
        Integer.parseInt(row[4]),
        models);
  }

  private static List<String[]> rows(Path file) {
    try (var raw = Files.newInputStream(file);
        var plain = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw;
        var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
      return reader.lines().skip(1).map(line -> line.split(",", -1)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void record(Fact fact) {
    var _ = ledger.record(fact);
  }

  Ledger ledger() {
    return ledger;
  }

  /// Hears from now on that something changed, on the thread that changes it.
  void tell(Runnable changed) {
    listener = changed;
  }

  private void changed() {
    listener.run();
  }

  Snapshot snapshot() {
    return ledger.snapshot(NOW.plusSeconds(seconds));
  }

  /// All pods of the list, in random order, each where a planner that moves nobody puts it; who
  /// finds no place leaves.
  TraceWorld fill() {
    var order = new ArrayList<>(asks);
    Collections.shuffle(order, random);
    for (int i = 0; i < order.size(); i += BATCH) {
      order.subList(i, Math.min(order.size(), i + BATCH)).forEach(this::comes);
      settle();
      waiting.keySet().forEach(this::goes);
      waiting.clear();
    }
    return this;
  }

  /// Pods drawn from the list for which there is no room as things are.
  TraceWorld waiting(int count) {
    while (waiting.size() < count) {
      for (int i = waiting.size(); i < count; i++) {
        comes(asks.get(random.nextInt(asks.size())));
      }
      settle();
    }
    return this;
  }

  private void settle() {
    var still =
        PlannerSettings.DEFAULT.with(
            ActionSettings.DEFAULT
                .with(new ActionSettings.Consolidation(0))
                .with(new ActionSettings.Reclaiming(false, 1))
                .withoutPreempt());
    carryOut(new Planner(still).plan(snapshot()));
  }

  /// A pod comes that asks what one of the list asks.
  ///
  /// @return its name
  String comes() {
    return comes(asks.get(random.nextInt(asks.size())));
  }

  /// A pod comes that asks for one CPU and no GPU, for which there is room on every trace but the
  /// last.
  ///
  /// @return its name
  String oneCpuComes() {
    return comes(new Ask(1_000, 1_024, 0, 0, List.of()));
  }

  private String comes(Ask ask) {
    var name = "p" + (1_000_000 + pods++);
    waiting.put(name, ask);
    known.put(name, ask);
    record(new Fact.PodSeen(pod(name, ask, Placement.NONE)));
    return name;
  }

  /// How many wait.
  int waits() {
    return waiting.size();
  }

  /// One of those that run, by chance, is over.
  void oneEnds() {
    int i = random.nextInt(running.size());
    goes(running.set(i, running.getLast()));
    running.removeLast();
  }

  /// A pod is deleted, wherever it is.
  void leaves(String name) {
    var _ = waiting.remove(name);
    running.remove(name);
    goes(name);
  }

  private void goes(String name) {
    record(new Fact.PodGone(new PodKey("default", name), new PodUid("uid-" + name)));
  }

  /// Who is to leave is gone, and waits again; then whoever gets a place runs there, where nobody
  /// is any more.
  ///
  /// @return how many
  int carryOut(Plan plan) {
    int started = 0;
    seconds++;
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          reserve.victims().forEach(this::moves);
          started += start(reserve);
        }
        case Decision.Evict(_, var victims) -> victims.forEach(this::moves);
        case Decision.Wait _, Decision.Withdraw _ -> {}
      }
    }
    return started;
  }

  /// @return how many of them waited
  int start(Decision.Reserve reserve) {
    int started = 0;
    for (Reserved each : reserve.block()) {
      started += starts(each) ? 1 : 0;
    }
    for (Reserved each : reserve.surplus()) {
      started += starts(each) ? 1 : 0;
    }
    return started;
  }

  void moves(Decision.Victim victim) {
    var name = victim.pod().name();
    if (running.remove(name)) {
      goes(name);
      var _ = comes(Optional.ofNullable(known.remove(name)).orElseThrow());
    }
  }

  private boolean starts(Reserved each) {
    var ask = waiting.remove(each.pod().name());
    if (ask == null) {
      return false;
    }
    running.add(each.pod().name());
    record(new Fact.PodSeen(pod(each.pod().name(), ask, each.placement())));
    return true;
  }

  private Pod pod(String name, Ask ask, Placement at) {
    boolean runs = !at.isNone();
    var plan = runs && !at.slots().isEmpty() ? new WrittenPlan(at, "", 1, NOW) : WrittenPlan.NONE;
    return new Pod(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        versions++,
        NOW.minusSeconds(100),
        "berth",
        new Pod.Life(
            runs ? Pod.Phase.RUNNING : Pod.Phase.PENDING,
            at.node(),
            runs ? List.of() : List.of(Pod.Life.GATE),
            false,
            ""),
        new Pod.Asks(ask.request(), ask.constraints(), 0, Preemptibility.BY_PRIORITY),
        new Pod.Belonging(
            new QueueName(QUEUE),
            GroupKey.NONE,
            0,
            "",
            new Pod.Owner(OwnerUid.NONE, "", "", ""),
            0),
        new Pod.Written(plan, List.of()),
        Pod.Holding.NONE,
        List.of());
  }
}
