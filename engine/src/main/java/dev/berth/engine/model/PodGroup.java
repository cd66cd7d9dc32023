package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A gang, or a group of one, with everything resolved that the planner asks for.
///
/// @param spec what its object says; of a group of one, made up from its pod
/// @param queue the leaf queue it was resolved to (it may not exist)
/// @param priority from its priority class, but never above the lowest of its pods that are not
///   over
/// @param preemptibility never `BY_PRIORITY`
/// @param preemptibilitySource what decides that
/// @param members pods of the group that are not gone, the framework's leader first, then
///   task-priority, then name
/// @param single a group of one without object
/// @param origin what says that these pods belong together
/// @param takesVictims whether others may be asked to leave for it: not with `preemptionPolicy:
///   Never` in its priority class or on one of its pods
/// @param standsFast its plans stand though their room is still being left: a preceding group does
///   not take that room. So it is once it yielded twice, or a pod was relocated for it, until it is
///   bound
/// @param resumed the previous leader requested evictions for it: until it is planned it comes
///   before all others
/// @param namespaceLabels of the namespace that it is in: queues choose by them whose pods they
///   take
/// @param namespaceTerminates its namespace is being deleted: nothing new can be created there
public record PodGroup(
    GroupKey key,
    GroupSpec spec,
    QueueName queue,
    int priority,
    Preemptibility preemptibility,
    PreemptibilitySource preemptibilitySource,
    Instant created,
    List<Member> members,
    boolean single,
    Origin origin,
    boolean takesVictims,
    boolean standsFast,
    boolean resumed,
    SortedMap<String, String> namespaceLabels,
    boolean namespaceTerminates) {
  public PodGroup {
    members = List.copyOf(members);
  }

  /// The same group of these members.
  public PodGroup of(List<Member> others) {
    return new PodGroup(
        key,
        spec,
        queue,
        priority,
        preemptibility,
        preemptibilitySource,
        created,
        others,
        single,
        origin,
        takesVictims,
        standsFast,
        resumed,
        namespaceLabels,
        namespaceTerminates);
  }

  /// What says that these pods belong together.
  public enum Origin {
    /// Its PodGroup object.
    OBJECT,
    /// Its owners say its size, and Berth writes the object. It may be planned.
    OWNERS,
    /// Its pods say its size; the object is still to be written. It may be planned.
    MEMBERS,
    /// Pods name it, but there is no such object and no owner says its size: [Reason.NoSuchGroup].
    NAME_ONLY,
    /// A pod alone.
    POD,
    /// A pod alone whose owner may say more, but has not been read: [Reason.OwnerUnknown].
    POD_OF_UNKNOWN_OWNER
  }

  /// @param vetoes nodes that kube-scheduler refused for this pod, with its words
  public record Member(Pod pod, Standing standing, SortedMap<NodeName, String> vetoes) {
    public Member {
      vetoes =
          vetoes.isEmpty() ? NO_VETOES : Collections.unmodifiableSortedMap(new TreeMap<>(vetoes));
    }

    private static final SortedMap<NodeName, String> NO_VETOES =
        Collections.unmodifiableSortedMap(new TreeMap<>());
  }
}
