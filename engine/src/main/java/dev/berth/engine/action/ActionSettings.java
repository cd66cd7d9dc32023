package dev.berth.engine.action;

import java.time.Duration;

/// Which actions may have others leave, and how far they may go.
///
/// @param preempts whether more important work takes room from less important work of its queue
/// @param searching how much the search for victims may do
public record ActionSettings(
    Consolidation consolidation, Reclaiming reclaiming, boolean preempts, Searching searching) {
  private static final int SLICES = 4;

  public static final ActionSettings DEFAULT =
      new ActionSettings(
          new Consolidation(32, 100),
          new Reclaiming(true, 1, Debts.DEFAULT),
          true,
          Searching.DEFAULT);

  /// Small searches are exhaustive, as far as those of a queue take no longer than a few slices in
  /// one round. Wide ones, with many candidates, and all beyond that, go on from round to round.
  ///
  /// @param trials how many sets of victims one round may try; what is not tried by then is not
  ///   proven
  /// @param slice what wide searches may do in one round: pods placed again in trials
  /// @param wideFrom a search is wide where more steps than this may be asked for
  public record Searching(long trials, long slice, int wideFrom) {
    public static final Searching DEFAULT = new Searching(1_000_000, 250, 128);

    /// As if all slices of a search were one: where time does not count.
    public static final Searching UNSLICED =
        new Searching(DEFAULT.trials, Long.MAX_VALUE / 1024, DEFAULT.wideFrom);

    public Searching {
      if (trials < 1) {
        throw new IllegalArgumentException(
            "search.trials is " + trials + ", but must be 1 or more");
      }
      if (slice < 1) {
        throw new IllegalArgumentException("search.slice is " + slice + ", but must be 1 or more");
      }
      if (wideFrom < 0) {
        throw new IllegalArgumentException(
            "search.wideFrom is " + wideFrom + ", but must be 0 or more");
      }
    }
  }

  /// An action that has others leave, and that the configuration may switch off.
  public enum Switch {
    RECLAIM,
    PREEMPTION,
    CONSOLIDATION
  }

  public boolean isOn(Switch action) {
    return switch (action) {
      case RECLAIM -> reclaiming.enabled;
      case PREEMPTION -> preempts;
      case CONSOLIDATION -> consolidation.maxMoves > 0;
    };
  }

  /// The same with an action that goes as far as by default, if it is off here.
  public ActionSettings switchedOn(Switch action) {
    if (isOn(action)) {
      return this;
    }
    return switch (action) {
      case RECLAIM -> with(new Reclaiming(true, reclaiming.multiplier, reclaiming.debts));
      case PREEMPTION -> new ActionSettings(consolidation, reclaiming, true, searching);
      case CONSOLIDATION ->
          with(new Consolidation(DEFAULT.consolidation.maxMoves, consolidation.maxCostPercent));
    };
  }

  public long trials() {
    return searching.trials;
  }

  public long slice() {
    return searching.slice;
  }

  /// What exhaustive searches for the preemptors of one queue may do in one round, in the same
  /// steps.
  public long exhaustive() {
    return SLICES * searching.slice;
  }

  public int wideFrom() {
    return searching.wideFrom;
  }

  /// @param maxMoves most pods that one consolidation may move; 0 = off
  /// @param maxCostPercent most devices that it may move, of those that its preemptor asks for: at
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
            "consolidation.maxCostPercent is " + maxCostPercent + ", but must be 0 or more");
      }
      if (maxMoves < 0) {
        throw new IllegalArgumentException(
            "consolidation.maxMoves is " + maxMoves + ", but must be 0 (off) or more");
      }
    }
  }

  /// @param on whether queues take back what others borrowed
  /// @param multiplier how much less saturated than a sibling that loses something a preemptor's
  ///   side must be once it is above its share; 1 or more: larger reclaims less
  /// @param debts how far it overrules disruption budgets
  public record Reclaiming(boolean enabled, double multiplier, Debts debts) {
    /// As long as no budget refuses.
    public Reclaiming(boolean on, double multiplier) {
      this(on, multiplier, Debts.HONOURED);
    }

    public Reclaiming {
      if (!(multiplier >= 1 && multiplier <= MOST)) {
        throw new IllegalArgumentException(
            "reclaim.multiplier is " + multiplier + ", but must be from 1 to 1000000");
      }
    }

    private static final double MOST = 1e6;
  }

  /// What a queue has above its share and its quota is another's: a disruption budget or a long
  /// grace of its pods keeps that for a while only.
  ///
  /// @param patience how long a preemptor waits for what a disruption budget keeps, before it is
  ///   taken all the same
  /// @param maxGracePeriod that a pod gets which leaves for another queue; a shorter one of its own
  ///   stays
  public record Debts(Duration budgetTimeout, Duration maxGracePeriod) {
    private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);

    /// All budgets and graces are kept, whatever they are.
    public static final Debts HONOURED = new Debts(EVER, EVER);

    public static final Debts DEFAULT = new Debts(Duration.ofSeconds(60), Duration.ofMinutes(10));

    public boolean yieldToBudgets() {
      return budgetTimeout.equals(EVER);
    }
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
