package dev.berth.engine.model;

import java.util.List;

/// How a node is divided into NUMA zones, and what the topology manager of its kubelet makes of
/// that, as its NodeResourceTopology tells. Without a policy or without zones it is [#NONE].
public record Numa(Policy policy, Scope scope, List<Zone> zones) {
  /// Of a node that tells nothing.
  public static final Numa NONE = new Numa(Policy.NONE, Scope.CONTAINER, List.of());

  public Numa {
    boolean silent = policy == Policy.NONE || zones.isEmpty();
    policy = silent ? Policy.NONE : policy;
    scope = silent ? Scope.CONTAINER : scope;
    zones = silent ? List.of() : List.copyOf(zones);
  }

  public boolean isNone() {
    return zones.isEmpty();
  }

  /// Whether two say the same of what can ever be: they differ in what is available now at most.
  public boolean isBuiltLike(Numa other) {
    boolean alike =
        policy == other.policy && scope == other.scope && zones.size() == other.zones.size();
    for (int i = 0; alike && i < zones.size(); i++) {
      alike = zones.get(i).allocatable.equals(other.zones.get(i).allocatable);
    }
    return alike;
  }

  /// The same with nothing on it.
  public Numa emptied() {
    return new Numa(
        policy,
        scope,
        zones.stream().map(zone -> new Zone(zone.allocatable, zone.allocatable)).toList());
  }

  /// @param allocatable what pods may have of it
  /// @param available what was left of that when it was told, seconds ago
  public record Zone(Amounts allocatable, Amounts available) {}

  /// `topologyManagerPolicy` of the kubelet.
  public enum Policy {
    NONE,
    BEST_EFFORT,
    RESTRICTED,
    SINGLE_NUMA_NODE
  }

  /// `topologyManagerScope` of the kubelet: what must be together.
  public enum Scope {
    CONTAINER,
    POD
  }
}
