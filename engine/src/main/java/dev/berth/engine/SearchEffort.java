package dev.berth.engine;

/// How long a plan searches for victims.
public enum SearchEffort {
  /// No longer than it takes where few may be asked: wide searches wait for another plan, which
  /// [dev.berth.engine.model.Plan#searches] calls for. What fits now is not kept waiting.
  AT_ONCE,
  /// As [#AT_ONCE], and a slice of the wide searches that wait.
  A_SLICE
}
