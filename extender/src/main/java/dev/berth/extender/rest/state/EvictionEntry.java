package dev.berth.extender.rest.state;

import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupSummary;
import java.time.Instant;
import java.util.Locale;

/// A pod that was asked to leave, with success.
///
/// @param number grows from one to the next
/// @param at when it was asked
/// @param loser its workload; none = it was not known any more
/// @param gainer the workload for which it leaves; none = for no other
/// @param plan none = not known: more plans followed each other than are looked at, or the victim
///   was handed on to another workload
/// @param start of the gainer
public record EvictionEntry(
    long number,
    Instant at,
    Victim victim,
    GroupSummary loser,
    GroupSummary gainer,
    EvictionPlan plan,
    Start start) {
  private static final long BYTES = 500;

  /// What became of the workload for which a pod leaves.
  public enum Progress {
    /// It has not started since.
    WAITS,
    /// A pod of it was bound since.
    STARTED,
    /// It ended or was deleted before it was seen to start.
    GONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @param at when that was seen, a second late at most; `MAX` = it waits
  public record Start(Progress progress, Instant at) {
    static final Start NOT_YET = new Start(Progress.WAITS, Instant.MAX);
  }

  EvictionEntry with(Start other) {
    return other.equals(start)
        ? this
        : new EvictionEntry(number, at, victim, loser, gainer, plan, other);
  }

  /// Memory that it takes without its plan; estimated, with the names.
  long bytes() {
    return BYTES
        + victim.pod().namespace().length()
        + victim.pod().name().length()
        + loser.key().name().length()
        + gainer.key().namespace().length()
        + gainer.key().name().length();
  }
}
