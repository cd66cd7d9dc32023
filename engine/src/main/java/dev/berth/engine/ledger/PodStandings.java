package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PodRecord.Charge;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import java.util.List;

/// Where a pod stands, and what room it takes, by all that is known of it.
///
/// | it is | it stands | it takes room |
/// |---|---|---|
/// | moved, and failed on its way out | `Awaited` | no |
/// | succeeded, failed | `Over` | no |
/// | bound, or confirmed by Berth | `Bound`, `Leaving` | yes |
/// | unbound and being deleted | `Over`: it is not planned, and never runs | no |
/// | the same, and kube-scheduler still keeps its room | `Planned` | yes |
/// | with a plan, kept or written | `Planned` | yes |
/// | anything else | `Waiting` | no |
final class PodStandings {
  /// Far more than any pod asks for, and so little that sums over a node never overflow: more
  /// counts as this.
  static final long MOST = 1L << 48;

  private PodStandings() {}

  static Standing of(PodRecord entry) {
    Pod pod = entry.pod;
    if (Relocations.hasEnded(entry)) {
      return new Standing.Awaited(entry.relocation.again());
    }
    if (pod.isOver()) {
      return new Standing.Over(pod.life().phase() == Pod.Phase.SUCCEEDED);
    }
    if (!entry.node().isNone()) {
      Placement seat = entry.seat.isNone() ? Placement.on(entry.node()) : entry.seat;
      return pod.life().leaving() || entry.isVictim()
          ? new Standing.Leaving(seat, entry.relocation.again(), entry.relocation.comesBack())
          : new Standing.Bound(seat);
    }
    if (pod.life().leaving() && !entry.isBinding() && !entry.isHeld()) {
      return new Standing.Over(false);
    }
    return entry.ours && !entry.plan().isNone()
        ? new Standing.Planned(entry.plan(), !pod.isGated() || entry.isUngating())
        : new Standing.Waiting();
  }

  static Charge charge(PodRecord entry, NodeUsageTable rooms) {
    Pod pod = entry.pod;
    NodeName node = entry.node();
    boolean bound = !node.isNone();
    boolean leaving = pod.life().leaving() || bound && entry.isVictim();
    if (pod.isOver()
        || pod.isHolder()
        || !bound
            && (!entry.ours
                || entry.plan().isNone()
                || leaving && !entry.isBinding() && !entry.isHeld())) {
      return Charge.NONE;
    }
    Placement placement = bound ? placement(entry, node) : entry.plan().placement();
    return new Charge(
        rooms.at(placement.isNone() ? node : placement.node()),
        placement.isNone() ? Placement.on(node) : placement,
        bound ? pod.written().devices() : List.of(),
        placement.isNone(),
        pod.asks().request().amounts().cappedAt(MOST),
        pod.asks().request().hostPorts(),
        bound && leaving,
        !entry.ours);
  }

  /// Shares of other schedulers sit on devices that their own holders keep.
  private static Placement placement(PodRecord entry, NodeName node) {
    return entry.ours ? entry.knownPlacement(node) : Placement.on(node);
  }
}
