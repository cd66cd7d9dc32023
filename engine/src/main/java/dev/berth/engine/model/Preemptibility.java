package dev.berth.engine.model;

/// Whether a workload may be asked to leave for another.
public enum Preemptibility {
  /// Not said: priority below 100 is preemptible.
  BY_PRIORITY,
  PREEMPTIBLE,
  NON_PREEMPTIBLE,
  /// The minimum stays, the surplus may go.
  SEMI_PREEMPTIBLE;

  /// Resolves [#BY_PRIORITY].
  public Preemptibility at(int priority) {
    return this != BY_PRIORITY ? this : priority < 100 ? PREEMPTIBLE : NON_PREEMPTIBLE;
  }
}
