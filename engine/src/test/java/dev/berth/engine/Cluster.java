package dev.berth.engine;

import dev.berth.engine.action.ActionSettings.Reclaiming;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.KeptRoom;
import dev.berth.engine.model.Backoffs.Overdue;
import dev.berth.engine.model.Backoffs.OverdueVolumes;
import dev.berth.engine.model.Backoffs.Pauses;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Demand;
import dev.berth.engine.model.DeviceCapacity;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceClaim.Allocation;
import dev.berth.engine.model.DeviceClaim.Ask;
import dev.berth.engine.model.DeviceClaim.Choice;
import dev.berth.engine.model.DeviceClaim.DeviceId;
import dev.berth.engine.model.DeviceClass;
import dev.berth.engine.model.DeviceMatch;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.DynamicResources;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.MinRuntimeWait;
import dev.berth.engine.model.MinRuntimeWaits;
import dev.berth.engine.model.Moves;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Numa;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.PreemptibilitySource;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Topology;
import dev.berth.engine.model.Usage;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.model.Workload;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A small world in a few words, made a snapshot: nodes, queues, groups that run, leave or wait.
public final class Cluster {
  public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  private Moves moves = Moves.NONE;
  private Backoffs backoffs = Backoffs.NONE;
  private final TreeMap<MinRuntimeWait, Instant> minRuntimeWaits = new TreeMap<>();
  private final TreeMap<String, Taken> nodes = new TreeMap<>();
  private final TreeMap<String, Queue> queues = new TreeMap<>();
  private final TreeMap<GroupKey, PodGroup> groups = new TreeMap<>();
  private final TreeMap<String, Topology> topologies = new TreeMap<>();
  private final List<Pod> strangers = new ArrayList<>();
  private final TreeMap<ClaimKey, DeviceClaim> claims = new TreeMap<>();
  private final TreeMap<String, DeviceSlice> slices = new TreeMap<>();
  private final TreeMap<String, DeviceClass> classes = new TreeMap<>();
  private final TreeMap<GroupKey, Instant> staleSince = new TreeMap<>();
  private final TreeMap<QueueName, SortedMap<Resource, Double>> past = new TreeMap<>();
  private final List<DisruptionBudget> budgets = new ArrayList<>();
  private PlannerSettings settings = PlannerSettings.DEFAULT;
  private Demand demand = Demand.NONE;

  /// A node and what of it is taken.
  private static final class Taken {
    final Node node;
    final Numa numa;
    boolean onRoomBeingLeft;
    Amounts used = Amounts.NONE;
    Amounts leaving = Amounts.NONE;
    Amounts foreign = Amounts.NONE;
    final TreeMap<Integer, Slot> slots = new TreeMap<>();
    final TreeSet<String> ports = new TreeSet<>();

    Taken(Node node, Numa numa) {
      this.node = node;
      this.numa = numa;
    }

    Taken copy() {
      var copy = new Taken(node, numa);
      copy.used = used;
      copy.leaving = leaving;
      copy.foreign = foreign;
      copy.slots.putAll(slots);
      copy.ports.addAll(ports);
      return copy;
    }

    boolean has(Amounts wanted) {
      var stays = onRoomBeingLeft ? used.minus(leaving) : used;
      return stays.plus(wanted).fitsIn(node.allocatable());
    }

    /// By number, whatever the address: what runs together in a test has different ones.
    boolean hasAny(List<String> wanted) {
      return ports.stream().anyMatch(port -> wanted.stream().anyMatch(each -> same(each, port)));
    }

    private static boolean same(String a, String b) {
      return a.substring(a.lastIndexOf(':')).equals(b.substring(b.lastIndexOf(':')));
    }
  }

  private final TreeMap<String, String> namespaceLabels = new TreeMap<>();
  private boolean namespaceTerminates;

  public static Cluster cluster() {
    return new Cluster();
  }

  public Cluster node(String name, NodeSketch sketch) {
    nodes.put(name, new Taken(sketch.named(name), sketch.numa()));
    return this;
  }

  public Cluster nodes(int count, NodeSketch sketch) {
    for (int i = 0; i < count; i++) {
      node("n" + (10_000 + i), sketch);
    }
    return this;
  }

  public Cluster queue(String name, QueueSketch sketch) {
    queues.put(name, sketch.named(name));
    return this;
  }

