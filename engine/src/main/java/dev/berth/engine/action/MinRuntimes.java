package dev.berth.engine.action;

import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Which groups must wait before pods are evicted for them, and which are protected for a while.
///
/// Min-runtime protects a victim's core while it has run for less; surplus members may still go.
/// What started while a preemptor already waited for a min-runtime of its queue is protected from
/// it only until that wait has lasted as long: pods that take turns keep no room for ever.
///
/// A preemptor younger than its preemption delay, since its creation or its last eviction, takes no
/// victims, nor does one whose plans with victims came to nothing ([Backoffs]). When any ends, the
/// session looks again.
final class MinRuntimes {
  private MinRuntimes() {}

  /// Not with `preemptionPolicy: Never`, nor within its preemption delay or a back-off.
  static boolean mayTakeVictims(Session session, Group preemptor) {
    return preemptor.group().takesVictims()
        && (!isDelayed(preemptor) || isOver(session, delayedUntil(preemptor)))
        && backoff(session, preemptor).isEmpty();
  }

  /// Why no pod is evicted for a preemptor that otherwise [may take victims][#mayTakeVictims].
  static Reason delay(Session session, Group preemptor, NoRoom room) {
    return backoff(session, preemptor)
        .<Reason>map(backoff -> new Reason.EvictionBackoff(room, backoff))
        .orElseGet(() -> new Reason.PreemptionDelayed(room, delayedUntil(preemptor)));
  }

  private static Optional<Backoff> backoff(Session session, Group preemptor) {
    return session
        .snapshot()
        .backoffs()
        .evicting()
        .of(preemptor.group())
        .filter(backoff -> !isOver(session, backoff.until()));
  }

  private static boolean isDelayed(Group preemptor) {
    return !preemptor.group().spec().patience().preemptionDelay().isZero();
  }

  /// Whether it has waited for so long, since its creation or its last eviction.
  static boolean hasWaited(Session session, Group preemptor, Duration time) {
    return isOver(session, waitedFor(preemptor, time));
  }

  /// When it has.
  static Instant waitedFor(Group preemptor, Duration time) {
    return youngest(preemptor).plus(time);
  }

  private static Instant delayedUntil(Group preemptor) {
    return waitedFor(preemptor, preemptor.group().spec().patience().preemptionDelay());
  }

  /// When the youngest of the members that are to be placed next was created: an evicted pod comes
  /// back as a new pod.
  private static Instant youngest(Group preemptor) {
    var youngest = preemptor.group().created();
    for (MemberState seat : preemptor.next().map(PlacementStep::all).orElse(List.of())) {
      var created = seat.pod().created();
      youngest = created.isAfter(youngest) ? created : youngest;
    }
    return youngest;
  }

  /// By the `reclaimMinRuntime` of the child of the lowest common ancestor towards the victim, else
  /// of the first above it that says one.
  static boolean protectsFromReclaim(Session session, Group group, Group preemptor) {
    return protects(session, group, preemptor, reclaimMinRuntime(session, group, preemptor));
  }

  /// Whether any queue says a min-runtime.
  static boolean protectsAnyPod(Session session) {
    var queues = session.queues();
    for (int q = 0; q < queues.size(); q++) {
      var queue = queues.queue(q);
      if (!queue.reclaimMinRuntime().isZero() || !queue.preemptMinRuntime().isZero()) {
        return true;
      }
    }
    return false;
  }

  /// When it is no longer protected from reclaim; `MAX` = no min-runtime protects it, or it has not
  /// told since when it runs.
  static Instant endOfReclaimProtection(Session session, Group group, Group preemptor) {
    return end(session, group, preemptor, reclaimMinRuntime(session, group, preemptor));
  }

  private static Duration reclaimMinRuntime(Session session, Group group, Group preemptor) {
    int[] theirs = session.queues().chain(group.queue());
    int[] ours = session.queues().chain(preemptor.queue());
    int side = theirs.length - 1;
    for (int i = ours.length - 1; side > 0 && i > 0 && theirs[side] == ours[i]; i--) {
      side--;
    }
    return said(session, theirs, side, Queue::reclaimMinRuntime);
  }

  /// A relocated pod starts anew, so it is protected as from a preemptor that would take its room
  /// for good.
  static boolean protectsFromMove(Session session, Group group, Group preemptor) {
    return group.queue() == preemptor.queue()
        ? protectsFromPreempt(session, group, preemptor)
        : protectsFromReclaim(session, group, preemptor);
  }

  /// By the `preemptMinRuntime` of the victim's leaf, else of the first above it that says one.
  static boolean protectsFromPreempt(Session session, Group group, Group preemptor) {
    return protects(session, group, preemptor, preemptMinRuntime(session, group));
  }

  /// When it is no longer protected from preemption; `MAX` = no min-runtime protects it, or it has
  /// not told since when it runs.
  static Instant endOfPreemptProtection(Session session, Group group, Group preemptor) {
    return end(session, group, preemptor, preemptMinRuntime(session, group));
  }

  private static Instant end(Session session, Group group, Group preemptor, Duration minRuntime) {
    var since = since(session, group, preemptor);
    boolean isTold = since.isBefore(session.now()); // else it begins now, always
    return minRuntime.isZero() || !isTold ? Instant.MAX : since.plus(minRuntime);
  }

  private static Duration preemptMinRuntime(Session session, Group group) {
    int[] chain = session.queues().chain(group.queue());
    return said(session, chain, 0, Queue::preemptMinRuntime);
  }

  private static Duration said(
      Session session, int[] chain, int from, Function<Queue, Duration> minRuntime) {
    for (int i = from; i < chain.length; i++) {
      var said = minRuntime.apply(session.queues().queue(chain[i]));
      if (!said.isZero()) {
        return said;
      }
    }
    return Duration.ZERO;
  }

  /// A victim of this round is not protected, and its time has no end.
  private static boolean protects(
      Session session, Group group, Group preemptor, Duration minRuntime) {
    return !minRuntime.isZero()
        && group.root().isAnyPlaced()
        && !isOver(session, since(session, group, preemptor).plus(minRuntime));
  }

  /// Since when a min-runtime counts: since the group runs, or since the preemptor waits for one of
  /// its queue, if that is longer.
  private static Instant since(Session session, Group group, Group preemptor) {
    var runs = group.runsSince(session.now());
    var queue = session.queues().queue(group.queue()).name();
    var waits = session.snapshot().past().minRuntimeWaits().of(preemptor.key(), queue);
    if (!waits.isBefore(runs)) {
      return runs;
    }
    var own = youngest(preemptor); // what has not waited so long claims nothing by its group
    var claimed = waits.isBefore(own) ? own : waits;
    return claimed.isBefore(runs) ? claimed : runs;
  }

  private static boolean isOver(Session session, Instant end) {
    if (end.isAfter(session.now())) {
      session.looksAgain(end);
      return false;
    }
    return true;
  }
}
