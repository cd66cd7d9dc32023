package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;

/// What a log shows of one task, snapshot by snapshot.
final class TaskTrace {
  /// A pod that is gone so long after it was asked to leave did not leave for that.
  private static final Duration LEAVING = Duration.ofMinutes(10);

  private final Instant arrived;
  private final Placement first;
  private final Instant since; // of what ran from the beginning
  private Pod offered;
  private boolean ranOnce; // what it asks for is no longer taken from pods that wait
  private Instant started = Instant.MAX; // the pod of now
  private Instant firstStarted = Instant.MAX; // the first pod that was
  private Instant planned = Instant.MAX; // the last moment at which it had a plan and did not run
  private Instant seen = Instant.MIN;
  private Instant asked = Instant.MAX;
  private Instant ended = Instant.MAX;
  private Ending ending = Ending.GONE;
  private boolean interrupted;

  /// @param begins whether this is the first snapshot of the log
  TaskTrace(Member member, Instant now, boolean begins) {
    offered = member.pod();
    arrived = now;
    first = begins && runs(member) ? member.standing().placement() : Placement.NONE;
    since = first.isNone() ? Instant.MAX : began(member.pod(), now);
    sees(member, now);
    started = first.isNone() ? started : since;
    firstStarted = started;
  }

  private static boolean runs(Member member) {
    return member.standing() instanceof Standing.Bound
        || member.standing() instanceof Standing.Leaving;
  }

  private static Instant began(Pod pod, Instant now) {
    return pod.life().started().isBefore(now) ? pod.life().started() : now;
  }

  /// A pod that comes in the stead of one that was interrupted.
  void continues(Member member, Instant now) {
    started = Instant.MAX;
    planned = Instant.MAX;
    asked = Instant.MAX;
    ended = Instant.MAX;
    interrupted = false;
    sees(member, now);
  }

  void sees(Member member, Instant now) {
    switch (member.standing()) {
      case Standing.Waiting() -> {
        offered = ranOnce ? offered : member.pod();
        planned = Instant.MAX; // what was planned came to nothing
      }
      case Standing.Planned _ -> planned = now;
      case Standing.Awaited _ -> {}
      case Standing.Bound _, Standing.Leaving _ -> runs(member.pod().life().started(), now);
      case Standing.Over(boolean well) -> {
        runs(member.pod().life().started(), now);
        ends(now, well ? Ending.SUCCEEDED : Ending.FAILED);
      }
    }
    seen = now;
  }

  /// @param told when it started, as its status says; `MAX` = it does not
  private void runs(Instant told, Instant now) {
    if (!started.equals(Instant.MAX)) {
      return;
    }
    ranOnce = true;
    boolean isTold = told.isAfter(seen) && !told.isAfter(now);
    Instant atFirst = planned.equals(Instant.MAX) ? now : planned;
    started = isTold ? told : atFirst;
    firstStarted = firstStarted.equals(Instant.MAX) ? started : firstStarted;
  }

  /// A plan gave it a place.
  void planned(Instant now) {
    planned = now;
  }

  /// A plan asked it to leave.
  void asked(Instant now) {
    asked = now;
  }

  /// Its node is gone.
  void lost(Instant now) {
    ends(now, Ending.GONE);
    interrupted = !started.equals(Instant.MAX);
  }

  void ends(Instant now, Ending how) {
    if (!ended.equals(Instant.MAX)) {
      return;
    }
    if (started.equals(Instant.MAX) && !planned.equals(Instant.MAX)) {
      runs(Instant.MAX, now); // it came and went between two snapshots
    }
    ended = now;
    ending = how;
    interrupted = how != Ending.SUCCEEDED && wasAsked(now);
  }

  private boolean wasAsked(Instant now) {
    var latest = offered.asks().manners().grace().plus(LEAVING);
    return !asked.equals(Instant.MAX) && (!seen.isAfter(asked) || !now.isAfter(asked.plus(latest)));
  }

  /// Whether a pod that comes now may come in the stead of this one.
  boolean isFollowed(Instant now) {
    return ended.equals(Instant.MAX) ? wasAsked(now) : interrupted;
  }

  boolean isFirst() {
    return !first.isNone();
  }

  /// When the first of its pods did; `MAX` = none has.
  Instant started() {
    return firstStarted;
  }

  Pod offered() {
    return offered;
  }

  LoggedTask task() {
    boolean ran = !started.equals(Instant.MAX);
    boolean wasDone = !ended.equals(Instant.MAX) && !interrupted;
    return new LoggedTask(
        offered,
        arrived,
        first,
        since,
        wasDone && ran ? Duration.between(started, ended) : LoggedTask.UNKNOWN,
        ending,
        wasDone && !ran ? ended : Instant.MAX);
  }
}