  public Cluster topology(String name, String... labels) {
    var levels = new ArrayList<Topology.Level>();
    for (String label : labels) {
      levels.add(new Topology.Level(label, ""));
    }
    topologies.put(name, new Topology(name, 1, levels));
    return this;
  }

  public Cluster settings(PlannerSettings other) {
    settings = other;
    return this;
  }

  /// Disruption budgets keep also what is owed.
  public Cluster honouringBudgets() {
    return settings(settings.with(settings.actions().with(new Reclaiming(true, 1))));
  }

  /// A slot with a holder and without shares.
  public Cluster idleHolder(String node, int slot) {
    var taken = taken(node);
    taken.used = taken.used.plus(holder());
    taken.slots.put(slot, new Slot(slot, Holder.REPORTED, "GPU-" + slot, 0, 0));
    return this;
  }

  public Cluster retiringHolder(String node, int slot) {
    idleHolder(node, slot);
    taken(node).slots.put(slot, new Slot(slot, Holder.RETIRING, "", 0, 0));
    return this;
  }

  /// A pod of another scheduler.
  public Cluster stranger(String node, PodSketch sketch) {
    var taken = taken(node);
    var amounts = sketch.request().amounts().plus(Amounts.of(Resource.PODS, 1));
    taken.used = taken.used.plus(amounts);
    taken.foreign = taken.foreign.plus(amounts);
    return this;
  }

  /// A pod of another scheduler that minds its neighbours, or is minded by them.
  public Cluster stranger(String name, String node, PodSketch sketch) {
    var standing = new Standing.Bound(Placement.on(new NodeName(node)));
    strangers.add(podOf(name, 0, sketch, NOW, standing));
    return stranger(node, sketch);
  }

  /// Devices that can be claimed, by a class that bears the name of their driver.
  public Cluster devices(String node, String driver, int count) {
    var devices = new ArrayList<DeviceSlice.Device>();
    for (int i = 0; i < count; i++) {
      devices.add(new DeviceSlice.Device("device-" + i, new TreeMap<>()));
    }
    String name = node + "-" + driver;
    slices.put(name, new DeviceSlice(name, 1, driver, node, 1, new NodeName(node), devices));
    classes.put(driver, new DeviceClass(driver, 1, List.of()));
    return this;
  }

  /// The same, as a driver tells of them.
  public Cluster devices(String node, String driver, List<DeviceSlice.Device> devices) {
    String name = node + "-" + driver;
    slices.put(name, new DeviceSlice(name, 1, driver, node, 1, new NodeName(node), devices));
    classes.put(driver, new DeviceClass(driver, 1, List.of()));
    return this;
  }

  /// GPUs that can be partitioned into parts alike, of which none is a device by itself.
  public Cluster partitionedDevices(String node, String driver, int gpus, int parts) {
    var devices = new ArrayList<DeviceSlice.Device>();
    var totals = new TreeMap<String, SortedMap<String, Long>>();
    for (int g = 0; g < gpus; g++) {
      totals.put("gpu-" + g, new TreeMap<>(Map.of("slices", (long) parts)));
      for (int p = 0; p < parts; p++) {
        var consumes = new TreeMap<String, SortedMap<String, Long>>();
        consumes.put("gpu-" + g, new TreeMap<>(Map.of("slices", 1L)));
        String name = "gpu-" + g + "-part-" + p;
        devices.add(
            new DeviceSlice.Device(name, new TreeMap<>(), false, new TreeMap<>(), consumes));
      }
    }
    String name = node + "-" + driver + "-parts";
    var where = new NodeName(node);
    slices.put(name, new DeviceSlice(name, 1, driver, node, 1, where, devices, totals));
    classes.put(driver, new DeviceClass(driver, 1, List.of()));
    return this;
  }

  /// GPUs of which several claims may have parts, each with so much memory.
  public Cluster sharedDevices(String node, String driver, int count, long mib) {
    var memory = new DeviceCapacity(mib << 20, mib << 20, 1 << 20, 1 << 20, mib << 20, List.of());
    var devices = new ArrayList<DeviceSlice.Device>();
    for (int i = 0; i < count; i++) {
      var capacity = new TreeMap<>(Map.of("memory", memory));
      devices.add(new DeviceSlice.Device("device-" + i, new TreeMap<>(), true, capacity));
    }
    String name = node + "-" + driver;
    slices.put(name, new DeviceSlice(name, 1, driver, node, 1, new NodeName(node), devices));
    classes.put(driver, new DeviceClass(driver, 1, List.of()));
    return this;
  }

