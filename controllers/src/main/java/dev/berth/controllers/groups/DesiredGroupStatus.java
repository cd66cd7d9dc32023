package dev.berth.controllers.groups;

import dev.berth.controllers.crd.Condition;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.controllers.crd.PodGroupStatus.Members;
import dev.berth.controllers.crd.PodGroupStatus.Phase;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;

/// What the status of a PodGroup should say. A pure function.
final class DesiredGroupStatus {
  /// @param group as the snapshot shows it
  /// @param waits why it waits, in a code and a sentence; empty code = it does not
  /// @param since when the group fell below its minimum; `EPOCH` = it has not
  /// @param grace of groups that say nothing: how long they may
  /// @param allocated what its members are charged with
  /// @param before the conditions of the last status, whose times stay where nothing turned
  /// @param now to the second, as times of conditions are
  static PodGroupStatus status(
      PodGroup group,
      Words waits,
      Instant since,
      Duration grace,
      SortedMap<String, String> allocated,
      List<Condition> before,
      Instant now) {
    int gated = 0;
    int planned = 0;
    int bound = 0;
    int running = 0;
    int failed = 0;
    int succeeded = 0;
    for (var member : group.members()) {
      Pod pod = member.pod();
      switch (member.standing()) {
        case Standing.Waiting() -> gated += pod.isGated() ? 1 : 0;
        case Standing.Planned(_, boolean released) -> {
          planned++;
          gated += released ? 0 : 1;
        }
        case Standing.Bound _ -> {
          bound++;
          running += pod.life().phase() == Pod.Phase.RUNNING ? 1 : 0;
        }
        case Standing.Leaving _ -> bound++;
        case Standing.Awaited _ -> {}
        case Standing.Over(boolean ok) -> {
          succeeded += ok ? 1 : 0;
          failed += ok ? 0 : 1;
        }
      }
    }
    int required = group.spec().required();
    var completions = group.spec().completions();
    int ended =
        completions.isNone()
            ? Math.max(succeeded, group.spec().run().completed())
            : Math.max(succeeded, completions.told());
    var members = new Members(required, gated, bound, running, failed, ended);
    boolean finished =
        succeeded + failed == group.members().size()
            && (completions.isNone() || completions.isDone());
    int counted = completions.isNone() ? ended : bound > 0 ? completions.coming() : 0;
    Phase phase =
        finished && !group.members().isEmpty()
            ? Phase.FINISHED
            : phase(group, !since.equals(Instant.EPOCH), planned, bound, running, counted, waits);
    boolean scheduled =
        phase == Phase.STARTING || phase == Phase.RUNNING || phase == Phase.FINISHED;
    boolean lost =
        phase == Phase.QUEUED
            && waits.code().isEmpty()
            && (failed > 0 || !since.equals(Instant.EPOCH));
    String below = BelowMinimum.sentence(group, members, BelowMinimum.end(group, since, grace));
    var conditions =
        List.of(
            Condition.of(
                before,
                "Scheduled",
                scheduled,
                scheduled ? "Scheduled" : lost ? BelowMinimum.CODE : orQueued(waits.code()),
                scheduled ? "" : lost ? below : waits.sentence(),
                now),
            Condition.of(
                before,
                "Stale",
                !since.equals(Instant.EPOCH),
                since.equals(Instant.EPOCH) ? notStale(scheduled, bound) : BelowMinimum.CODE,
                since.equals(Instant.EPOCH) ? "" : below,
                now));
    return new PodGroupStatus(
        phase,
        lost ? BelowMinimum.CODE : waits.code(),
        lost ? below : waits.sentence(),
        since,
        group.spec().run().since(),
        group.spec().generation(),
        allocated,
        members,
        conditions);
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
  record Words(String code, String sentence, boolean warning, String subject) {
    static final Words NONE = new Words("", "", false, "");

    static Words of(PendingReason why, Function<Reason, String> sentences) {
      return new Words(
          why.code(), why.words(sentences), why.isWarning(), ReasonSubject.of(why.reason()));
    }
  }

  /// @param stale what runs of it is below its minimum, which in a tree numbers alone do not tell
  /// @param succeeded members that count towards the minimum
  private static Phase phase(
      PodGroup group,
      boolean stale,
      int planned,
      int bound,
      int running,
      int succeeded,
      Words waits) {
    if (group.members().isEmpty()) {
      return Phase.PENDING;
    }
    int needed = Math.max(1, group.spec().required());
    if (!stale && running + succeeded >= needed) {
      return Phase.RUNNING;
    }
    if (!stale && bound + succeeded >= needed) {
      return Phase.STARTING;
    }
    if (planned > 0) {
      return Phase.PLANNED;
    }
    return waits.code().isEmpty() && bound == 0 ? Phase.PENDING : Phase.QUEUED;
  }

  private static String orQueued(String code) {
    return code.isEmpty() ? "Queued" : code;
  }

  private DesiredGroupStatus() {}
}
