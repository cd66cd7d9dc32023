package dev.berth.controllers.requeue;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.RequeueClient;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Requeues ungated pods that the extender rejected and that fit by now.
///
/// kube-scheduler retries a rejected pod at an event of the cluster, and may then call `filter`
/// before Berth's watch shows that event. The pod is rejected once more, and on a quiet cluster
/// nothing makes kube-scheduler retry it for five minutes.
///
/// After a change of the ledger or of a rejected pod, at most once a [#PAUSE], it looks at rejected
/// pods in turn, as many as [#JUDGED_NODES] allows, and requeues those that a node would take. A
/// pod that stays unschedulable is requeued at growing intervals, from [#FIRST_INTERVAL] to
/// [#LONGEST_INTERVAL]. Any thread.
public final class Requeuer {
  private static final Logger LOG = LoggerFactory.getLogger(Requeuer.class);

  /// The reason of a rejection by the extender begins so.
  private static final String REJECTED_BY_EXTENDER = "berth: ";

  /// From a change to the look at it: kube-scheduler's own watch is faster than that.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final Duration FIRST_INTERVAL = Duration.ofSeconds(5);
  private static final Duration LONGEST_INTERVAL = Duration.ofMinutes(5);
  private static final Backoff INTERVALS = new Backoff(FIRST_INTERVAL, LONGEST_INTERVAL);

  /// Nodes judged in one look, over all pods: some 4 ms.
  private static final int JUDGED_NODES = 2_000;

  /// The engine's answer for a pod that the planner leaves to `filter`.
  public interface Placeable {
    /// Whether `filter` leaves the pod to the engine: ungated, without a plan, a group of one.
    boolean isUngated(Pod pod);

    /// Whether one of these nodes would take the pod now.
    boolean fits(Snapshot snapshot, Pod pod, List<NodeName> nodes);
  }

  /// @param judged number of the change after which it was judged last
  /// @param notBefore when it may be requeued
  /// @param interval from the next time to the one after it
  private record Rejected(Pod pod, long judged, Instant notBefore, Duration interval) {}

  private final LedgerReader ledger;
  private final Placeable placeable;
  private final RequeueClient requeues;
  private final Workers workers;

  // All below: guarded by this.
  private final LinkedHashMap<PodUid, Rejected> rejected = new LinkedHashMap<>(); // next one first
  private long changes; // of the ledger, as far as they were noticed
  private Instant nextLook = Instant.MAX;
  private boolean stopped;

  public Requeuer(
      LedgerReader ledger, Placeable placeable, RequeueClient requeues, Workers workers) {
    this.ledger = ledger;
    this.placeable = placeable;
    this.requeues = requeues;
    this.workers = workers;
  }

  /// The watch shows a pod, and the ledger has it.
  public synchronized void seen(Pod pod) {
    boolean isRejected =
        pod.life().refusal().contains(REJECTED_BY_EXTENDER)
            && !pod.isBound()
            && !pod.life().leaving()
            && placeable.isUngated(pod);
    if (!isRejected) {
      rejected.remove(pod.uid());
      return;
    }
    rejected.compute(
        pod.uid(),
        (_, before) ->
            before == null
                ? new Rejected(pod, changes, workers.time().instant(), FIRST_INTERVAL)
                : new Rejected(pod, before.judged, before.notBefore, before.interval));
    changed();
  }

  public synchronized void gone(PodUid pod) {
    rejected.remove(pod);
  }

  /// The ledger has changed. Returns at once.
  public synchronized void changed() {
    changes++;
    if (!rejected.isEmpty()) {
      lookAt(workers.time().instant().plus(PAUSE));
    }
  }

  /// Requeues no pod any more.
  public synchronized void stop() {
    stopped = true;
  }

  private void look() {
    var now = workers.time().instant();
    synchronized (this) {
      if (nextLook.isAfter(now)) {
        return; // an earlier look came in between
      }
      nextLook = Instant.MAX;
      if (stopped || rejected.isEmpty()) {
        return;
      }
    }
    var snapshot = ledger.snapshot(now);
    var nodes = new ArrayList<NodeName>();
    snapshot.nodes().forEach(node -> nodes.add(node.node().name()));
    for (Pod pod : next(now, Math.max(1, JUDGED_NODES / Math.max(1, nodes.size())))) {
      if (placeable.fits(snapshot, pod, nodes)) {
        postpone(pod, now);
        workers.run(() -> requeue(pod, now));
      }
    }
  }

  private void lookAt(Instant when) { // guarded by this
    if (when.isBefore(nextLook) && !stopped) {
      nextLook = when;
      workers.at(when, this::look);
    }
  }

  /// The next pods that were not judged since the last change; they go to the end of the line.
  private synchronized List<Pod> next(Instant now, int most) {
    var next = new ArrayList<Rejected>();
    Instant later = Instant.MAX;
    for (Rejected each : rejected.values()) {
      if (each.judged == changes) {
        continue;
      }
      if (each.notBefore.isAfter(now)) {
        later = later.isBefore(each.notBefore) ? later : each.notBefore;
      } else if (next.size() < most) {
        next.add(each);
      } else {
        later = now;
      }
    }
    for (Rejected each : next) {
      rejected.putLast(
          each.pod.uid(), new Rejected(each.pod, changes, each.notBefore, each.interval));
    }
    if (later.isBefore(Instant.MAX)) {
      var soonest = now.plus(PAUSE);
      lookAt(later.isBefore(soonest) ? soonest : later);
    }
    return next.stream().map(Rejected::pod).toList();
  }

  private synchronized void postpone(Pod pod, Instant now) {
    rejected.computeIfPresent(
        pod.uid(),
        (_, each) ->
            new Rejected(
                each.pod, each.judged, now.plus(each.interval), INTERVALS.next(each.interval)));
  }

  private void requeue(Pod pod, Instant now) {
    try {
      requeues.requeue(pod.key(), pod.uid(), now);
      LOG.atInfo().addKeyValue("pod", pod.key()).log("requeued: a node has room by now");
    } catch (ClientException failed) { // the next interval tries again
      LOG.atWarn()
          .addKeyValue("pod", pod.key())
          .addKeyValue("cause", failed.getMessage())
          .log("could not requeue an ungated pod");
    }
  }
}
