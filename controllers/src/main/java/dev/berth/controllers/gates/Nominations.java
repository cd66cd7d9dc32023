package dev.berth.controllers.gates;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Pods;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes a nomination off when the plan that it was written for is no more: kube-scheduler keeps
/// the room of nominated pods, gated ones included, and would refuse whoever is planned there next.
///
/// Known are those that we wrote, and from the watch those on gated pods, which a process before us
/// wrote: on a pod without a gate it may be kube-scheduler's own.
final class Nominations {
  private static final Logger LOG = LoggerFactory.getLogger(Nominations.class);
  private static final Duration FIRST_RETRY = Duration.ofMillis(200);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(5);

  /// @param node as it was written last, as far as we know
  private record Made(PodUid uid, PodKey pod, NodeName node) {}

  private final Ledger ledger;
  private final Pods pods;
  private final Workers workers;
  private final Map<PodUid, Made> made = new LinkedHashMap<>(); // guarded by this

  Nominations(Ledger ledger, Pods pods, Workers workers) {
    this.ledger = ledger;
    this.pods = pods;
    this.workers = workers;
  }

  /// Stands on the pod, or may.
  synchronized void made(PodKey pod, PodUid uid, NodeName node) {
    made.put(uid, new Made(uid, pod, node));
  }

  synchronized boolean areNone() {
    return made.isEmpty();
  }

  /// Looks which are in vain, and takes them off.
  void look() {
    var inVain = new ArrayList<Made>();
    synchronized (this) {
      for (var each : List.copyOf(made.values())) {
        switch (ledger.standing(each.uid()).orElse(new Standing.Over(false))) {
          case Standing.Planned(var plan, _) when plan.placement().node().equals(each.node()) -> {}
          case Standing.Planned _, Standing.Waiting _ -> {
            made.remove(each.uid());
            inVain.add(each);
          }
          case Standing.Bound _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ ->
              made.remove(each.uid());
        }
      }
    }
    inVain.forEach(each -> workers.run(() -> takeOff(each, FIRST_RETRY)));
  }

  private void takeOff(Made each, Duration retry) {
    synchronized (this) {
      if (made.containsKey(each.uid())) {
        return; // it was nominated again meanwhile
      }
    }
    try {
      pods.nominate(each.pod(), each.uid(), NodeName.NONE);
    } catch (DoorException failed) {
      if (failed.isPassing() || failed.kind() == DoorException.Kind.CONFLICT) {
        var doubled = retry.multipliedBy(2);
        var next = doubled.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : doubled;
        workers.at(workers.time().instant().plus(retry), () -> takeOff(each, next));
      } else if (failed.kind() == DoorException.Kind.REFUSED) {
        LOG.atWarn()
            .addKeyValue("pod", each.pod())
            .addKeyValue("why", failed.getMessage())
            .log("nomination not taken off");
      }
    }
  }
}