  /// One GPU that can be partitioned into halves (MIG), each with a class of its own: `device-0` is
  /// all of it, `device-1` and `device-2` are its halves.
  public Cluster partitionedDevice(String node, String driver, String partitions, long mib) {
    var devices = new ArrayList<DeviceSlice.Device>();
    var total = new TreeMap<>(Map.of("memory", mib << 20, "slice-0", 1L, "slice-1", 1L));
    devices.add(partition("device-0", "gpu", driver, mib, total));
    for (int i = 0; i < 2; i++) {
      var half = new TreeMap<>(Map.of("memory", mib << 19, "slice-" + i, 1L));
      devices.add(partition("device-" + (i + 1), "mig", driver, mib / 2, half));
    }
    String name = node + "-" + driver;
    var where = new NodeName(node);
    slices.put(name, new DeviceSlice(name, 1, driver, node, 1, where, devices));
    slices.put(
        name + "-counters",
        new DeviceSlice(
            name + "-counters",
            1,
            driver,
            node,
            1,
            where,
            List.of(),
            new TreeMap<>(Map.of("gpu-0-counter-set", total))));
    classes.put(driver, new DeviceClass(driver, 1, List.of(ofType(driver, "gpu"))));
    classes.put(partitions, new DeviceClass(partitions, 1, List.of(ofType(driver, "mig"))));
    return this;
  }

  private static DeviceMatch ofType(String driver, String type) {
    return new DeviceMatch(driver, new TreeMap<>(Map.of(driver + "/type", type)));
  }

  private static DeviceSlice.Device partition(
      String name, String type, String driver, long mib, SortedMap<String, Long> consumes) {
    var memory = new DeviceCapacity(mib << 20, mib << 20, 0, 0, Long.MAX_VALUE, List.of());
    return new DeviceSlice.Device(
        name,
        new TreeMap<>(Map.of(driver + "/type", type)),
        false,
        new TreeMap<>(Map.of("memory", memory)),
        new TreeMap<>(Map.of("gpu-0-counter-set", consumes)));
  }

  /// A claim of a pod of another namespace and scheduler on a part of one device.
  public Cluster foreignShare(String node, String driver, int device, long mib) {
    var key = new ClaimKey("elsewhere", "claim-" + claims.size());
    var amounts = new TreeMap<>(Map.of("memory", mib << 20));
    var id = new DeviceId(driver, node, "device-" + device);
    var allocation =
        new Allocation(
            new NodeName(node), List.of(new DeviceClaim.Result(id, amounts, "s" + claims.size())));
    var choice = new Choice(driver, 1, false, false, List.of(), amounts);
    var asks = List.of(new Ask(List.of(choice)));
    claims.put(key, new DeviceClaim(key, 1, QueueName.NONE, asks, allocation));
    return this;
  }

  /// A claim that pods may share, of a queue.
  public Cluster claim(String name, String queue, String deviceClass, int count) {
    return claim(name, new QueueName(queue), deviceClass, count, Allocation.NONE);
  }

  /// The same, allocated: the first devices of its node are its own.
  public Cluster claimOn(String node, String name, String queue, String deviceClass, int count) {
    var devices = new ArrayList<DeviceId>();
    for (int i = 0; i < count; i++) {
      devices.add(new DeviceId(deviceClass, node, "device-" + i));
    }
    var results = devices.stream().map(DeviceClaim.Result::whole).toList();
    var allocation = new Allocation(new NodeName(node), results);
    return claim(name, new QueueName(queue), deviceClass, count, allocation);
  }

  private Cluster claim(
      String name, QueueName queue, String deviceClass, int count, Allocation allocation) {
    var key = new ClaimKey("default", name);
    var ask = new Ask(List.of(new Choice(deviceClass, count, false, false, List.of())));
    claims.put(key, new DeviceClaim(key, 1, queue, List.of(ask), allocation));
    return this;
  }

  /// A claim with one request, for one of these.
  public Cluster claim(String name, String queue, Choice... alternatives) {
    return claim(name, queue, Allocation.NONE, alternatives);
  }

  /// The same, allocated devices of a node.
  public Cluster claimOn(
      String node, List<DeviceId> devices, String name, String queue, Choice... alternatives) {
    var results = devices.stream().map(DeviceClaim.Result::whole).toList();
    return claim(name, queue, new Allocation(new NodeName(node), results), alternatives);
  }

