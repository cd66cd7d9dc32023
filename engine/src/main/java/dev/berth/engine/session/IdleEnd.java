package dev.berth.engine.session;

import dev.berth.engine.model.IdleRules;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/// That the GPUs of a group do nothing, and when it leaves for that. It is told first, and has the
/// whole time of the warning from then on; what counts is since when its status, or its pods, say
/// that it will be evicted ([Idleness.Notice]). So it holds over restarts, and a group that cannot
/// be told is not evicted.
///
/// @param notice what it, or its pods, say of it
public record IdleEnd(Idleness idle, Idleness.Notice notice) {
  /// It is not idle.
  public static final IdleEnd NONE = new IdleEnd(Idleness.NONE, Idleness.Notice.NONE);

  /// Nothing was measured yet, and what is said of it stays ([Idleness#UNKNOWN]).
  public static final IdleEnd UNKNOWN = new IdleEnd(Idleness.UNKNOWN, Idleness.Notice.NONE);

  /// None where its queues have another rule by now, or where a GPU pod of it is younger than what
  /// was measured: the next measurement tells.
  ///
  /// @param queues a lookup by name
  public static IdleEnd of(Group group, Function<QueueName, Optional<Queue>> queues, Instant now) {
    var idle = group.group().spec().run().idle();
    boolean isSo =
        !idle.isNone()
            && group.root().runs()
            && IdleRules.in(group.group().queue(), queues).contains(idle.rule())
            && !hasYoung(group, now.minus(idle.rule().after()));
    if (!isSo) {
      return idle.equals(Idleness.UNKNOWN) ? UNKNOWN : NONE;
    }
    return new IdleEnd(idle, notice(group));
  }

  private static boolean hasYoung(Group group, Instant bound) {
    boolean isYoung = false;
    for (MemberState seat : group.seats()) {
      isYoung |=
          seat.runs()
              && seat.pod().asks().request().hasGpus()
              && seat.pod().life().started().isAfter(bound);
    }
    return isYoung;
  }

  /// Its status says it, or the last of its running pods to say so, where its object is not Berth's
  /// to write.
  private static Idleness.Notice notice(Group group) {
    return Idleness.Notice.of(
        group.group().spec().run().notice(),
        group.seats().stream()
            .filter(MemberState::runs)
            .map(seat -> seat.pod().written().words().idle()));
  }

  /// Whether a group that was to be evicted still is.
  public static boolean isToLeave(PodGroup group) {
    return group.spec().run().idle().rule().evicts();
  }

  public boolean isNone() {
    return idle.isNone();
  }

  /// Whether it says what it must before anything else happens.
  public boolean isTold() {
    return notice.isGiven() && notice.ofEviction() == idle.rule().evicts();
  }

  /// From when on it is evicted; `MAX` = never, or not before it is told.
  public Instant leavesAt() {
    return idle.rule().evicts() ? notice.dueAt(idle.rule().warning()) : Instant.MAX;
  }

  /// The same if it is told now at the latest.
  public Instant leavesAtIfTold(Instant now) {
    if (!idle.rule().evicts()) {
      return Instant.MAX;
    }
    return isTold() ? leavesAt() : now.plus(idle.rule().warning());
  }
}
