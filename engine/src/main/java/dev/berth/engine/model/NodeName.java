package dev.berth.engine.model;

/// The name of a node, as in its Node object.
public record NodeName(String value) implements Comparable<NodeName> {
  /// Stands for "none": no node is called so.
  public static final NodeName NONE = new NodeName("");

  public boolean isNone() {
    return value.isEmpty();
  }

  @Override
  public int compareTo(NodeName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
