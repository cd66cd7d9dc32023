package dev.berth.controllers.holders;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.EventRecorder.Regarding;
import dev.berth.controllers.client.PodClient;
import dev.berth.engine.ledger.view.LostShare;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.Locale;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deletes the pod of a share that lost its GPU, once, and tells why by an event on the pod. Any
/// thread.
public final class ShareTermination {
  private static final Logger LOG = LoggerFactory.getLogger(ShareTermination.class);

  private final PodClient pods;
  private final EventRecorder events;
  private final Metrics metrics;
  private final Duration longestGrace;

  /// Shares that were stopped. Guarded by this.
  private final TreeSet<PodUid> stopped = new TreeSet<>();

  /// @param longestGrace a pod with a longer termination grace gets this one
  public ShareTermination(
      PodClient pods, EventRecorder events, Metrics metrics, Duration longestGrace) {
    this.pods = pods;
    this.events = events;
    this.metrics = metrics;
    this.longestGrace = longestGrace;
  }

  synchronized boolean isStopped(PodUid uid) {
    return stopped.contains(uid);
  }

  void stop(LostShare share) throws ClientException {
    Pod pod = share.pod();
    Duration own = pod.asks().manners().grace();
    Duration grace = own.compareTo(longestGrace) < 0 ? own : longestGrace;
    pods.stop(pod.key(), pod.uid(), grace);
    synchronized (this) {
      stopped.add(pod.uid());
    }
    metrics.shareStopped();
    String why = why(share);
    LOG.atWarn()
        .addKeyValue("pod", pod.key())
        .addKeyValue("gpu", share.device())
        .addKeyValue("slot", share.slot())
        .log("share is stopped: " + why);
    events.tell(
        new Regarding("v1", "Pod", pod.key().namespace(), pod.key().name(), pod.uid().value()),
        true,
        "DeviceLost",
        "Stop",
        why);
  }

  private static String why(LostShare share) {
    String what =
        share.takenBy().isPresent()
            ? "the kubelet gave it to pod " + share.takenBy().get()
            : share.heldNow().isEmpty()
                ? "no holder holds it"
                : "its holder got " + share.heldNow();
    return String.format(
        Locale.ROOT,
        "Stopped: GPU %s of node %s is not kept for it any more (%s), so another pod may use it."
            + " %s",
        share.device(),
        share.slot().node(),
        what,
        share.pod().belonging().owner().isNone()
            ? "It has no owner that creates it anew: create it again."
            : "Its owner creates it anew.");
  }
}
