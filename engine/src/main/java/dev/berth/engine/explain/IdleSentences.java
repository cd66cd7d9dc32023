package dev.berth.engine.explain;

import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.IdleRules;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Idleness.Notice;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.IdleEnd;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// That the GPUs of a group do nothing, and what follows from it.
public final class IdleSentences {
  private IdleSentences() {}

  /// `Its 8 GPUs are idle since 2026-01-01T10:00:00Z, by the idle rule of queue research, 1h below
  /// 5 %. At 2026-01-01T11:15:00Z its pods are evicted, unless it uses a GPU before.`
  ///
  /// @param end of a group that is idle
  /// @param now when it is told, if it is not yet
  public static String of(IdleEnd end, Instant now) {
    var idle = end.idle();
    String first =
        gpus(idle) + " idle since " + toSecond(idle.since()) + ", by " + idle.rule().words() + ".";
    return idle.rule().evicts()
        ? first
            + " At "
            + toSecond(end.leavesAtIfTold(now))
            + " its pods are evicted, unless it uses a GPU before."
        : first;
  }

  /// What a group says of itself, or else its pods; of [Notice#NONE] nothing is said.
  public static Notice notice(PodGroup group) {
    return Notice.of(
        group.spec().run().notice(),
        group.members().stream()
            .filter(member -> member.standing() instanceof Standing.Bound)
            .map(member -> member.pod().written().words().idle()));
  }

  /// When a group is evicted that says so; `MAX` = it does not.
  public static Instant leavesAt(PodGroup group, Snapshot snapshot) {
    return leavesAt(notice(group), rule(group, snapshot));
  }

  private static Instant leavesAt(Notice notice, Optional<IdleRule> rule) {
    return rule.map(each -> notice.dueAt(each.warning())).orElse(Instant.MAX);
  }

  /// `Its GPUs are idle, which it says since 2026-01-01T11:00:00Z. At 2026-01-01T11:15:00Z its pods
  /// are evicted by the idle rule of queue research, 1h below 5 %, unless it uses a GPU before.`
  ///
  /// @return empty where it does not say so
  public static Optional<String> told(PodGroup group, Snapshot snapshot) {
    var notice = notice(group);
    if (!notice.isGiven()) {
      return Optional.empty();
    }
    String first = "Its GPUs are idle, which it says since " + toSecond(notice.since()) + ".";
    var rule = rule(group, snapshot);
    var leaves = leavesAt(notice, rule);
    return Optional.of(
        leaves.equals(Instant.MAX)
            ? first
            : first
                + " At "
                + toSecond(leaves)
                + " its pods are evicted by "
                + rule.orElseThrow().words()
                + ", unless it uses a GPU before.");
  }

  /// Of the rules that evict the one that does so first.
  private static Optional<IdleRule> rule(PodGroup group, Snapshot snapshot) {
    return IdleRules.in(group.queue(), snapshot::queue).stream()
        .min(IdleRule.STRICTEST)
        .filter(IdleRule::evicts);
  }

  private static String gpus(Idleness idle) {
    return idle.gpus() == 1 ? "Its GPU is" : "Its " + idle.gpus() + " GPUs are";
  }

  private static Instant toSecond(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS);
  }
}
