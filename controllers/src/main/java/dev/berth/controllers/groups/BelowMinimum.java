package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus.Members;
import dev.berth.engine.model.PodGroup;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// A group that lost members and has too few left.
final class BelowMinimum {
  static final String CODE = "BelowMinimum";

  private BelowMinimum() {}

  private static String when(Instant end) {
    String over = "its staleness grace is over";
    return end.equals(Instant.EPOCH)
        ? "when " + over
        : "at " + end.truncatedTo(ChronoUnit.SECONDS) + ", when " + over;
  }

  /// When the members that are left are evicted: at the end of the staleness grace.
  ///
  /// @param since when it fell below its minimum; `EPOCH` = that is not known
  /// @param byDefault the grace of groups that say nothing
  /// @return `MAX` = not by that; `EPOCH` = that is not known
  static Instant end(PodGroup group, Instant since, Duration byDefault) {
    var asked = group.spec().patience().stalenessGrace();
    var grace = asked.isZero() ? byDefault : asked;
    if (grace.isNegative()) {
      return Instant.MAX;
    }
    return since.equals(Instant.EPOCH) ? Instant.EPOCH : since.plus(grace);
  }

  /// What is left of it, what comes, and what helps.
  static String sentence(Members members, Instant end) {
    int missing = Math.max(1, members.required() - members.running());
    return members.running()
        + " of its members run and "
        + (members.failed() == 0 ? "" : members.failed() + " failed, but ")
        + "it needs "
        + members.required()
        + (end.equals(Instant.MAX)
            ? ": those that are left run on. "
            : ": those that are left are evicted " + when(end) + ". ")
        + (members.failed() == 0 ? "" : "See why they failed: kubectl describe pod. ")
        + "Helps: "
        + missing
        + (missing == 1 ? " more pod" : " more pods")
        + " that can start"
        + (members.running() == 0 ? "." : ", or a minimum of " + members.running() + ".");
  }
}
