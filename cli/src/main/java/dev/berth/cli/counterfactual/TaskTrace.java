package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// What a log shows of one task, snapshot by snapshot.
///
/// Objects tell their moments to the second: when a pod was created, began to run, ended. Such a
/// moment counts where it lies between two snapshots of which the first does not show the change
/// and the second does; else the second is the moment.
final class TaskTrace {
  /// A pod that is gone so long after it was asked to leave did not leave for that; one that is
  /// created so long after another was deleted does not come in its stead.
  private static final Duration LEAVING = Duration.ofMinutes(10);

  private final Instant arrived;
  private final Placement first;
  private final Instant since; // of what ran from the beginning
  private Pod offered;
  private boolean ranOnce; // what it asks for is no longer taken from pods that wait
  private Instant started = Instant.MAX; // the pod of now
  private Placement at = Placement.NONE; // the pod of now
  private Instant firstStarted = Instant.MAX; // the first pod that was
  private Instant planned = Instant.MAX; // the last moment at which it had a plan and did not run
  private Instant seen = Instant.MIN;
  private Instant asked = Instant.MAX;
  private Instant ended = Instant.MAX;
  private Ending ending = Ending.GONE;
  private boolean interrupted;
  private boolean isDeleted; // while it ran, as it was seen last
  private int interruptions; // of the pods before the one of now
  private double gpuMillisBefore; // of these

  /// @param before when the snapshot before was taken, which does not show it
  /// @param begins whether this is the first snapshot of the log
  TaskTrace(Member member, Instant before, Instant now, boolean begins) {
    offered = member.pod();
    first = begins && runs(member) ? member.standing().placement() : Placement.NONE;
    since = first.isNone() ? Instant.MAX : began(member.pod(), now);
    seen = begins ? Instant.MIN : before;
    var created = begins ? Instant.MAX : between(before, member.pod().created(), now);
    sees(member, now);
    started = first.isNone() ? started : since;
    firstStarted = started;
    var came = created.equals(Instant.MAX) ? now : created;
    arrived = first.isNone() && started.isBefore(came) ? started : came;
  }

  private static boolean runs(Member member) {
    return member.standing() instanceof Standing.Bound
        || member.standing() instanceof Standing.Leaving;
  }

  private static boolean isDeleted(Pod pod) {
    return pod.life().leaving() || pod.life().runsOn();
  }

  private static Instant began(Pod pod, Instant now) {
    return pod.life().started().isBefore(now) ? pod.life().started() : now;
  }

  /// A moment that an object tells to the second.
  ///
  /// @return not before `before`; `MAX` = it does not lie between the two
  private static Instant between(Instant before, Instant told, Instant now) {
    if (told.isAfter(now)
        || !before.equals(Instant.MIN) && told.isBefore(before.truncatedTo(ChronoUnit.SECONDS))) {
      return Instant.MAX;
    }
    return told.isBefore(before) ? before : told;
  }

  /// A pod that comes in the stead of one that was interrupted.
  void continues(Member member, Instant now) {
    gpuMillisBefore += gpuMillis(now);
    interruptions++;
    started = Instant.MAX;
    at = Placement.NONE;
    planned = Instant.MAX;
    asked = Instant.MAX;
    ended = Instant.MAX;
    interrupted = false;
    isDeleted = false;
    sees(member, now);
  }

  void sees(Member member, Instant now) {
    var pod = member.pod();
    switch (member.standing()) {
      case Standing.Waiting() -> {
        offered = ranOnce ? offered : pod;
        planned = Instant.MAX; // what was planned came to nothing
      }
      case Standing.Planned _ -> planned = now;
      case Standing.Awaited _ -> {}
      case Standing.Bound _, Standing.Leaving _ -> {
        at = member.standing().placement();
        runs(pod.life().started(), now);
        isDeleted = isDeleted(pod);
      }
      case Standing.Over(boolean well) -> {
        runs(pod.life().started(), now);
        isDeleted = !well && isDeleted(pod);
        ends(
            between(seen, pod.life().finished(), now),
            now,
            well ? Ending.SUCCEEDED : Ending.FAILED);
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
    var then = between(seen, told, now);
    var atFirst = planned.equals(Instant.MAX) ? now : planned;
    started = then.equals(Instant.MAX) ? atFirst : then;
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
    gone(now);
    interrupted = !started.equals(Instant.MAX);
  }

  /// It is there no more.
  void gone(Instant now) {
    ends(Instant.MAX, now, Ending.GONE);
  }

  /// @param told when it ended, as its status says; `MAX` = it does not
  private void ends(Instant told, Instant now, Ending how) {
    if (!ended.equals(Instant.MAX)) {
      return;
    }
    if (started.equals(Instant.MAX) && !planned.equals(Instant.MAX)) {
      runs(Instant.MAX, now); // it came and went between two snapshots
    }
    boolean isTold = !told.equals(Instant.MAX) && (!ran() || !told.isBefore(started));
    ended = isTold ? told : now;
    ending = how;
    interrupted = how != Ending.SUCCEEDED && wasAsked(now);
  }

  private boolean ran() {
    return !started.equals(Instant.MAX);
  }

  private boolean wasAsked(Instant now) {
    var latest = offered.asks().manners().grace().plus(LEAVING);
    return !asked.equals(Instant.MAX) && (!seen.isAfter(asked) || !now.isAfter(asked.plus(latest)));
  }

  /// Whether it was deleted while it ran. If its owner makes another pod then, it was evicted: by
  /// another scheduler, or by a drain of its node.
  boolean isDeleted() {
    return isDeleted;
  }

  /// Whether a pod that comes now may come in the stead of this one.
  ///
  /// @param created when that was created
  boolean isFollowed(Instant now, Instant created) {
    if (isDeleted && ran()) {
      var latest = ended.equals(Instant.MAX) ? now : ended.plus(LEAVING);
      return !created.isBefore(started) && !created.isAfter(latest);
    }
    return ended.equals(Instant.MAX) ? wasAsked(now) : interrupted;
  }

  boolean isFirst() {
    return !first.isNone();
  }

  Instant arrived() {
    return arrived;
  }

  /// When the first of its pods did; `MAX` = none has.
  Instant started() {
    return firstStarted;
  }

  Pod offered() {
    return offered;
  }

  /// Thousandths of GPUs × milliseconds that the pod of now has had since the log began.
  private double gpuMillis(Instant end) {
    if (!ran()) {
      return 0;
    }
    var from = started.isBefore(arrived) ? arrived : started;
    var to = ended.isBefore(end) ? ended : end;
    return to.isAfter(from) ? (double) gpuMillis() * Duration.between(from, to).toMillis() : 0;
  }

  /// The place of a share that another scheduler gave names no device.
  private long gpuMillis() {
    var devices = offered.asks().request().devices();
    return devices instanceof DeviceRequest.Fraction(int millis, _, int count)
        ? (long) millis * count
        : devices.millisAt(at);
  }

  /// @param end of the log
  LoggedTask task(Instant end) {
    boolean wasDone = !ended.equals(Instant.MAX) && !interrupted;
    return new LoggedTask(
        offered,
        arrived,
        first,
        since,
        wasDone && ran() ? Duration.between(started, ended) : LoggedTask.UNKNOWN,
        ending,
        wasDone && !ran() ? ended : Instant.MAX,
        new LoggedTask.Observed(
            firstStarted,
            interruptions,
            gpuMillisBefore + gpuMillis(end),
            ran() && ended.equals(Instant.MAX)));
  }
}
