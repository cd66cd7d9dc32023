package dev.berth.controllers.groups;

import dev.berth.controllers.client.PodWarning;
import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.explain.IdleSentences;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Idleness.Notice;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.session.IdleEnd;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Tells groups that their GPUs do nothing, and when they are evicted for that: an event on the
/// PodGroup and on each pod that runs, and the condition `Idle` of the PodGroup; where no PodGroup
/// can say it, or does not in time ([NotedGroups]), `berth.dev/Idle` of its pods. The time of the
/// condition is what the planner counts the warning from, also after a restart.
///
/// Any thread.
final class IdleNotices {
  private final Announcer announcer;
  private final NotedGroups<IdleEnd> noted;

  IdleNotices(Announcer announcer, Workers workers) {
    this.announcer = announcer;
    this.noted = new NotedGroups<>(announcer, workers, IdleEnd::isTold, this::podsSay);
  }

  /// A group as the last cycle found it.
  ///
  /// @param end of a group that is idle, else [IdleEnd#NONE]
  /// @param saysIt whether its PodGroup says it, so that its pods need not
  void look(PodGroup group, IdleEnd end, boolean saysIt, Instant now) {
    if (end.equals(IdleEnd.UNKNOWN)) {
      return;
    }
    boolean isLate = noted.look(group, end);
    if (end.isNone()) {
      noted.gone(group.key());
    } else if (end.isTold()) {
      noted.said(group.key());
    } else {
      boolean isWarning = end.idle().rule().evicts();
      var words = new Announcer.Notice(reason(end), "Measure", isWarning, sentence(end, now));
      noted.tell(group, end, words, now);
    }
    if (!saysIt || isLate || end.isNone()) {
      podsSay(group, end, now);
    }
  }

  private void podsSay(PodGroup group, IdleEnd end, Instant now) {
    Announcer.running(group).forEach(pod -> tell(pod, end, now));
  }

  private void tell(Pod pod, IdleEnd end, Instant now) {
    var notice = pod.written().words().idle();
    if (end.isNone()) {
      if (notice.isGiven()) {
        announcer.write(pod, new PodWarning(Notice.POD_CONDITION, false, Notice.BUSY, now, ""));
      }
    } else if (!notice.isGiven() || notice.ofEviction() != end.idle().rule().evicts()) {
      var since = end.isTold() ? end.notice().since() : now; // a pod that came later says it, too
      announcer.write(
          pod,
          new PodWarning(Notice.POD_CONDITION, true, reason(end), since, sentence(end, since)));
    }
  }

  void gone(GroupKey group) {
    noted.gone(group);
  }

  /// The condition of a PodGroup; empty where it is not idle, and never was.
  ///
  /// @param before the conditions of its last status
  /// @param now to the second
  static Optional<Condition> condition(List<Condition> before, IdleEnd end, Instant now) {
    var last = before.stream().filter(each -> each.type().equals(Notice.CONDITION)).findFirst();
    if (end.equals(IdleEnd.UNKNOWN)) {
      return last;
    }
    if (end.isNone()) {
      return last.map(_ -> Condition.of(before, Notice.CONDITION, false, Notice.BUSY, "", now));
    }
    var since = since(last, end, now);
    return Optional.of(
        new Condition(Notice.CONDITION, true, reason(end), sentence(end, since), since));
  }

  /// The object may have been made anew since it was told, or its condition not come back yet. One
  /// that was only reported is told anew that it is evicted.
  private static Instant since(Optional<Condition> last, IdleEnd end, Instant now) {
    return end.isTold()
        ? end.notice().since()
        : last.filter(each -> each.status() && each.reason().equals(reason(end)))
            .map(Condition::lastTransition)
            .orElse(now);
  }

  private static String reason(IdleEnd end) {
    return end.idle().rule().evicts() ? Notice.EVICTED : Notice.REPORTED;
  }

  private static String sentence(IdleEnd end, Instant told) {
    return IdleSentences.of(end, told);
  }
}
