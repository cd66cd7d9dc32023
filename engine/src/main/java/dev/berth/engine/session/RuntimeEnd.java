package dev.berth.engine.session;

import dev.berth.engine.model.MaxRuntime;
import java.time.Duration;
import java.time.Instant;

/// When the time of a group is over. The group is warned first, and has the whole time of the
/// warning from then on, also if the rule is shortened while it runs or no leader was there to warn
/// it: what counts is since when its status, or its pods, say that it is warned. So it holds over
/// restarts, and a group that cannot be warned is not evicted.
///
/// @param rule by which it ends
/// @param end when it has run for its max-runtime; `MAX` = it has none, or does not run
/// @param warning how long it must have been warned; zero = it is evicted without a word
/// @param warned since when it is; `EPOCH` = it is not
public record RuntimeEnd(MaxRuntime rule, Instant end, Duration warning, Instant warned) {
  /// It has no end.
  public static final RuntimeEnd NONE =
      new RuntimeEnd(MaxRuntime.NONE, Instant.MAX, Duration.ZERO, Instant.EPOCH);

  /// @param rule of the group
  /// @param warning of groups for which no queue says any
  /// @param now a member without a start time begins now
  public static RuntimeEnd of(Group group, MaxRuntime rule, Duration warning, Instant now) {
    if (rule.isNone() || !group.root().runs()) {
      return NONE;
    }
    return new RuntimeEnd(
        rule, group.runsSince(now).plus(rule.length()), rule.warningOr(warning), warned(group));
  }

  /// Its status says it, or the first of its running pods that does, where its object is not
  /// Berth's to write.
  private static Instant warned(Group group) {
    var told = group.group().spec().run().warned();
    if (!told.equals(Instant.EPOCH)) {
      return told;
    }
    var first = Instant.MAX;
    for (MemberState seat : group.seats()) {
      var warned = seat.pod().written().words().warned();
      boolean isWarned = !warned.equals(Instant.EPOCH) && seat.runs();
      first = isWarned && warned.isBefore(first) ? warned : first;
    }
    return first.equals(Instant.MAX) ? Instant.EPOCH : first;
  }

  /// When it is to be warned; `MAX` = never.
  public Instant warnsAt() {
    return end.equals(Instant.MAX) || warning.isZero() ? Instant.MAX : end.minus(warning);
  }

  /// Whether it is to be warned, or to stay so.
  public boolean isNear(Instant now) {
    return !warnsAt().isAfter(now);
  }

  public boolean isWarned() {
    return !warned.equals(Instant.EPOCH);
  }

  /// From when on it is evicted; `MAX` = never, or not before it is warned.
  public Instant leavesAt() {
    return warning.isZero() || isWarned() ? promised(warned) : Instant.MAX;
  }

  /// The same if it is warned now at the latest.
  public Instant leavesAtIfWarned(Instant now) {
    return warning.isZero() || isWarned() || now.isBefore(warnsAt())
        ? promised(warned)
        : promised(now);
  }

  private Instant promised(Instant since) {
    if (end.equals(Instant.MAX) || !isWarned(since)) {
      return end;
    }
    var earliest = since.plus(warning);
    return earliest.isAfter(end) ? earliest : end;
  }

  private static boolean isWarned(Instant since) {
    return !since.equals(Instant.EPOCH);
  }

  /// The next moment at which time alone changes something.
  public Instant next(Instant now) {
    return isNear(now) || warning.isZero() ? leavesAt() : warnsAt();
  }
}
