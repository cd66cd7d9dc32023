package dev.berth.engine.victims;

/// What came of a search.
public enum SearchVerdict {
  FOUND,
  /// Nobody may be asked.
  NO_VICTIMS,
  /// Whoever leaves, it does not help.
  NO_PLAN,
  /// The budget of trials was spent first.
  CUT_SHORT
}
