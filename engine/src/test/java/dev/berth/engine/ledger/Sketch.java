package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
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
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.WordsOnPod;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Objects in few words. Each `with…` and the like makes another one.
final class Sketch {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final Instant SOON = START.plus(Duration.ofSeconds(30));

  private Sketch() {}

  static NodeName at(String node) {
    return new NodeName(node);
  }

  static PodUid uid(String pod) {
    return new PodUid(pod + "-uid");
  }

  static Amounts amounts(long cpu, long devices) {
    return Amounts.of(Resource.CPU, cpu * 1000)
        .plus(Amounts.of(Resource.NVIDIA, devices))
        .plus(Amounts.of(Resource.PODS, 1));
  }

  static Node node(String name, int gpus) {
    return node(name, gpus, 1);
  }

  static Node node(String name, int gpus, long version) {
    return node(name, gpus, version, true);
  }

  /// It does not answer, in its second version.
  static Node notReady(String name, int gpus) {
    return node(name, gpus, 2, false);
  }

  private static Node node(String name, int gpus, long version, boolean ready) {
    return new Node(
        at(name),
        version,
        new TreeMap<>(),
        List.of(),
        false,
        ready,
        amounts(64, gpus).plus(Amounts.of(Resource.PODS, 109)),
        new Node.Accelerator(Resource.NVIDIA, gpus, "H100", 80_000, Node.Mig.NONE));
  }

  static DeviceRequest share(int millis) {
    return new DeviceRequest.Fraction(millis, millis, 1);
  }

  static DeviceRequest shares(int count, int millis) {
    return new DeviceRequest.Fraction(millis, millis, count);
  }

  static GroupSpec group(String name, int minMember) {
    return group(name, minMember, 1);
  }

  static GroupSpec group(String name, int minMember, long version) {
    return new GroupSpec(
        new GroupKey("default", name),
        name + "-group",
        version,
        START,
        QueueName.NONE,
        minMember,
        0,
        List.of(),
        GroupSpec.TopologyAsk.NONE,
        "",
        Preemptibility.BY_PRIORITY,
        GroupSpec.Patience.NONE,
        Instant.EPOCH,
        List.of());
  }

  /// A gated pod of ours, alone, that asks for one core.
  static PodSketch pod(String name) {
    return new PodSketch(name);
  }

  static Pod holder(String node, int slot, String uuid, long version) {
    return pod("holder-" + node + "-" + slot)
        .version(version)
        .scheduler("default-scheduler")
        .on(node)
        .holding(new Pod.Holding(at(node), slot, uuid))
        .made();
  }

  static final class PodSketch {
    private final String name;
    private String namespace = "default";
    private String uid;
    private long version = 1;
    private String scheduler = "berth";
    private Pod.Lifecycle life =
        new Pod.Lifecycle(Pod.Phase.PENDING, NodeName.NONE, List.of(Pod.Lifecycle.GATE), false, "");
    private Amounts amounts = amounts(1, 0);
    private DeviceRequest devices = DeviceRequest.NONE;
    private List<String> ports = List.of();
    private int priority;
    private QueueName queue = QueueName.NONE;
    private GroupKey group = GroupKey.NONE;
    private int minMember;
    private String subGroup = "";
    private Pod.Owner owner = Pod.Owner.NONE;
    private int taskPriority;
    private String priorityClass = "";
    private Constraints constraints = Constraints.NONE;
    private Pod.Written written = Pod.Written.NOTHING;
    private Pod.Holding holding = Pod.Holding.NONE;
    private List<Pod.VolumeRef> volumes = List.of();
    private List<Pod.ClaimRef> claims = List.of();

    private PodSketch(String name) {
      this.name = name;
      this.uid = name + "-uid";
    }

    /// Another one, in which that is changed.
    private PodSketch with(Consumer<PodSketch> change) {
      var other = new PodSketch(name);
      other.namespace = namespace;
      other.uid = uid;
      other.version = version;
      other.scheduler = scheduler;
      other.life = life;
      other.amounts = amounts;
      other.devices = devices;
      other.ports = ports;
      other.priority = priority;
      other.queue = queue;
      other.group = group;
      other.minMember = minMember;
      other.owner = owner;
      other.taskPriority = taskPriority;
      other.subGroup = subGroup;
      other.priorityClass = priorityClass;
      other.constraints = constraints;
      other.written = written;
      other.holding = holding;
      other.volumes = volumes;
      other.claims = claims;
      change.accept(other);
      return other;
    }

    Pod made() {
      return new Pod(
          new PodUid(uid),
          new PodKey(namespace, name),
          version,
          START,
          scheduler,
          life,
          new Pod.Asks(request(), constraints, priority, Preemptibility.BY_PRIORITY),
          new Pod.Belonging(
              queue,
              group,
              minMember,
              subGroup,
              owner,
              taskPriority,
              priorityClass,
              GroupSpec.TopologyAsk.NONE,
              GroupSpec.Patience.NONE),
          written,
          holding,
          new Pod.Traits(new TreeMap<>(), claims, volumes),
          List.of());
    }

