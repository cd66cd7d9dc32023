package dev.berth.engine.model;

/// Namespace and name of a pod.
public record PodKey(String namespace, String name) implements Comparable<PodKey>, Workload {
  /// Stands for "none".
  public static final PodKey NONE = new PodKey("", "");

  public boolean isNone() {
    return name.isEmpty();
  }

  @Override
  public int compareTo(PodKey other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
