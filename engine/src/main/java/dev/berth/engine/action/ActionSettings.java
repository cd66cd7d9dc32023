package dev.berth.engine.action;

/// Which actions may have others leave, and how far they may go.
///
/// @param preempts whether more important work takes room from less important work of its queue
/// @param trials how many sets of victims one round may try; what is not tried by then is not
///   proven
public record ActionSettings(
    Consolidation consolidation, Reclaiming reclaiming, boolean preempts, long trials) {
  public static final ActionSettings DEFAULT =
      new ActionSettings(
          new Consolidation(Consolidation.NO_LIMIT), new Reclaiming(true, 1), true, 1_000_000);

  public ActionSettings {
    if (trials < 1) {
      throw new IllegalArgumentException("trials is " + trials + ", but must be 1 or more");
    }
  }

  /// @param maxMoves most pods that one consolidation may move; 0 = off
  public record Consolidation(int maxMoves) {
    public static final int NO_LIMIT = Integer.MAX_VALUE;

    public Consolidation {
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
    return new ActionSettings(other, reclaiming, preempts, trials);
  }

  public ActionSettings with(Reclaiming other) {
    return new ActionSettings(consolidation, other, preempts, trials);
  }

  public ActionSettings withoutPreempt() {
    return new ActionSettings(consolidation, reclaiming, false, trials);
  }

  public ActionSettings withTrials(long other) {
    return new ActionSettings(consolidation, reclaiming, preempts, other);
  }
}
