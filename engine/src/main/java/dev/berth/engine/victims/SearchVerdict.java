package dev.berth.engine.victims;

/// What came of a search.
public enum SearchVerdict {
  FOUND,
  /// There is no candidate.
  NO_VICTIMS,
  /// No set of victims helps.
  NO_PLAN,
  /// The budget of trials was spent first.
  CUT_SHORT
}
