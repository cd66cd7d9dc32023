package dev.berth.engine.model;

/// The name of a Queue object, or of the queue that a pod asks for.
public record QueueName(String value) implements Comparable<QueueName> {
  /// Stands for "none": no queue is called so.
  public static final QueueName NONE = new QueueName("");

  public boolean isNone() {
    return value.isEmpty();
  }

  @Override
  public int compareTo(QueueName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
