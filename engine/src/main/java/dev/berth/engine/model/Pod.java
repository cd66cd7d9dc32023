package dev.berth.engine.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A pod as its object says. One record for Berth's, for those of other schedulers and for holders.
///
/// @param version resourceVersion of the object; later is larger
/// @param scheduler `spec.schedulerName`
/// @param holding what it keeps from the kubelet, if it is a holder
/// @param traits what others see of it, and the devices that it claims
/// @param problems what in it is invalid; such a pod waits and says so
public record Pod(
    PodUid uid,
    PodKey key,
    long version,
    Instant created,
    String scheduler,
    Lifecycle life,
    Asks asks,
    Belonging belonging,
    Written written,
    Holding holding,
    Traits traits,
    List<Problem> problems) {
  public Pod {
    problems = List.copyOf(problems);
  }

  /// Without labels and claims.
  public Pod(
      PodUid uid,
      PodKey key,
      long version,
      Instant created,
      String scheduler,
      Lifecycle life,
      Asks asks,
      Belonging belonging,
      Written written,
      Holding holding,
      List<Problem> problems) {
    this(
        uid,
        key,
        version,
        created,
        scheduler,
        life,
        asks,
        belonging,
        written,
        holding,
        Traits.NONE,
        problems);
  }

  /// What it belongs to that outlives it.
  public Workload workload() {
    if (!belonging.group().isNone()) {
      return belonging.group();
    }
    return belonging.owner().isNone()
        ? key
        : new Workload.Owned(key.namespace(), belonging.owner().uid());
  }

  /// The same pod, with another object for what it asks.
  public Pod asking(Asks alike) {
    return new Pod(
        uid, key, version, created, scheduler, life, alike, belonging, written, holding, traits,
        problems);
  }

  /// The same pod, of which this is known of its volumes.
  public Pod with(List<VolumeRef> volumes, Constraints constraints) {
    var asking = asks.with(constraints);
    var having = traits.with(volumes);
    return asking == asks && having == traits
        ? this
        : new Pod(
            uid, key, version, created, scheduler, life, asking, belonging, written, holding,
            having, problems);
  }

  /// The same pod, that is no holder.
  public Pod withoutHolding() {
    return new Pod(
        uid,
        key,
        version,
        created,
        scheduler,
        life,
        asks,
        belonging,
        written,
        Holding.NONE,
        traits,
        problems);
  }

  /// The same pod, with one more problem.
  public Pod with(Problem problem) {
    var all = new ArrayList<>(problems);
    all.add(problem);
    return new Pod(
        uid, key, version, created, scheduler, life, asks, belonging, written, holding, traits,
        all);
  }

  /// The same pod, that belongs elsewhere.
  public Pod belongingTo(Belonging other) {
    return new Pod(
        uid, key, version, created, scheduler, life, asks, other, written, holding, traits,
        problems);
  }

  public boolean isHolder() {
    return !holding.isNone();
  }

  /// Succeeded or failed: takes no room any more.
  public boolean isOver() {
    return life.phase == Phase.SUCCEEDED || life.phase == Phase.FAILED;
  }

  public boolean isBound() {
    return !life.node.isNone();
  }

  /// Kept from kube-scheduler by Berth's own gate.
  public boolean isGated() {
    return life.gates.contains(Lifecycle.GATE);
  }

  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED
  }

  /// @param node where it is bound; none = not yet
  /// @param gates names of its scheduling gates, of Berth and of others
  /// @param leaving has a deletion timestamp
  /// @param refusal kube-scheduler's words when it last found no node (`PodScheduled` is false,
  ///   reason `Unschedulable`); empty otherwise
  /// @param started since when it runs (`status.startTime`, else when it was bound); `MAX` = not
  ///   told yet: it has run for no time
  /// @param allocated device IDs that the kubelet says it gave to its containers
  ///   (`allocatedResourcesStatus`); empty = it says nothing
  /// @param runsOn it is deleted, with a grace so long that it counts as running: another eviction
  ///   changes nothing, only a deletion with a shorter grace does
  /// @param finished when the last of its containers ended, of a pod that succeeded or failed, to
  ///   the second; `MAX` = not told
  public record Lifecycle(
      Phase phase,
      NodeName node,
      List<String> gates,
      boolean leaving,
      String refusal,
      Instant started,
      List<String> allocated,
      boolean runsOn,
      Instant finished) {
    public static final String GATE = "berth.dev/queued";

    public Lifecycle {
      gates = List.copyOf(gates);
      allocated = List.copyOf(allocated);
    }

    /// Nothing is told of when its containers ended.
    public Lifecycle(
        Phase phase,
        NodeName node,
        List<String> gates,
        boolean leaving,
        String refusal,
        Instant started,
        List<String> allocated,
        boolean runsOn) {
      this(phase, node, gates, leaving, refusal, started, allocated, runsOn, Instant.MAX);
    }

    /// It is not deleted, or leaves soon.
    public Lifecycle(
        Phase phase,
        NodeName node,
        List<String> gates,
        boolean leaving,
        String refusal,
        Instant started,
        List<String> allocated) {
      this(phase, node, gates, leaving, refusal, started, allocated, false);
    }

    /// The kubelet says nothing of its devices.
    public Lifecycle(
        Phase phase,
        NodeName node,
        List<String> gates,
        boolean leaving,
        String refusal,
        Instant started) {
      this(phase, node, gates, leaving, refusal, started, List.of());
    }

    /// Nothing is told of when it began to run.
    public Lifecycle(
        Phase phase, NodeName node, List<String> gates, boolean leaving, String refusal) {
      this(phase, node, gates, leaving, refusal, Instant.MAX);
    }
  }

  public record Asks(
      PodRequest request,
      Constraints constraints,
      int priority,
      Preemptibility preemptibility,
      Manners manners) {
    /// With the manners that Kubernetes gives a pod.
    public Asks(
        PodRequest request, Constraints constraints, int priority, Preemptibility preemptibility) {
      this(request, constraints, priority, preemptibility, Manners.DEFAULT);
    }

    /// The same, elsewhere.
    public Asks with(Constraints others) {
      return others == constraints
          ? this
          : new Asks(request, others, priority, preemptibility, manners);
    }
  }

  /// How it comes and goes.
  ///
  /// @param takesVictims whether others may be asked to leave for it: not with `preemptionPolicy:
  ///   Never`
  /// @param grace how long it may take to leave (`terminationGracePeriodSeconds`)
  public record Manners(boolean takesVictims, Duration grace) {
    public static final Manners DEFAULT = new Manners(true, Duration.ofSeconds(30));
  }

  /// @param queue named on the pod itself; none = look at owner, namespace, default
  /// @param group the PodGroup that it names; none = what its owner says, else a group of one
  /// @param minMember gang size that it names; 0 = none
  /// @param subGroup its role; empty = none
  /// @param taskPriority order inside the group, larger first
  /// @param priorityClass that its label names for its group, where no owner or object does; empty
  ///   = none
  /// @param topology what its annotations say for its group, where no object says it
  /// @param patience what its annotations say for its group, where no object says it
  public record Belonging(
      QueueName queue,
      GroupKey group,
      int minMember,
      String subGroup,
      Owner owner,
      int taskPriority,
      String priorityClass,
      GroupSpec.TopologyAsk topology,
      GroupSpec.Patience patience) {
    /// Says nothing of priority, topology and durations.
    public Belonging(
        QueueName queue,
        GroupKey group,
        int minMember,
        String subGroup,
        Owner owner,
        int taskPriority) {
      this(
          queue,
          group,
          minMember,
          subGroup,
          owner,
          taskPriority,
          "",
          GroupSpec.TopologyAsk.NONE,
          GroupSpec.Patience.NONE);
    }
  }

  /// The controller of a pod (the owner reference with `controller: true`).
  public record Owner(OwnerUid uid, String apiVersion, String kind, String name) {
    public static final Owner NONE = new Owner(OwnerUid.NONE, "", "", "");

    public boolean isNone() {
      return uid.isNone();
    }

    /// Whether it pauses before it makes a pod in the stead of another.
    public boolean isJob() {
      return kind.equals("Job") && apiVersion.startsWith("batch/");
    }
  }

  /// What Berth wrote on the pod before.
  ///
  /// @param devices UUIDs of its devices, from the Binding (`berth.dev/gpu-devices`)
  /// @param preemptor evictions were requested for its group (`berth.dev/preemptor`)
  public record Written(
      WrittenPlan plan, List<String> devices, boolean preemptor, WordsOnPod words) {
    public static final Written NOTHING = new Written(WrittenPlan.NONE, List.of());

    public Written {
      devices = List.copyOf(devices);
    }

    public Written(WrittenPlan plan, List<String> devices) {
      this(plan, devices, false, WordsOnPod.NONE);
    }
  }

  /// A holder: keeps one device of a node from the kubelet.
  ///
  /// @param slot which of the node's shared devices
  /// @param uuid the physical GPU, as the kubelet and its container told; empty = not yet
  /// @param trouble what prevents it from telling, in the kubelet's words or Berth's; empty =
  ///   nothing known
  public record Holding(NodeName node, int slot, String uuid, String trouble) {
    public static final Holding NONE = new Holding(NodeName.NONE, -1, "");

    /// Without trouble.
    public Holding(NodeName node, int slot, String uuid) {
      this(node, slot, uuid, "");
    }

    public boolean isNone() {
      return slot < 0;
    }
  }

  /// What is of this pod alone, however alike others ask.
  ///
  /// @param labels by which others know it: affinity, spread
  /// @param claims devices that it claims (DRA), in the order of its spec
  /// @param volumes its claims on volumes, in the order of its spec
  public record Traits(
      SortedMap<String, String> labels, List<ClaimRef> claims, List<VolumeRef> volumes) {
    public static final Traits NONE = new Traits(new TreeMap<>(), List.of());

    public Traits {
      labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
      claims = List.copyOf(claims);
      volumes = List.copyOf(volumes);
    }

    /// Without volumes.
    public Traits(SortedMap<String, String> labels, List<ClaimRef> claims) {
      this(labels, claims, List.of());
    }

    /// The same, of which this is known of its volumes.
    public Traits with(List<VolumeRef> others) {
      return others.equals(volumes) ? this : new Traits(labels, claims, others);
    }
  }

  /// A PersistentVolumeClaim of a pod.
  ///
  /// The pod's object says the first two, the ledger adds the others.
  ///
  /// @param claim its name
  /// @param ephemeral it is made for the pod, and goes with it
  /// @param storageClass of the claim; empty = none, or the claim is not known
  /// @param lack why no node takes the pod
  public record VolumeRef(String claim, boolean ephemeral, String storageClass, VolumeLack lack) {
    /// Of the claim nothing is known.
    public VolumeRef(String claim, boolean ephemeral) {
      this(claim, ephemeral, "", VolumeLack.NONE);
    }

    /// The same, with what is known of the claim.
    public VolumeRef known(String itsClass, VolumeLack itsLack) {
      return new VolumeRef(claim, ephemeral, itsClass, itsLack);
    }
  }

  /// A claim of a pod.
  ///
  /// @param claim its name; empty = to be made from the template
  /// @param template empty = a claim that others may share
  public record ClaimRef(String claim, String template) {
    public boolean isToCome() {
      return claim.isEmpty();
    }
  }
}
