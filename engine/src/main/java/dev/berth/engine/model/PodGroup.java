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
/// @param priority from its priority class, else the highest of its pods
/// @param preemptibility never `BY_PRIORITY`
/// @param members pods of the group that are not gone, the framework's leader first, then
///     task-priority, then name
/// @param single a group of one without object
public record PodGroup(
    GroupKey key,
    GroupSpec spec,
    QueueName queue,
    int priority,
    Preemptibility preemptibility,
    Instant created,
    List<Member> members,
    boolean single) {
  public PodGroup {
    members = List.copyOf(members);
  }

  /// @param vetoes nodes that kube-scheduler refused for this pod, with its words
  public record Member(Pod pod, Standing standing, SortedMap<NodeName, String> vetoes) {
    public Member {
      vetoes = vetoes.isEmpty() ? NO_VETOES : Collections.unmodifiableSortedMap(new TreeMap<>(vetoes));
    }

    private static final SortedMap<NodeName, String> NO_VETOES =
        Collections.unmodifiableSortedMap(new TreeMap<>());
  }
}
