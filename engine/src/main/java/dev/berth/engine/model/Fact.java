package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One thing the cluster told Berth. May come late, twice and out of order: [#NodeSeen] and its
/// like carry the version of the object, and a farewell names the incarnation that is gone.
public sealed interface Fact {
  record NodeSeen(Node node) implements Fact {}

  record NodeGone(NodeName name, long version) implements Fact {}

  /// The NUMA zones of a node, as an agent beside its kubelet reports them; may come before the
  /// node. What is available in them changes every few seconds and is a hint: that alone starts no
  /// cycle.
  record NumaSeen(NodeName node, long version, Numa numa) implements Fact {}

  record NumaGone(NodeName node, long version) implements Fact {}

  record PodSeen(Pod pod) implements Fact {}

  record PodGone(PodKey key, PodUid uid) implements Fact {}

  record QueueSeen(Queue queue) implements Fact {}

  record QueueGone(QueueName name, long version) implements Fact {}

  /// Changes nothing that is planned: it is what this process wrote itself, or one before it.
  record UsageSeen(PastUse past) implements Fact {}

  record GroupSeen(GroupSpec group) implements Fact {}

  record GroupGone(GroupKey key, long version) implements Fact {}

  /// The owners of a pod were read. What is said last of a gang counts for all of it.
  record PodGrouped(PodUid pod, Membership membership) implements Fact {}

  /// @param makesPods false: it is over, suspended or gone
  /// @param fewer how many fewer pods it may run at once than in the beginning, as so many have
  ///   succeeded and it makes none in their stead
  /// @param group the PodGroup that its template names; none = its owners say which
  /// @param subGroup the role that its template names; empty = none, or as its owners say
  record JobSeen(OwnerUid job, boolean makesPods, int fewer, GroupKey group, String subGroup)
      implements Fact {
    /// It makes no pods any more, and is done with what it made.
    public static JobSeen gone(OwnerUid job) {
      return new JobSeen(job, false, 0, GroupKey.NONE, "");
    }

    /// Whether a pod of it that says so of itself is what its template makes, and was not moved
    /// into another group or role since.
    public boolean makes(Pod.Belonging own) {
      return own.group().equals(group) && own.subGroup().equals(subGroup);
    }
  }

  /// Which groups do nothing with their GPUs, as they were measured last: those that are not named
  /// do something, or it is not known.
  ///
  /// @param until from then on it says nothing any more
  record IdleSeen(Instant until, SortedMap<GroupKey, Idleness> idle) implements Fact {
    public IdleSeen {
      idle = Collections.unmodifiableSortedMap(new TreeMap<>(idle));
    }

    /// Nothing is known of any group.
    public static final IdleSeen NOTHING = new IdleSeen(Instant.MAX, Collections.emptySortedMap());
  }

  record TopologySeen(Topology topology) implements Fact {}

  record TopologyGone(String name, long version) implements Fact {}

  record BudgetSeen(DisruptionBudget budget) implements Fact {}

  record BudgetGone(DisruptionBudget.Key key, long version) implements Fact {}

  /// @param isDefault `globalDefault`
  /// @param takesVictims false: its `preemptionPolicy` is `Never`
  record PriorityClassSeen(
      String name, long version, int value, boolean isDefault, boolean takesVictims)
      implements Fact {
    /// Others may be asked to leave for its pods.
    public PriorityClassSeen(String name, long version, int value, boolean isDefault) {
      this(name, version, value, isDefault, true);
    }
  }

  record PriorityClassGone(String name, long version) implements Fact {}

  /// @param queue the namespace's label `berth.dev/queue`; none = not labelled
  /// @param labels all of them
  /// @param terminates it is being deleted
  record NamespaceSeen(
      String name,
      long version,
      QueueName queue,
      SortedMap<String, String> labels,
      boolean terminates)
      implements Fact {
    public NamespaceSeen {
      labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /// One that stays.
    public NamespaceSeen(
        String name, long version, QueueName queue, SortedMap<String, String> labels) {
      this(name, version, queue, labels, false);
    }

    /// Without other labels.
    public NamespaceSeen(String name, long version, QueueName queue) {
      this(name, version, queue, Collections.emptySortedMap());
    }
  }

  record NamespaceGone(String name, long version) implements Fact {}

  record ClaimSeen(DeviceClaim claim) implements Fact {}

  record ClaimGone(ClaimKey key, long version) implements Fact {}

  record SliceSeen(DeviceSlice slice) implements Fact {}

  record SliceGone(String name, long version) implements Fact {}

  record DeviceClassSeen(DeviceClass deviceClass) implements Fact {}

  record DeviceClassGone(String name, long version) implements Fact {}

  record VolumeClaimSeen(PersistentVolumeClaim claim) implements Fact {}

  record VolumeClaimGone(PersistentVolumeClaim.Key key, long version) implements Fact {}

  record VolumeSeen(PersistentVolume volume) implements Fact {}

  record VolumeGone(String name, long version) implements Fact {}

  record StorageClassSeen(StorageClass storageClass) implements Fact {}

  record StorageClassGone(String name, long version) implements Fact {}

  /// Whether the cluster lets Berth read objects of a kind: what is not among them is missing then.
  /// Until that is known, claims or volumes of which there are none at all are taken as not read.
  record VolumesRead(VolumeKind kind, boolean isRead) implements Fact {}
}
