package dev.berth.bench.ours;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.trace.Ask;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
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
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;

/// The cluster of a run in a ledger: what it is told of nodes and pods, and where on the nodes of
/// the run the engine's placements are.
///
/// Pods are groups of one in a queue without limits. For the headline they may not be preempted, so
/// that nothing is ever moved for them: peers move nothing either. Where they may, each has an
/// owner that replaces it once it is evicted.
final class LedgerCluster {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final QueueName QUEUE = new QueueName("all");
  private static final long MIB = 1L << 20;
  private static final long PODS = 250;
  private static final int FIRST = 1_000_000; // names of pods are in the order of their numbers

  private final Cluster cluster;
  private final Preemptibility preemptibility;
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final Pod.Asks[] asks;
  private final GpuNumbers gpus;
  private final HashMap<Integer, Placement> places = new HashMap<>(); // by pod; looked up only
  private final HashMap<Integer, Integer> replaced = new HashMap<>(); // how often; looked up only
  private long versions = 1;
  private long seconds;

  LedgerCluster(Cluster cluster, Preemptibility preemptibility) {
    this.cluster = cluster;
    this.preemptibility = preemptibility;
    asks = cluster.asks().stream().map(this::asks).toArray(Pod.Asks[]::new);
    gpus = new GpuNumbers(cluster);
    record(new Fact.QueueSeen(queue()));
    for (int n = 0; n < cluster.nodes(); n++) {
      record(new Fact.NodeSeen(node(n)));
    }
  }

  private static Queue queue() {
    var quota = new TreeMap<Resource, Long>();
    quota.put(Resource.GPU, Queue.UNLIMITED);
    quota.put(Resource.CPU, Queue.UNLIMITED);
    quota.put(Resource.MEMORY, Queue.UNLIMITED);
    return new Queue(
        QUEUE,
        1,
        NOW.minus(Duration.ofDays(1)),
        QueueName.NONE,
        100,
        Amounts.of(quota),
        new TreeMap<>(),
        new TreeMap<>(),
        Duration.ZERO,
        Duration.ZERO,
        List.of());
  }

  /// Nodes are named after their place in the order of the run: the engine takes the first name
  /// among equals.
  private Node node(int n) {
    var machine = cluster.machine(n);
    var labels = new TreeMap<String, String>();
    labels.put(Node.Accelerator.MODEL, machine.model());
    return new Node(
        name(n),
        1,
        labels,
        List.of(),
        false,
        true,
        Amounts.of(Resource.CPU, machine.cpu())
            .plus(Amounts.of(Resource.MEMORY, machine.memory() * MIB))
            .plus(Amounts.of(Resource.PODS, PODS))
            .plus(Amounts.of(Resource.NVIDIA, machine.gpus())),
        new Node.Accelerator(Resource.NVIDIA, machine.gpus(), machine.model(), 0, Node.Mig.NONE));
  }

  static NodeName name(int n) {
    return GpuNumbers.name(n);
  }

  private Pod.Asks asks(Ask ask) {
    var amounts =
        Amounts.of(Resource.CPU, ask.cpu()).plus(Amounts.of(Resource.MEMORY, ask.memory() * MIB));
    DeviceRequest devices = DeviceRequest.NONE;
    if (ask.isShare()) {
      devices = new DeviceRequest.Fraction(ask.milli(), ask.milli(), 1);
    } else if (!ask.isCpuOnly()) {
      amounts = amounts.plus(Amounts.of(Resource.NVIDIA, ask.gpus()));
      devices = new DeviceRequest.Whole(Resource.NVIDIA, ask.gpus());
    }
    var request = new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, List.of());
    var constraints = Constraints.NONE;
    if (!ask.spec().isEmpty()) {
      var models = List.of(ask.spec().split("\\|"));
      var term =
          new Term(List.of(new Expression(false, Node.Accelerator.MODEL, Operator.IN, models)));
      constraints = new Constraints(new TreeMap<>(), List.of(term), List.of());
    }
    return new Pod.Asks(request, constraints, 0, preemptibility);
  }

  private void record(Fact fact) {
    var _ = ledger.record(fact);
  }

  Ledger ledger() {
    return ledger;
  }

  /// The cluster a second later than at the last call.
  Snapshot snapshot() {
    return ledger.snapshot(NOW.plusSeconds(seconds++));
  }

  /// A pod as it comes.
  Pod pending(int pod, int k) {
    return pod(pod, k, Placement.NONE);
  }

  void comes(int pod, int k) {
    record(new Fact.PodSeen(pending(pod, k)));
    if (!owner(pod).isNone()) { // its owner was looked at: the pod is alone
      var alone = new Membership(Membership.UNTOLD.said(), "", false, Membership.USUAL_CLASS);
      record(new Fact.PodGrouped(uid(pod), alone));
    }
  }

  /// A pod that was never placed is deleted.
  void leaves(int pod) {
    record(new Fact.PodGone(key(pod), uid(pod)));
  }

  Choice runs(int pod, int k, Placement place) {
    record(new Fact.PodSeen(pod(pod, k, place)));
    places.put(pod, place);
    return gpus.taken(cluster.asks().get(k), place);
  }

  /// A pod that ran has ended.
  void ends(int pod) {
    record(new Fact.PodGone(key(pod), uid(pod)));
    gpus.returned(Objects.requireNonNull(places.remove(pod)));
  }

  /// A pod that ended or left comes once more: one of the same name with another UID, as facts of a
  /// UID that is gone count no more.
  void comesAgain(int pod, int k) {
    replaced.merge(pod, 1, Integer::sum);
    comes(pod, k);
  }

  private static PodKey key(int pod) {
    return new PodKey("default", "p" + (FIRST + pod));
  }

  /// The number of a pod.
  static int number(PodKey key) {
    return Integer.parseInt(key.name().substring(1)) - FIRST;
  }

  private PodUid uid(int pod) {
    return new PodUid("uid-" + pod + "." + replaced.getOrDefault(pod, 0));
  }

  private Pod.Owner owner(int pod) {
    return preemptibility == Preemptibility.NON_PREEMPTIBLE
        ? new Pod.Owner(OwnerUid.NONE, "", "", "")
        : new Pod.Owner(new OwnerUid("owner-" + pod), "batch/v1", "Job", "j" + (FIRST + pod));
  }

  private Pod pod(int number, int k, Placement at) {
    boolean runs = !at.isNone();
    var plan = runs && !at.slots().isEmpty() ? new WrittenPlan(at, "", 1, NOW) : WrittenPlan.NONE;
    return new Pod(
        uid(number),
        key(number),
        versions++,
        NOW.minusSeconds(100),
        "berth",
        new Pod.Lifecycle(
            runs ? Pod.Phase.RUNNING : Pod.Phase.PENDING,
            at.node(),
            runs ? List.of() : List.of(Pod.Lifecycle.GATE),
            false,
            ""),
        asks[k],
        new Pod.Belonging(QUEUE, GroupKey.NONE, 0, "", owner(number), 0),
        new Pod.Written(plan, List.of()),
        Pod.Holding.NONE,
        List.of());
  }
}