  /// The same, allocated a part of a device.
  public Cluster claimOn(
      String node, DeviceClaim.Result part, String name, String queue, Choice of) {
    return claim(name, queue, new Allocation(new NodeName(node), List.of(part)), of);
  }

  private Cluster claim(String name, String queue, Allocation allocation, Choice... alternatives) {
    var key = new ClaimKey("default", name);
    var asks = List.of(new Ask(List.of(alternatives)));
    claims.put(key, new DeviceClaim(key, 1, new QueueName(queue), asks, allocation));
    return this;
  }

  /// A claim with so many requests that are alike.
  public Cluster claimOfMany(String name, String queue, int requests, Choice each) {
    var key = new ClaimKey("default", name);
    var asks = Collections.nCopies(requests, new Ask(List.of(each)));
    claims.put(key, new DeviceClaim(key, 1, new QueueName(queue), asks, Allocation.NONE));
    return this;
  }

  /// A claim with these requests.
  public Cluster claimOfAll(String name, String queue, Choice... requests) {
    var key = new ClaimKey("default", name);
    var asks = Stream.of(requests).map(each -> new Ask(List.of(each))).toList();
    claims.put(key, new DeviceClaim(key, 1, new QueueName(queue), asks, Allocation.NONE));
    return this;
  }

  /// A claim with these requests, each for one of some, that is allocated no device twice.
  public Cluster distinctClaim(String name, String queue, List<List<Choice>> requests) {
    var key = new ClaimKey("default", name);
    var asks = requests.stream().map(Ask::new).toList();
    claims.put(key, new DeviceClaim(key, 1, new QueueName(queue), asks, true, Allocation.NONE));
    return this;
  }

  /// A class of all devices, whose name says nothing.
  public Cluster classOfAll(String name) {
    classes.put(name, new DeviceClass(name, 1, List.of()));
    return this;
  }

  private void own(String name, PodSketch sketch) {
    if (sketch.ownMib == 0) {
      claim(name, QueueName.NONE, sketch.ownClass, sketch.ownCount, Allocation.NONE);
      return;
    }
    var key = new ClaimKey("default", name);
    var amounts = new TreeMap<>(Map.of("memory", sketch.ownMib << 20));
    var choice = new Choice(sketch.ownClass, sketch.ownCount, false, false, List.of(), amounts);
    var asks = List.of(new Ask(List.of(choice)));
    claims.put(key, new DeviceClaim(key, 1, QueueName.NONE, asks, true, Allocation.NONE));
  }

  /// A claim says that it is of this queue.
  public Cluster claimQueue(String name, String queue) {
    var key = new ClaimKey("default", name);
    claims.computeIfPresent(
        key,
        (_, was) ->
            new DeviceClaim(
                key,
                2,
                new QueueName(queue),
                was.asks(),
                was.distinct(),
                was.allocation(),
                was.problems()));
    return this;
  }

  /// The claim that a pod of this name has of its own is allocated a part of a device.
  public Cluster allocated(String pod, String node, int device, long mib) {
    var key = new ClaimKey("default", pod + "-own");
    var before = claims.get(key);
    if (before == null) {
      throw new IllegalArgumentException("no claim " + key + " in this test");
    }
    var driver = before.asks().getFirst().choices().getFirst().deviceClass();
    var id = new DeviceId(driver, node, "device-" + device);
    var amounts = new TreeMap<>(Map.of("memory", mib << 20));
    var allocation =
        new Allocation(new NodeName(node), List.of(new DeviceClaim.Result(id, amounts, "s")));
    claims.put(
        key, new DeviceClaim(key, 1, before.queue(), before.asks(), before.distinct(), allocation));
    return this;
  }

  /// What a queue used of the cluster's GPUs in the past.
  public Cluster past(String queue, double fraction) {
    past.put(new QueueName(queue), new TreeMap<>(Map.of(Resource.GPU, fraction)));
    return this;
  }

  /// So many pods with `app: <app>` may be asked to leave. What is known of pods that arrived.
  public Cluster demand(Demand other) {
    demand = other;
    return this;
  }

  public Cluster budget(String app, int allowed) {
    return budget(app, app, allowed);
  }

  public Cluster budget(String name, String app, int allowed) {
    budgets.add(
        new DisruptionBudget(
            new DisruptionBudget.Key("default", name),
            1,
            new LabelSelector(List.of(new Requirement("app", Operator.IN, List.of(app)))),
            false,
            allowed));
    return this;
  }

