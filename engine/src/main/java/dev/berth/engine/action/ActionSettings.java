package dev.berth.engine.action;

/// Which actions may have others leave, and how far they may go.
///
/// @param preempts whether more important work takes room from less important work of its queue
/// @param searching how much the search for those who leave may do
public record ActionSettings(
    Consolidation consolidation, Reclaiming reclaiming, boolean preempts, Searching searching) {
  public static final ActionSettings DEFAULT =
      new ActionSettings(
          new Consolidation(32, 100), new Reclaiming(true, 1), true, Searching.DEFAULT);

  /// Small searches are exhaustive. Wide ones, of many who may be asked, go on from round to round.
  ///
  /// @param trials how many sets of victims one round may try; what is not tried by then is not
  ///   proven
  /// @param slice what wide searches may do in one round: pods placed again in trials
  /// @param wideFrom a search is wide where more steps than this may be asked for
  public record Searching(long trials, long slice, int wideFrom) {
    public static final Searching DEFAULT = new Searching(1_000_000, 250, 128);

    public Searching {
      if (trials < 1) {
        throw new IllegalArgumentException("trials is " + trials + ", but must be 1 or more");
      }
      if (slice < 1) {
        throw new IllegalArgumentException("slice is " + slice + ", but must be 1 or more");
      }
      if (wideFrom < 0) {
        throw new IllegalArgumentException("wideFrom is " + wideFrom + ", but must be 0 or more");
      }
    }
  }

  public long trials() {
    return searching.trials;
  }

  public long slice() {
    return searching.slice;
  }

  public int wideFrom() {
    return searching.wideFrom;
  }

  /// @param maxMoves most pods that one consolidation may move; 0 = off
  /// @param maxCostPercent most devices that it may move, of those that its claimant asks for: at
  ///   100 no more than start by it
  public record Consolidation(int maxMoves, int maxCostPercent) {
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    /// Whatever it costs.
    public Consolidation(int maxMoves) {
      this(maxMoves, NO_LIMIT);
    }

    public Consolidation {
      if (maxCostPercent < 0) {
        throw new IllegalArgumentException(
            "maxCostPercent is " + maxCostPercent + ", but must be 0 or more");
      }
      if (maxMoves < 0) {
        throw new IllegalArgumentException(
            "maxMoves is " + maxMoves + ", but must be 0 (off) or more");
      }
    }
  }

  /// @param on whether queues take back what others borrowed
  /// @param multiplier how much less saturated than a sibling that loses something a claimant's
  ///   side must be once it is above its share; 1 or more: larger reclaims less
  public record Reclaiming(boolean on, double multiplier) {
    public Reclaiming {
      if (!(multiplier >= 1 && multiplier <= MOST)) {
        throw new IllegalArgumentException(
            "multiplier is " + multiplier + ", but must be from 1 to 1000000");
      }
    }

    private static final double MOST = 1e6;
  }

  public ActionSettings with(Consolidation other) {
    return new ActionSettings(other, reclaiming, preempts, searching);
  }

  public ActionSettings with(Reclaiming other) {
    return new ActionSettings(consolidation, other, preempts, searching);
  }

  public ActionSettings withoutPreempt() {
    return new ActionSettings(consolidation, reclaiming, false, searching);
  }

  public ActionSettings withTrials(long other) {
    return with(new Searching(other, searching.slice, searching.wideFrom));
  }

  public ActionSettings with(Searching other) {
    return new ActionSettings(consolidation, reclaiming, preempts, other);
  }
}
