package dev.berth.engine.model;

/// The UID of the object that controls a pod: a Job, a ReplicaSet, …
public record OwnerUid(String value) implements Comparable<OwnerUid> {
  /// Stands for "none": no owner is called so.
  public static final OwnerUid NONE = new OwnerUid("");

  public boolean isNone() {
    return value.isEmpty();
  }

  @Override
  public int compareTo(OwnerUid other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