  public Cluster budget(DisruptionBudget budget) {
    budgets.add(budget);
    return this;
  }

  public Cluster staleSince(String group, Duration ago) {
    staleSince.put(key(group), NOW.minus(ago));
    return this;
  }

  public Cluster waiting(String name, String queue, PodSketch sketch) {
    return group(name, queue, sketch, (_, _) -> new Standing.Waiting());
  }

  public Cluster running(String name, String queue, PodSketch sketch) {
    return group(name, queue, sketch, (_, _) -> new Standing.Bound(put(sketch)));
  }

  /// The same with so many members on each of the nodes `n0`, `n1` …: no search for room, which
  /// takes long for many.
  public Cluster running(String name, String queue, int perNode, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) -> {
          var placement = put(sketch, taken("n" + i / perNode));
          if (placement.isNone()) {
            throw new IllegalArgumentException("the test runs more than fits");
          }
          return new Standing.Bound(placement);
        });
  }

  /// Runs where all of it fits, else it is not there at all.
  public Cluster runningIfItFits(String name, String queue, PodSketch sketch) {
    var before = new TreeMap<String, Taken>();
    nodes.forEach((node, taken) -> before.put(node, taken.copy()));
    try {
      return running(name, queue, sketch);
    } catch (IllegalArgumentException full) {
      nodes.putAll(before);
      return this;
    }
  }

  public Cluster leaving(String name, String queue, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (_, _) -> {
          var placement = put(sketch);
          leave(sketch, placement);
          return new Standing.Leaving(placement);
        });
  }

  /// They leave for others, and come back to wait.
  public Cluster makingWay(String name, String queue, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (_, _) -> {
          var placement = put(sketch);
          leave(sketch, placement);
          return new Standing.Leaving(placement, Placement.NONE, true);
        });
  }

  /// They leave to start again on another node, whole devices only.
  public Cluster moving(String name, String queue, String to, PodSketch sketch) {
    return moving(name, queue, sketch.count, to, sketch);
  }

  /// The first of its members leave so; the others are back already, and wait.
  public Cluster moving(String name, String queue, int leaving, String to, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) -> {
          if (i >= leaving) {
            return new Standing.Waiting();
          }
          var placement = put(sketch);
          leave(sketch, placement);
          return new Standing.Leaving(placement, Placement.on(new NodeName(to)), true);
        });
  }

  /// Victims of another group's plan that have not begun to leave.
  public Cluster asked(String name, String queue, PodSketch sketch) {
    return leaving(name, queue, sketch);
  }

  /// Where nothing is free, on room that is being left; on its way, its gates are open.
  public Cluster planned(String name, String queue, PodSketch sketch) {
    return planned(name, queue, true, sketch);
  }

  /// The same behind its gates: it waits for its victims to leave.
  public Cluster promised(String name, String queue, PodSketch sketch) {
    return planned(name, queue, false, sketch);
  }

  private Cluster planned(String name, String queue, boolean released, PodSketch sketch) {
    nodes.values().forEach(taken -> taken.onRoomBeingLeft = true);
    group(name, queue, sketch, (_, _) -> new Standing.Planned(plan(sketch, put(sketch)), released));
    nodes.values().forEach(taken -> taken.onRoomBeingLeft = false);
    return this;
  }

  /// Its first members run, the others wait.
  public Cluster partly(String name, String queue, int running, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) -> i < running ? new Standing.Bound(put(sketch)) : new Standing.Waiting());
  }

  /// Its first members run, the others have a plan, and their gates are open.
  public Cluster partlyPlanned(String name, String queue, int running, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) ->
            i < running
                ? new Standing.Bound(put(sketch))
                : new Standing.Planned(plan(sketch, put(sketch)), true));
  }

  /// Its first members are over, the others run.
  public Cluster partlyOver(
      String name, String queue, int over, boolean succeeded, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) -> i < over ? new Standing.Over(succeeded) : new Standing.Bound(put(sketch)));
  }

  /// Its first members have completed, the others wait.
  public Cluster completedInPart(String name, String queue, int completed, PodSketch sketch) {
    return group(
        name,
        queue,
        sketch,
        (i, _) -> i < completed ? new Standing.Over(true) : new Standing.Waiting());
  }

  /// Member `index` of a running group began later than the others.
  public Cluster startedLater(String group, int index, Duration ago) {
    return member(
        group,
        index,
        pod -> {
          var life = pod.life();
          var later =
              new Pod.Lifecycle(
                  life.phase(),
                  life.node(),
                  life.gates(),
                  life.leaving(),
                  life.refusal(),
                  NOW.minus(ago));
          return other(pod, pod.created(), later);
        });
  }

  /// Member `index` of a group names a claim that one pod at a time may use, which another one is.
  public Cluster sharesOnePodClaim(String group, int index, String claim) {
    return member(
        group,
        index,
        pod -> {
          var volume = new Pod.VolumeRef(claim, false).known("disks", VolumeLack.OTHER_POD);
          return pod.with(List.of(volume), pod.asks().constraints());
        });
  }

  /// Member `index` of a waiting group was evicted, and this pod came in its place.
  public Cluster cameBack(String group, int index, Duration ago) {
    return member(group, index, pod -> other(pod, NOW.minus(ago), pod.life()));
  }

  private Cluster member(String name, int index, UnaryOperator<Pod> change) {
    groups.computeIfPresent(
        key(name),
        (key, group) -> {
          var members = new ArrayList<>(group.members());
          var member = members.get(index);
          members.set(
              index, new Member(change.apply(member.pod()), member.standing(), member.vetoes()));
          return group.of(members);
        });
    return this;
  }

  private static Pod other(Pod pod, Instant created, Pod.Lifecycle life) {
    return new Pod(
        pod.uid(),
        pod.key(),
        pod.version(),
        created,
        pod.scheduler(),
        life,
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.traits(),
        pod.problems());
  }

  private interface Standings {
    Standing of(int member, PodSketch sketch);
  }

  private Cluster group(String name, String queue, PodSketch sketch, Standings standings) {
    var created = NOW.minus(Duration.ofMinutes(sketch.minutesOld));
    var members = new ArrayList<Member>();
    for (int i = 0; i < sketch.count; i++) {
      var vetoes = new TreeMap<NodeName, String>();
      sketch.vetoes.forEach((node, words) -> vetoes.put(new NodeName(node), words));
      var _ = sketch.request(i); // from then on it asks as this member does
      var standing = standings.of(i, sketch);
      var pod = podOf(name, i, sketch, created, standing);
      members.add(new Member(pod, standing, vetoes));
      if (sketch.ownCount > 0) {
        String own = pod.key().name() + "-own";
        own(own, sketch);
      }
    }
    var key = key(name);
    var spec =
        new GroupSpec(
            key,
            sketch.single || sketch.withoutObject ? "" : "uid-" + name,
            1,
            0,
            created,
            new QueueName(queue),
            sketch.minMember,
            sketch.minSubGroup,
            sketch.subGroups,
            sketch.topology,
            "",
            sketch.preemptibility,
            sketch.patience,
            Instant.EPOCH,
            run(sketch),
            sketch.completions,
            List.of());
    groups.put(
        key,
        new PodGroup(
            key,
            spec,
            new QueueName(queue),
            sketch.priority,
            sketch.preemptibility.at(sketch.priority),
            PreemptibilitySource.UNTOLD,
            created,
            members,
            sketch.single,
            sketch.single
                ? PodGroup.Origin.POD
                : sketch.withoutObject ? PodGroup.Origin.NAME_ONLY : PodGroup.Origin.OBJECT,
            sketch.takesVictims,
            sketch.standsFast,
            sketch.resumed,
            namespaceLabels,
            namespaceTerminates));
    return this;
  }

  /// The namespace of the groups that come after this.
  public Cluster namespaceLabel(String label, String value) {
    namespaceLabels.put(label, value);
    return this;
  }

  /// The namespace of the groups that come after this is being deleted.
  public Cluster namespaceTerminates() {
    namespaceTerminates = true;
    return this;
  }

  public static Pod podOf(
      String group, int index, PodSketch sketch, Instant created, Standing standing) {
    var name = sketch.single ? group : group + "-" + (100_000 + index);
    var gates = new ArrayList<>(sketch.otherGates);
    if (sketch.gated && standing instanceof Standing.Waiting) {
      gates.add(Pod.Lifecycle.GATE);
    }
    var node = standing instanceof Standing.Bound(var placement) ? placement.node() : NodeName.NONE;
    return new Pod(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        1,
        created,
        "berth",
        new Pod.Lifecycle(
            Pod.Phase.PENDING,
            node,
            gates,
            sketch.deleted,
            "",
            started(sketch, standing),
            List.of(),
            sketch.runsOn && !node.isNone()),
        new Pod.Asks(
            sketch.request(index),
            sketch.constraints(index),
            sketch.priority,
            sketch.preemptibility,
            new Pod.Manners(true, sketch.grace)),
        new Pod.Belonging(
            QueueName.NONE,
            sketch.single ? GroupKey.NONE : key(group),
            0,
            sketch.role(index),
            sketch.owned
                ? new Pod.Owner(new OwnerUid("uid-job-" + group), "batch/v1", "Job", group)
                : Pod.Owner.NONE,
            0),
        written(sketch, standing),
        Pod.Holding.NONE,
        traits(name, sketch),
        sketch.problems);
  }

  private static GroupSpec.Run run(PodSketch sketch) {
    var since = sketch.ranAsGroup.isZero() ? Instant.EPOCH : NOW.minus(sketch.ranAsGroup);
    var warned = sketch.warned.isZero() ? Instant.EPOCH : NOW.minus(sketch.warned);
    return new GroupSpec.Run(
        since, sketch.completed, sketch.awaited, warned, sketch.idle, sketch.idleNotice);
  }

  private static Pod.Written written(PodSketch sketch, Standing standing) {
    return !sketch.block.isEmpty() && standing instanceof Standing.Bound(var placement)
        ? new Pod.Written(plan(sketch, placement), List.of())
        : Pod.Written.NOTHING;
  }

  private static WrittenPlan plan(PodSketch sketch, Placement placement) {
    int size = sketch.block.isEmpty() ? 1 : sketch.count;
    return new WrittenPlan(placement, sketch.block, size, NOW.plusSeconds(60));
  }

  private static Pod.Traits traits(String pod, PodSketch sketch) {
    var claims = new ArrayList<Pod.ClaimRef>();
    sketch.claims.forEach(claim -> claims.add(new Pod.ClaimRef(claim, "")));
    if (sketch.ownCount > 0) {
      claims.add(new Pod.ClaimRef(pod + "-own", "own"));
    }
    return new Pod.Traits(sketch.labels, claims, sketch.volumes);
  }

  private static Instant started(PodSketch sketch, Standing standing) {
    return standing instanceof Standing.Bound && !sketch.ran.isZero()
        ? NOW.minus(sketch.ran)
        : Instant.MAX;
  }

  private Taken taken(String node) {
    var taken = nodes.get(node);
    if (taken == null) {
      throw new IllegalArgumentException("no node " + node + " in this test");
    }
    return taken;
  }

  /// Puts one pod on its node, or on the first that has room.
  private Placement put(PodSketch sketch) {
    for (Taken taken : nodes.values()) {
      if (sketch.node.isEmpty() || taken.node.name().value().equals(sketch.node)) {
        var placement = put(sketch, taken);
        if (!placement.isNone()) {
          return placement;
        }
      }
    }
    throw new IllegalArgumentException("the test runs more than fits");
  }

  private static Placement put(PodSketch sketch, Taken taken) {
    var request = sketch.request();
    var amounts = request.amounts().plus(Amounts.of(Resource.PODS, 1));
    if (!taken.has(amounts) || taken.hasAny(request.hostPorts())) {
      return Placement.NONE;
    }
    var slots = new ArrayList<Integer>();
    int millis =
        request.devices().isShare()
            ? request.devices().millisOn(taken.node.accelerator().memoryMib())
            : 0;
    if (millis > 1000 || millis > 0 && !seat(taken, amounts, millis, request.devices(), slots)) {
      return Placement.NONE;
    }
    taken.used = taken.used.plus(amounts);
    taken.ports.addAll(request.hostPorts());
    return new Placement(taken.node.name(), slots, millis);
  }

  private static boolean seat(
      Taken taken, Amounts amounts, int millis, DeviceRequest devices, List<Integer> slots) {
    var opened = Amounts.NONE;
    for (int slot = 0; slot < taken.node.accelerator().count(); slot++) {
      var there = taken.slots.get(slot);
      boolean joins = there != null && there.usedMillis() + millis <= 1000;
      boolean opens = there == null && taken.has(amounts.plus(opened).plus(holder()));
      if (slots.size() < devices.count() && (joins || opens)) {
        slots.add(slot);
        opened = opens ? opened.plus(holder()) : opened;
      }
    }
    if (slots.size() < devices.count()) {
      return false;
    }
    taken.used = taken.used.plus(opened);
    for (int slot : slots) {
      var there = taken.slots.getOrDefault(slot, new Slot(slot, Holder.REPORTED, "u" + slot, 0, 0));
      int leaving = there.leavingMillis();
      taken.slots.put(
          slot, new Slot(slot, there.holder(), there.uuid(), there.usedMillis() + millis, leaving));
    }
    return true;
  }

  private void leave(PodSketch sketch, Placement placement) {
    var taken = taken(placement.node().value());
    taken.leaving =
        taken.leaving.plus(sketch.request().amounts()).plus(Amounts.of(Resource.PODS, 1));
    for (int index : placement.slots()) {
      var slot = taken.slots.getOrDefault(index, new Slot(index, Holder.REPORTED, "", 0, 0));
      int leaving = slot.leavingMillis() + placement.millis();
      taken.slots.put(
          index, new Slot(index, slot.holder(), slot.uuid(), slot.usedMillis(), leaving));
    }
  }

  private static Amounts holder() {
    return Amounts.of(Resource.PODS, 1).plus(Amounts.of(Resource.NVIDIA, 1));
  }

  public static GroupKey key(String group) {
    return new GroupKey("default", group);
  }

  /// What consolidation did not long ago.
  public Cluster moved(int left, Instant until, String... groups) {
    var resting = Arrays.stream(groups).<Workload>map(Cluster::key).collect(Collectors.toSet());
    moves = new Moves(left, until, resting, until);
    return this;
  }

  /// So long it has waited for a min-runtime of pods of a queue.
  public Cluster waitedForMinRuntime(String group, String queue, Duration time) {
    minRuntimeWaits.put(new MinRuntimeWait(key(group), new QueueName(queue)), NOW.minus(time));
    return this;
  }

  /// Groups that get no victims for a while.
  public Cluster backsOff(Map<String, Backoff> groups) {
    var workloads = new HashMap<Workload, Backoff>();
    groups.forEach((group, backoff) -> workloads.put(key(group), backoff));
    backoffs =
        new Backoffs(
            new Pauses(workloads, Map.of()),
            backoffs.borrowing(),
            backoffs.overdue(),
            backoffs.reclaimed());
    return this;
  }

  public Cluster borrowsNothing(Map<String, Backoff> groups) {
    var workloads = new HashMap<Workload, Backoff>();
    groups.forEach((group, backoff) -> workloads.put(key(group), backoff));
    backoffs =
        new Backoffs(
            backoffs.evicting(),
            new Pauses(workloads, Map.of()),
            backoffs.overdue(),
            backoffs.reclaimed());
    return this;
  }

  /// From which was reclaimed for a group whose room others took.
  public Cluster reclaimed(String queue, int gpus, Backoff backoff) {
    var queues = new TreeMap<>(backoffs.reclaimed());
    queues.put(new QueueName(queue), new KeptRoom(backoff, gpus * 1000L));
    backoffs = new Backoffs(backoffs.evicting(), backoffs.borrowing(), backoffs.overdue(), queues);
    return this;
  }

  /// For whose pods kube-scheduler waits too long for volumes.
  public Cluster overdue(Overdue... waits) {
    backoffs = backoffs.with(new OverdueVolumes(List.of(waits)));
    return this;
  }

  public Snapshot snapshot() {
    var rooms = new ArrayList<NodeView>();
    for (Taken taken : nodes.values()) {
      rooms.add(
          new NodeView(
                  taken.node,
                  taken.used,
                  taken.leaving,
                  taken.foreign,
                  new ArrayList<>(taken.slots.values()),
                  taken.ports)
              .in(taken.numa));
    }
    return new Snapshot(
        1,
        NOW,
        rooms,
        new ArrayList<>(queues.values()),
        new ArrayList<>(groups.values()),
        new ArrayList<>(topologies.values()),
        new Snapshot.Past(
            new Usage(NOW, past), moves, demand, backoffs, new MinRuntimeWaits(minRuntimeWaits)),
        strangers,
        new DynamicResources(
            new ArrayList<>(claims.values()),
            new ArrayList<>(slices.values()),
            new ArrayList<>(classes.values())),
        budgets);
  }

  public Planner planner() {
    return new Planner(settings);
  }

  public Expectations plan() {
    return new Expectations(new Planner(settings).plan(snapshot(), staleSince));
  }
}