    String name() {
      return name;
    }

    String uid() {
      return uid;
    }

    Pod.Lifecycle life() {
      return life;
    }

    Pod.Written written() {
      return written;
    }

    PodRequest request() {
      return new PodRequest(amounts, devices, "", List.of(), Isolation.NONE, ports);
    }

    PodSketch version(long later) {
      return with(pod -> pod.version = later);
    }

    PodSketch namespace(String other) {
      return with(pod -> pod.namespace = other);
    }

    PodSketch uid(String other) {
      return with(pod -> pod.uid = other);
    }

    PodSketch scheduler(String other) {
      return with(pod -> pod.scheduler = other);
    }

    private PodSketch life(Pod.Lifecycle other) {
      return with(pod -> pod.life = other);
    }

    PodSketch on(String node) {
      return life(new Pod.Lifecycle(Pod.Phase.RUNNING, at(node), List.of(), life.leaving(), ""));
    }

    PodSketch startedAt(Instant when) {
      return life(
          new Pod.Lifecycle(life.phase(), life.node(), life.gates(), life.leaving(), "", when));
    }

    PodSketch leaving() {
      return life(new Pod.Lifecycle(life.phase(), life.node(), life.gates(), true, ""));
    }

    /// Deleted on its node, with a grace so long that it counts as running.
    PodSketch runningOn() {
      return life(
          new Pod.Lifecycle(
              life.phase(),
              life.node(),
              life.gates(),
              false,
              "",
              life.started(),
              life.allocated(),
              true));
    }

    PodSketch ungated() {
      return life(new Pod.Lifecycle(life.phase(), life.node(), List.of(), life.leaving(), ""));
    }

    PodSketch over(boolean succeeded) {
      Pod.Phase phase = succeeded ? Pod.Phase.SUCCEEDED : Pod.Phase.FAILED;
      return life(new Pod.Lifecycle(phase, life.node(), List.of(), life.leaving(), ""));
    }

    /// What its owner makes in its stead.
    PodSketch reborn(String other) {
      return with(pod -> {
        pod.uid = other;
        pod.life =
            new Pod.Lifecycle(
                Pod.Phase.PENDING, NodeName.NONE, List.of(Pod.Lifecycle.GATE), false, "");
        pod.written = Pod.Written.NOTHING;
      });
    }

    PodSketch gpus(int count) {
      return with(pod -> {
        pod.amounts = amounts(1, count);
        pod.devices = new DeviceRequest.Whole(Resource.NVIDIA, count);
      });
    }

    PodSketch share(DeviceRequest share) {
      return with(pod -> {
        pod.amounts = amounts(1, 0);
        pod.devices = share;
      });
    }

    PodSketch constraints(Constraints other) {
      return with(pod -> pod.constraints = other);
    }

    PodSketch ports(String... ports) {
      return with(pod -> pod.ports = List.of(ports));
    }

    PodSketch priority(int other) {
      return with(pod -> pod.priority = other);
    }

    PodSketch group(String name) {
      return with(pod -> pod.group = new GroupKey("default", name));
    }

    PodSketch queue(String name) {
      return with(pod -> pod.queue = new QueueName(name));
    }

    PodSketch minMember(int members) {
      return with(pod -> pod.minMember = members);
    }

    PodSketch subGroup(String other) {
      return with(pod -> pod.subGroup = other);
    }

    PodSketch taskPriority(int other) {
      return with(pod -> pod.taskPriority = other);
    }

    PodSketch priorityClass(String name) {
      return with(pod -> pod.priorityClass = name);
    }

    PodSketch ofJob(String job) {
      return with(pod -> pod.owner = new Pod.Owner(new OwnerUid(job), "batch/v1", "Job", job));
    }

    PodSketch ofKind(String kind, String owner) {
      return with(pod -> pod.owner = new Pod.Owner(new OwnerUid(owner), "apps/v1", kind, owner));
    }

    PodSketch written(WrittenPlan plan, String... devices) {
      return with(pod -> pod.written = new Pod.Written(plan, List.of(devices)));
    }

    PodSketch preemptor() {
      return with(
          pod -> pod.written = new Pod.Written(WrittenPlan.NONE, List.of(), true, WordsOnPod.NONE));
    }

    PodSketch volumes(String... claims) {
      return with(pod -> {
        pod.volumes = Stream.of(claims).map(claim -> new Pod.VolumeRef(claim, false)).toList();
      });
    }

    /// Of devices.
    PodSketch claims(String... names) {
      return with(pod -> {
        pod.claims = Stream.of(names).map(claim -> new Pod.ClaimRef(claim, "")).toList();
      });
    }

    PodSketch holding(Pod.Holding other) {
      return with(pod -> {
        pod.holding = other;
        pod.amounts = amounts(0, 1);
      });
    }
  }

  static WrittenPlan plan(Placement placement, Instant until) {
    return new WrittenPlan(placement, "", 1, until);
  }

  static Placement slots(String node, int millis, Integer... slots) {
    return new Placement(at(node), List.of(slots), millis);
  }
}
