package dev.berth.engine.model;

/// A group as messages name it, without its members.
public record GroupSummary(GroupKey key, QueueName queue, int priority) {
  /// Stands for "none".
  public static final GroupSummary NONE = new GroupSummary(GroupKey.NONE, QueueName.NONE, 0);

  public static GroupSummary of(PodGroup group) {
    return new GroupSummary(group.key(), group.queue(), group.priority());
  }

  public boolean isNone() {
    return key.isNone();
  }
}
