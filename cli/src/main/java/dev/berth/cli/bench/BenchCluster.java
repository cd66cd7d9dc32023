package dev.berth.cli.bench;

import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.OwnerUid;
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
import dev.berth.engine.model.Topology;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A cluster in a ledger, said in few words. All names count upwards in the order of saying.
final class BenchCluster {
  static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final int DEVICES = 8;
  private static final int RACK = 16;
  private static final int BLOCK = 128;

  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private int pods;
  private long versions = 1;

  /// What one pod asks.
  record Ask(long milliCores, int devices, int share) {
    static Ask gpus(int count) {
      return new Ask(1000, count, 0);
    }

    /// @param thousandths of one device
    static Ask share(int thousandths) {
      return new Ask(1000, 0, thousandths);
    }

    static Ask none() {
      return new Ask(1000, 0, 0);
    }

    private PodRequest request() {
      var amounts = Amounts.of(Resource.CPU, milliCores).plus(Amounts.of(Resource.NVIDIA, devices));
      DeviceRequest accelerators = DeviceRequest.NONE;
      if (share > 0) {
        accelerators = new DeviceRequest.Fraction(share, share, 1);
      } else if (devices > 0) {
        accelerators = new DeviceRequest.Whole(Resource.NVIDIA, devices);
      }
      return new PodRequest(amounts, accelerators, "", List.of(), Isolation.NONE, List.of());
    }
  }

  /// Nodes of eight devices, in racks of 16 and blocks of 128.
  BenchCluster nodes(int count) {
    var allocatable =
        Amounts.of(Resource.CPU, 128_000)
            .plus(Amounts.of(Resource.MEMORY, 1L << 40))
            .plus(Amounts.of(Resource.PODS, 110))
            .plus(Amounts.of(Resource.NVIDIA, DEVICES));
    for (int n = 0; n < count; n++) {
      var labels = new TreeMap<String, String>();
      labels.put("block", "b" + n / BLOCK);
      labels.put("rack", "r" + n / RACK);
      record(
          new Fact.NodeSeen(
              new Node(
                  node(n),
                  1,
                  labels,
                  List.of(),
                  false,
                  true,
                  allocatable,
                  new Node.Accelerator(Resource.NVIDIA, DEVICES, "H100", 80_000, Node.Mig.NONE))));
    }
    return this;
  }

  BenchCluster fabric() {
    var levels = List.of(new Topology.Level("block", ""), new Topology.Level("rack", ""));
    return record(new Fact.TopologySeen(new Topology("fabric", 1, levels)));
  }

  /// @param parent empty = below the root
  /// @param gpus the quota; it has all the CPU and memory that it wants
  BenchCluster queue(String name, String parent, long gpus, double weight) {
    var weights = new TreeMap<Resource, Double>();
    weights.put(Resource.GPU, weight);
    return record(new Fact.QueueSeen(queueOf(name, parent, gpus * 1000, weights)));
  }

  /// @param gpuMillis the quota, in thousandths of GPUs; all CPU and memory are its own
  static Queue queueOf(
      String name, String parent, long gpuMillis, SortedMap<Resource, Double> weights) {
    var quota = new TreeMap<Resource, Long>();
    quota.put(Resource.GPU, gpuMillis);
    quota.put(Resource.CPU, Queue.UNLIMITED);
    quota.put(Resource.MEMORY, Queue.UNLIMITED);
    return new Queue(
        new QueueName(name),
        1,
        NOW.minus(Duration.ofDays(1)),
        parent.isEmpty() ? QueueName.NONE : new QueueName(parent),
        100,
        Amounts.of(quota),
        new TreeMap<>(),
        weights,
        Duration.ZERO,
        Duration.ZERO,
        List.of());
  }

  /// Pods that run alone, one after the other on the nodes from `first` on, `perNode` on each.
  BenchCluster running(int count, int perNode, int first, String queue, Ask ask) {
    for (int i = 0; i < count; i++) {
      see(pod("p" + (1_000_000 + pods), queue, GroupKey.NONE, ask, node(first + i / perNode)));
    }
    return this;
  }

  /// Pods that wait alone.
  BenchCluster waiting(int count, String queue, Ask ask) {
    for (int i = 0; i < count; i++) {
      see(pod("p" + (1_000_000 + pods), queue, GroupKey.NONE, ask, NodeName.NONE));
    }
    return this;
  }

  BenchCluster gang(String name, String queue, int members, Ask ask, TopologyAsk topology) {
    var key = new GroupKey("default", name);
    var spec = groupOf(key, new QueueName(queue), members, topology, NOW.minusSeconds(60));
    record(new Fact.GroupSeen(spec));
    for (int i = 0; i < members; i++) {
      see(pod(name + "-" + (1000 + i), queue, key, ask, NodeName.NONE));
    }
    return this;
  }

  /// @param members that start together
  static GroupSpec groupOf(
      GroupKey key, QueueName queue, int members, TopologyAsk topology, Instant created) {
    return new GroupSpec(
        key,
        "uid-" + key.name(),
        1,
        created,
        queue,
        members,
        0,
        List.of(),
        topology,
        "",
        Preemptibility.BY_PRIORITY,
        GroupSpec.Patience.NONE,
        Instant.EPOCH,
        List.of());
  }

  /// A pod that needs nothing, in no gang; not one of those that [#running] says.
  BenchCluster passerBy(String name, String queue, int node) {
    return see(pod(name, queue, GroupKey.NONE, Ask.none(), node(node)));
  }

  /// A pod that the ledger does not know.
  Pod stranger(String name, Ask ask) {
    return pod(name, "leaf-1-1", GroupKey.NONE, ask, NodeName.NONE);
  }

  BenchCluster gone(String name) {
    return record(new Fact.PodGone(new PodKey("default", name), new PodUid("uid-" + name)));
  }

  private BenchCluster see(Pod pod) {
    record(new Fact.PodSeen(pod));
    return pod.belonging().group().isNone() ? record(alone(pod)) : this;
  }

  private BenchCluster record(Fact fact) {
    var _ = ledger.record(fact);
    return this;
  }

  Snapshot snapshot() {
    return ledger.snapshot(NOW);
  }

  private static NodeName node(int n) {
    return new NodeName("n" + (100_000 + n));
  }

  private Pod pod(String name, String queue, GroupKey group, Ask ask, NodeName node) {
    pods++;
    var gates = new ArrayList<String>();
    if (node.isNone()) {
      gates.add(Pod.Lifecycle.GATE);
    }
    var phase = node.isNone() ? Pod.Phase.PENDING : Pod.Phase.RUNNING;
    return new Pod(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        versions++,
        NOW.minusSeconds(100),
        "berth",
        new Pod.Lifecycle(phase, node, gates, false, ""),
        new Pod.Asks(ask.request(), Constraints.NONE, 0, Preemptibility.BY_PRIORITY),
        new Pod.Belonging(
            new QueueName(queue), group, 0, "", owner(group.isNone() ? name : group.name()), 0),
        Pod.Written.NOTHING,
        Pod.Holding.NONE,
        List.of());
  }

  /// Its owner was looked at.
  static Fact alone(Pod pod) {
    var alone = new Membership(Membership.UNTOLD.said(), "", false, Membership.USUAL_CLASS);
    return new Fact.PodGrouped(pod.uid(), alone);
  }

  /// A controller that creates them anew: bare pods are never moved.
  static Pod.Owner owner(String job) {
    return new Pod.Owner(new OwnerUid("uid-job-" + job), "batch/v1", "Job", job);
  }
}
