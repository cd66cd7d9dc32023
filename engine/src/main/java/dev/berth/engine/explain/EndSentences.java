package dev.berth.engine.explain;

import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.SortedMap;
import java.util.TreeMap;

/// When the time of a group that runs is over, and by which rule.
public final class EndSentences {
  private EndSentences() {}

  /// @param warning of groups for which no queue says any
  public static RuntimeEnd ending(PodGroup group, Snapshot cluster, Duration warning) {
    var rule = MaxRuntime.of(group, cluster::queue);
    return RuntimeEnd.of(Group.outside(group), rule, warning, cluster.now());
  }

  /// `Ends soon: at 2026-01-01T14:10:00Z its pods are evicted by the max-runtime of queue research,
  /// 12h.`
  ///
  /// @param now when it is warned, if it is not yet
  public static String warning(RuntimeEnd ending, Instant now) {
    return "Ends soon: at "
        + toSecond(ending.leavesAtIfWarned(now))
        + " its pods are evicted by "
        + ending.rule().words()
        + ".";
  }

  /// `It runs since 2026-01-01T02:10:00Z and is evicted at 2026-01-01T14:10:00Z by the max-runtime
  /// of queue research, 12h.`
  ///
  /// @param ending of a group that has an end
  public static String of(PodGroup group, RuntimeEnd ending, Instant now) {
    var leaves = ending.leavesAtIfWarned(now);
    return "It runs since "
        + toSecond(Group.outside(group).runsSince(now))
        + (leaves.isAfter(now) ? " and is evicted at " : ", and its time is over since ")
        + toSecond(leaves)
        + " by "
        + ending.rule().words()
        + "."
        + (ending.isWarned() ? " It is warned since " + toSecond(ending.warned()) + "." : "");
  }

  /// The same for programs: `at` which it is evicted, by which `rule`, and `warnedSince` when it is
  /// warned; empty where it has no end.
  public static SortedMap<String, String> fields(RuntimeEnd ending, Instant now) {
    var fields = new TreeMap<String, String>();
    if (!ending.end().equals(Instant.MAX)) {
      fields.put("at", ending.leavesAtIfWarned(now).toString());
      fields.put("rule", ending.rule().words());
      if (ending.isWarned()) {
        fields.put("warnedSince", ending.warned().toString());
      }
    }
    return fields;
  }

  private static Instant toSecond(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS);
  }
}
