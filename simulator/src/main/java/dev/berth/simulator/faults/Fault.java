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
  SCHEDULER_RESTART
}
