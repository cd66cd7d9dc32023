package dev.berth.simulator.faults;

/// What can go wrong.
public enum Fault {
  /// An event comes seconds late, and everything of its kind after it waits for it.
  LATE_WATCH,
  /// An event comes twice.
  REPEATED_WATCH,
  /// An event is overtaken by later ones.
  REORDERED_WATCH,
  /// A write does not happen: the connection broke before it.
  FAILED_WRITE,
  /// A write happens and its reply is lost.
  LOST_REPLY,
  /// Another writer was first.
  CONFLICT,
  /// A disruption budget, or too many requests.
  NOT_NOW,
  /// kube-scheduler comes up again with an empty memory.
  SCHEDULER_RESTART,
  /// A watch breaks: what happens meanwhile shows only in the list that comes after.
  BROKEN_WATCH,
  /// A question of kube-scheduler does not reach Berth.
  LOST_QUESTION,
  /// kube-scheduler's bind is done and it does not hear of it.
  LOST_BIND_REPLY,
  /// Berth ends in the middle of a write: just before it, or just after.
  DEATH_IN_A_WRITE,
  /// A write is not seen, and is done seconds later: it sat in a queue, or its writer was paused
  /// just before it.
  LATE_WRITE,
  /// A write is tried again, as the first try was not answered, which is done all the same, seconds
  /// after the second.
  LATE_ATTEMPT
}
