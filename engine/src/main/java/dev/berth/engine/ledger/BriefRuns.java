package dev.berth.engine.ledger;

import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Workloads for which others left and that succeeded within seconds: they cost their victims more
/// than they ran. That is their right, where their queue is owed the room, and no failure; but room
/// that is given back goes to queues that borrow, and would be reclaimed again and again. So where
/// more than four such workloads of a namespace, or more than eight victims, are not made up for by
/// ones that ran for longer, all of the namespace pauses for half a minute after the next.
///
/// One that ends during that pause had others leave before it, and does not prolong it. One that
/// runs for longer makes up for what itself cost, no more.
final class BriefRuns {
  /// So many workloads of a namespace may hardly run, one after the other.
  private static final int FREE = 4;

  /// So many victims may leave for those.
  private static final int FREE_VICTIMS = 8;

  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Duration REMEMBERED = Duration.ofHours(1);
  private static final int MOST = 10_000;

  private final LinkedHashMap<String, Brief> namespaces = new LinkedHashMap<>(); // oldest first

  /// One plan of a workload.
  ///
  /// @param plan its deadline
  record Run(Workload workload, Instant plan) {}

  /// @param last that was counted last: other pods of the same plan are no news
  /// @param at when it was
  private record Brief(int count, int victims, Run last, Instant at, Instant until) {
    boolean isTooMuch() {
      return count > FREE || victims > FREE_VICTIMS;
    }

    Brief until(Instant end) {
      return new Brief(count, victims, last, at, end);
    }
  }

  /// A pod of a plan succeeded within seconds.
  ///
  /// @param victims that left for the plan
  void addBrief(Run run, int victims, Instant now) {
    String namespace = run.workload.namespace();
    var before = namespaces.remove(namespace);
    var brief =
        before == null ? new Brief(1, victims, run, now, now) : after(before, run, victims, now);
    boolean pauses = brief.isTooMuch() && !brief.until.isAfter(now);
    namespaces.put(namespace, pauses ? brief.until(now.plus(PAUSE)) : brief);
    if (namespaces.size() > MOST) {
      namespaces.pollFirstEntry();
    }
  }

  /// The plans of one workload are one run, as often as it ends; their victims are not.
  private static Brief after(Brief before, Run run, int victims, Instant now) {
    boolean isNews = !before.last.equals(run);
    boolean isOther = !before.last.workload.equals(run.workload);
    return new Brief(
        before.count + (isOther ? 1 : 0),
        before.victims + (isNews ? victims : 0),
        run,
        now,
        before.until);
  }

  /// A pod of a workload ran for longer.
  void hasRun(Workload workload, int victims) {
    String namespace = workload.namespace();
    var before = namespaces.get(namespace);
    if (before == null || before.last.workload.equals(workload)) {
      return;
    }
    int left = Math.max(before.victims - victims, 0);
    var brief =
        new Brief(before.count - 1, left, new Run(workload, Instant.MIN), before.at, before.until);
    if (brief.count == 0) {
      namespaces.remove(namespace);
    } else {
      namespaces.replace(namespace, brief.isTooMuch() ? brief : brief.until(before.at));
    }
  }

  /// @return whether anything was forgotten
  boolean forgetUntil(Instant now) {
    boolean any = false;
    while (!namespaces.isEmpty()
        && !namespaces.firstEntry().getValue().at.plus(REMEMBERED).isAfter(now)) {
      namespaces.pollFirstEntry();
      any = true;
    }
    return any;
  }

  /// Adds pauses to those that there are for other reasons: the longer one counts.
  void addTo(Map<String, Backoff> pauses) {
    namespaces.forEach((namespace, brief) -> {
      if (brief.isTooMuch()) {
        var pause = new Backoff(namespace, brief.count, "", brief.until);
        pauses.merge(
            namespace, pause, (one, other) -> other.until().isAfter(one.until()) ? other : one);
      }
    });
  }
}
