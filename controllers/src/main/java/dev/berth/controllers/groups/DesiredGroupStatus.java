package dev.berth.controllers.groups;

import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.ForecastStatus;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.crd.PodGroupStatus.Members;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.WorkloadPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;

/// What the status of a PodGroup should say. A pure function.
final class DesiredGroupStatus {
  /// @param group as the snapshot shows it
  /// @param waits why it waits, in a code and a sentence; empty code = it does not
  /// @param fate what may end it
  /// @param grace of groups that say nothing: how long they may
  /// @param allocated what its members are charged with
  /// @param before the last status: times of its conditions stay where nothing turned, and so does
  ///   its forecast while the group may start
  /// @param now to the second, as times of conditions are
  static PodGroupStatus status(
      PodGroup group,
      ReasonText waits,
      Fate fate,
      Duration grace,
      SortedMap<String, String> allocated,
      PodGroupStatus before,
      Instant now) {
    var since = fate.staleSince();
    var counts = MemberCounts.of(group);
    var members =
        new Members(
            group.spec().required(),
            counts.gated(),
            counts.bound(),
            counts.running(),
            counts.failed(),
            counts.succeededOf(group));
    boolean isWaiting = !waits.code().isEmpty();
    var phase = WorkloadPhase.of(group, counts, !since.equals(Instant.EPOCH), isWaiting);
    boolean scheduled =
        phase == WorkloadPhase.STARTING
            || phase == WorkloadPhase.RUNNING
            || phase == WorkloadPhase.FINISHED;
    boolean lost = phase == WorkloadPhase.QUEUED && !isWaiting;
    boolean isExcused = counts.failed() == 0 && since.equals(Instant.EPOCH);
    String below =
        lost && isExcused
            ? BelowMinimum.forNow(group, members, counts)
            : BelowMinimum.sentence(group, members, BelowMinimum.end(group, since, grace));
    boolean hasNone = phase == WorkloadPhase.PENDING && !isWaiting && PendingMembers.areNone(group);
    String code = lost ? BelowMinimum.CODE : hasNone ? PendingMembers.NONE : waits.code();
    String sentence =
        lost ? below : hasNone ? PendingMembers.sentence(group, before) : waits.sentence();
    var conditions = new ArrayList<Condition>();
    conditions.addAll(
        List.of(
            Condition.of(
                before.conditions(),
                "Scheduled",
                scheduled,
                scheduled ? "Scheduled" : orQueued(code),
                scheduled ? "" : sentence,
                now),
            phase == WorkloadPhase.FINISHED && BelowMinimum.isEnd(before.conditions())
                ? Condition.of(
                    before.conditions(),
                    BelowMinimum.STALE,
                    false,
                    BelowMinimum.ENDED,
                    BelowMinimum.ended(group, grace),
                    now)
                : Condition.of(
                    before.conditions(),
                    BelowMinimum.STALE,
                    !since.equals(Instant.EPOCH),
                    since.equals(Instant.EPOCH)
                        ? notStale(scheduled, counts.bound())
                        : BelowMinimum.CODE,
                    since.equals(Instant.EPOCH) ? "" : below,
                    now)));
    EndsSoon.condition(before.conditions(), fate.ending(), now).ifPresent(conditions::add);
    IdleNotices.condition(before.conditions(), fate.idle(), now).ifPresent(conditions::add);
    return new PodGroupStatus(
        phase,
        code,
        sentence,
        since,
        group.spec().run().since(),
        group.spec().generation(),
        allocated,
        members,
        isToStart(phase, members, waits) ? before.forecast() : ForecastStatus.NONE,
        conditions);
  }

  /// Whether a group can have a forecast: no member is bound, and nothing must be changed first.
  ///
  /// @param waits why it waits
  static boolean isToStart(WorkloadPhase phase, Members members, ReasonText waits) {
    boolean isBefore = phase == WorkloadPhase.QUEUED || phase == WorkloadPhase.PLANNED;
    return isBefore && members.bound() == 0 && waits.startsByItself();
  }

  /// Why a group is not stale: it has its minimum, none of it runs, or it is below its minimum and
  /// that does not count, as one of its members has completed.
  private static String notStale(boolean scheduled, int bound) {
    if (scheduled) {
      return "AtMinimum";
    }
    return bound == 0 ? "NotRunning" : "NotStale";
  }

  /// A reason made ready to be read.
  ///
  /// @param warning false = it starts by itself, as usual
  /// @param subject what must change, without numbers; empty = numbers alone
  /// @param startsByItself whether nothing has to be changed first
  record ReasonText(
      String code, String sentence, boolean warning, String subject, boolean startsByItself) {
    static final ReasonText NONE = new ReasonText("", "", false, "", true);

    static ReasonText of(PendingReason why, Function<Reason, String> sentences) {
      return new ReasonText(
          why.code(),
          why.words(sentences),
          why.isWarning(),
          ReasonSubject.of(why.reason()),
          why.reason().startsByItself());
    }
  }

  private static String orQueued(String code) {
    return code.isEmpty() ? "Queued" : code;
  }

  private DesiredGroupStatus() {}
}
