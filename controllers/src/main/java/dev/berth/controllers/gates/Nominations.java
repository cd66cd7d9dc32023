package dev.berth.controllers.gates;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes nominations, and takes one off when the plan that it was written for is no more:
/// kube-scheduler keeps the room of nominated pods, gated ones included, and would refuse the pod
/// that is planned there next.
///
/// Known are those that Berth wrote, and from the watch those on pods with a gate, which a process
/// before this process wrote: on a pod without a gate it may be kube-scheduler's own. One write of
/// a pod is under way at a time, so that what was wished last is what stands; a few are taken off
/// at once.
final class Nominations {
  private static final Logger LOG = LoggerFactory.getLogger(Nominations.class);
  private static final Duration SOON = Duration.ofMillis(20);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(200), Duration.ofSeconds(5));

  /// @param node as it was written last, as far as Berth knows
  private record Made(PodUid uid, PodKey pod, NodeName node) {}

  private final LedgerReader ledger;
  private final PodClient pods;
  private final Workers workers;
  private final IntSupplier nodes;
  private final int from;
  private final KeyedLoop<PodUid> loop;

  // All below: guarded by this.
  private final Map<PodUid, Made> made = new LinkedHashMap<>();
  private final Map<PodUid, PodKey> inVain = new TreeMap<>();
  private final TreeSet<PodUid> underWay = new TreeSet<>();

  /// @param nodes how many nodes the cluster has
  /// @param from the least number of them where nominations are written
  Nominations(LedgerReader ledger, PodClient pods, Workers workers, IntSupplier nodes, int from) {
    this.ledger = ledger;
    this.pods = pods;
    this.workers = workers;
    this.nodes = nodes;
    this.from = from;
    this.loop = new KeyedLoop<>("nominations", workers, PACE, this::takeOff);
  }

  /// A watch shows a nomination that another client wrote; what Berth wrote since is later.
  synchronized void seen(PodKey pod, PodUid uid, NodeName node) {
    made.putIfAbsent(uid, new Made(uid, pod, node));
  }

  /// Whether the cluster is so large that planned pods are nominated.
  boolean areWritten() {
    return nodes.getAsInt() >= from;
  }

  /// @return the version of the pod after it (0 = not told); empty, and nothing is written, while a
  ///   past one is being taken off
  OptionalLong write(PodKey pod, PodUid uid, NodeName node) throws ClientException {
    synchronized (this) {
      if (!underWay.add(uid)) {
        return OptionalLong.empty();
      }
      inVain.remove(uid);
      made.put(uid, new Made(uid, pod, node)); // it stands, or may
    }
    try {
      return OptionalLong.of(pods.nominate(pod, uid, node));
    } finally {
      writeEnded(uid);
    }
  }

  private synchronized void writeEnded(PodUid uid) {
    underWay.remove(uid);
  }

  synchronized boolean areNone() {
    return made.isEmpty();
  }

  /// Looks which are in vain, and takes them off.
  void look() {
    var lost = new ArrayList<PodUid>();
    synchronized (this) {
      for (var each : List.copyOf(made.values())) {
        switch (ledger.standing(each.uid()).orElse(new Standing.Over(false))) {
          case Standing.Planned(var plan, _) when plan.placement().node().equals(each.node()) -> {}
          case Standing.Planned _, Standing.Waiting _ -> {
            made.remove(each.uid());
            inVain.put(each.uid(), each.pod());
            lost.add(each.uid());
          }
          case Standing.Bound _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ ->
              made.remove(each.uid());
        }
      }
    }
    lost.forEach(loop::add);
  }

  private Next takeOff(PodUid uid) throws ClientException {
    PodKey pod;
    synchronized (this) {
      if (!inVain.containsKey(uid)) {
        return Next.done(); // it was nominated again meanwhile
      }
      if (!underWay.add(uid)) {
        return Next.notBefore(workers.time().instant().plus(SOON));
      }
      pod = inVain.remove(uid);
    }
    try {
      var _ = pods.nominate(pod, uid, NodeName.NONE);
    } catch (ClientException failed) {
      if (failed.isPassing() || failed.kind() == ClientException.Kind.CONFLICT) {
        comesAgain(uid, pod);
        throw failed;
      }
      if (failed.kind() == ClientException.Kind.REFUSED) {
        LOG.atWarn()
            .addKeyValue("pod", pod)
            .addKeyValue("why", failed.getMessage())
            .log("nomination not taken off");
      }
    } finally {
      writeEnded(uid);
    }
    return Next.done();
  }

  private synchronized void comesAgain(PodUid uid, PodKey pod) {
    inVain.put(uid, pod); // it was not nominated anew: Berth's write is under way
  }
}
