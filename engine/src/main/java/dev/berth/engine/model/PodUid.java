package dev.berth.engine.model;

/// The UID of one incarnation of a pod. Names come again, UIDs never do.
public record PodUid(String value) implements Comparable<PodUid> {
  /// Stands for "none": no pod is called so.
  public static final PodUid NONE = new PodUid("");

  public boolean isNone() {
    return value.isEmpty();
  }

  @Override
  public int compareTo(PodUid other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
