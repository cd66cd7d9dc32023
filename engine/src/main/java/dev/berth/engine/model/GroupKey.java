package dev.berth.engine.model;

/// Namespace and name of a PodGroup; a group of one bears the key of its pod.
public record GroupKey(String namespace, String name) implements Comparable<GroupKey>, Workload {
  /// Stands for "none".
  public static final GroupKey NONE = new GroupKey("", "");

  public boolean isNone() {
    return name.isEmpty();
  }

  @Override
  public int compareTo(GroupKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
