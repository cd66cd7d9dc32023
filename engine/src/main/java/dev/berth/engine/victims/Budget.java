package dev.berth.engine.victims;

/// How much work the searches of one round may do. Counted in what they do, never in time, so that
/// the same facts give the same plan.
public final class Budget {
  private long trials;
  private long looks;
  private final long forOthers; // looks that searches for moves leave to the others
  private final Cancellation cancellation;

  /// @param trials sets of victims that may be tried
  /// @param steps what wide searches may do: a pod that is placed again in a trial is one, and so
  ///   are a few nodes or pods that are looked at
  /// @param cancellation once requested, wide searches have nothing left
  public Budget(long trials, long steps, Cancellation cancellation) {
    this.trials = trials;
    this.looks = LOOKS_PER_STEP * steps;
    this.forOthers = looks / 2;
    this.cancellation = cancellation;
  }

  void tries(int pods) {
    trials--;
    looks -= LOOKS_PER_STEP * (1L + pods);
  }

  /// A set that was tried is kept: that was no waste, and counts less.
  void finds(int pods) {
    looks += LOOKS_PER_STEP * (1L + pods) * 3 / 4;
  }

  /// Nodes or pods are looked at.
  void looksAt(int count) {
    looks -= count;
  }

  private static final int LOOKS_PER_STEP = 32;

  /// Sets of victims that may still be tried.
  public long trialsLeft() {
    return trials;
  }

  /// Of trials; or the plan is dropped, and nothing counts any more.
  boolean isSpent() {
    return trials <= 0 || cancellation.dropsPlan();
  }

  /// What searches come to now counts for nothing, but that they are cut short.
  boolean isDropped() {
    return cancellation.dropsPlan();
  }

  /// A wide search found victims.
  void found() {
    cancellation.keepsPlan();
  }

  /// Of what wide searches may do. Those for moves come first in a round, and may use half: who
  /// takes back what he is owed does not wait for them.
  boolean isSliceSpent(boolean onMoves) {
    return looks <= (onMoves ? forOthers : 0) || trials <= 0 || cancellation.isRequested();
  }
}
