package dev.berth.engine.victims;

import java.util.HashMap;
import java.util.function.Supplier;

/// How much work the searches of one round may do. Counted in what they do, never in time, so that
/// the same facts give the same plan.
public final class SearchBudget {
  private long trials;
  private long looks;
  private final long forOthers; // looks that searches for moves leave to the others
  private final Cancellation cancellation;
  private final long exhaustive; // looks that exhaustive searches of one leaf may do, of each kind
  private final HashMap<Kind, Long> searched = new HashMap<>(); // looked up only

  /// @param queue of the preemptors, or one above it
  /// @param onMoves whether no victim may lose anything
  private record Kind(int queue, boolean onMoves) {}

  /// @param trials sets of victims that may be tried
  /// @param steps what wide searches may do: a pod that is placed again in a trial is one, and so
  ///   are a few nodes or pods that are looked at
  /// @param exhaustive the same for exhaustive searches: for the preemptors of each leaf queue, for
  ///   moves and for all else; a search that was begun comes to its end
  /// @param cancellation once requested, wide searches have nothing left
  public SearchBudget(long trials, long steps, long exhaustive, Cancellation cancellation) {
    this.trials = trials;
    this.exhaustive = LOOKS_PER_STEP * exhaustive;
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

  /// Nodes, pods or queues are looked at.
  void looksAt(int count) {
    looks -= count;
  }

  /// Whether the preemptors of a queue may still be searched for exhaustively: one tenant may send
  /// any number of preemptors with different requests, into any number of queues below his own, and
  /// each would cost a search in each plan. So a queue has as much as a few leaves for all below
  /// it, the less the deeper it is: none spends all that is there for its siblings.
  ///
  /// @param queues the queue, then its ancestors to the root
  boolean mayExhaust(int[] queues, boolean onMoves) {
    for (int at = 0; at < queues.length; at++) {
      int depth = queues.length - 1 - at;
      long most = exhaustive * (at == 0 ? 1 : Math.max(1, LEAVES_OF_ROOT >> depth));
      if (searched.getOrDefault(new Kind(queues[at], onMoves), 0L) >= most) {
        return false;
      }
    }
    return true;
  }

  /// An exhaustive search: what it does is not what wide ones may do.
  ///
  /// @param queues as for [#mayExhaust]
  <T> T exhausts(int[] queues, boolean onMoves, Supplier<T> search) {
    long before = looks;
    try {
      return search.get();
    } finally {
      for (int queue : queues) {
        searched.merge(new Kind(queue, onMoves), before - looks, Long::sum);
      }
      looks = before;
    }
  }

  private static final int LOOKS_PER_STEP = 32;
  private static final int LEAVES_OF_ROOT = 8;

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

  /// Of what wide searches may do. Those for moves come first in a round, and may use half: a
  /// reclaim does not wait for them.
  boolean isSliceSpent(boolean onMoves) {
    return looks <= (onMoves ? forOthers : 0) || trials <= 0 || cancellation.isRequested();
  }
}
