package dev.berth.engine.replay;

/// Where the calls of a planner are logged. Called by the planning thread: must not block.
public interface PlannerLog {
  /// Whether the next call is to be understood without those before it, because they are in another
  /// file or were lost: the planner begins anew, and says so.
  boolean mustBegin();

  void add(LogEntry entry);
}
