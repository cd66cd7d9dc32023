package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.pods.PodEvent;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;

/// From a plan to its Binding. A plan is *clear* once the room that it counts on is free, its GPUs
/// are held, and its victims, and those of other plans below the same limit, are evicted.
final class BindCommits {
  private final PodRecords pods;
  private final PodTransitions transitions;
  private final VictimDepartures departures;
  private final PlannedClaims claims;

  BindCommits(
      PodRecords pods,
      PodTransitions transitions,
      VictimDepartures departures,
      PlannedClaims claims) {
    this.pods = pods;
    this.transitions = transitions;
    this.departures = departures;
    this.claims = claims;
  }

  BindCommit commit(PodUid uid, NodeName node, boolean admitted) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return new BindCommit.Refused(BindCommit.Why.UNKNOWN_POD, NodeName.NONE);
    }
    PodRecord entry = found.get();
    return switch (entry.standing) {
      case Standing.Over _ -> new BindCommit.Refused(BindCommit.Why.OVER, NodeName.NONE);
      case Standing.Bound(Placement placement) -> bound(placement, node);
      case Standing.Leaving(Placement placement, _, _) -> bound(placement, node);
      case Standing.Waiting _, Standing.Awaited _ -> {
        entry.patience.letGo(PodTransitions.ended(entry)); // with this answer
        yield new BindCommit.Refused(BindCommit.Why.NO_PLAN, NodeName.NONE);
      }
      case Standing.Planned(WrittenPlan plan, boolean _) -> commit(entry, plan, node, admitted);
    };
  }

  /// A pod has reached bind. If it is held its plan is over: it is refused, and kube-scheduler lets
  /// go of it.
  ///
  /// @return whether it was held
  boolean letGoIfHeld(PodUid uid) {
    var held = pods.find(uid).filter(PodRecord::isHeld);
    held.ifPresent(entry -> transitions.letGo(entry, new PlanEnd(Way.AFTER_ITS_BLOCK)));
    return held.isPresent();
  }

  /// Ends a plan that was made for other claims of devices: what is charged for it is not what its
  /// pod would get.
  ///
  /// @return whether it was such a one
  boolean endIfOfOtherClaims(PodUid uid) {
    var found =
        pods.find(uid)
            .filter(PodRecord::isPlanned)
            .filter(entry -> !entry.isBinding())
            .filter(entry -> !claims.areThoseOf(entry.pod, entry.planned));
    found.ifPresent(entry -> {
      var _ = transitions.giveBack(entry, new PlanEnd(Way.REFUSED, "a claim was made anew"));
    });
    return found.isPresent();
  }

  private static BindCommit bound(Placement placement, NodeName node) {
    return placement.node().equals(node)
        ? new BindCommit.AlreadyBound()
        : new BindCommit.Refused(BindCommit.Why.BOUND_ELSEWHERE, placement.node());
  }

  private BindCommit commit(PodRecord entry, WrittenPlan plan, NodeName node, boolean admitted) {
    NodeName planned = plan.placement().node();
    if (!planned.equals(node)) {
      return new BindCommit.Refused(BindCommit.Why.OTHER_NODE, planned);
    }
    if (!entry.charge.node().holdsNow(entry)) {
      return new BindCommit.Refused(BindCommit.Why.NO_ROOM, planned);
    }
    if (entry.group.waitsForHeld()) {
      return new BindCommit.AwaitsBlock(plan);
    }
    if (!claims.areAllocated(entry.pod) || !claims.areCharged(entry.pod)) {
      return new BindCommit.AwaitsClaims(plan);
    }
    if (!entry.isUngating()) { // its gate is open since an earlier plan
      if (!departures.othersMadeWay(entry)) {
        return new BindCommit.AwaitsVictims(plan);
      }
      if (isBeforeItsCore(entry)) {
        return new BindCommit.AwaitsBlock(plan);
      }
    }
    var unheld = entry.unheld();
    if (!unheld.isEmpty()) {
      return new BindCommit.AwaitsHolders(plan, unheld);
    }
    transitions.apply(entry, new PodEvent.Commit(admitted || plan.size() <= 1));
    var devices = new ArrayList<String>(entry.seat.slots().size());
    for (int index : entry.seat.slots()) {
      devices.add(entry.device(index).uuid());
    }
    return new BindCommit.Ready(plan, devices);
  }

  boolean isClear(PodUid uid) {
    return pods.find(uid)
        .filter(PodRecord::isPlanned)
        .filter(entry -> entry.charge.node().holdsNow(entry) && entry.unheld().isEmpty())
        .filter(departures::othersMadeWay)
        .filter(entry -> !isBeforeItsCore(entry) && !entry.group.waitsForHeld())
        .isPresent();
  }

  /// Whether a block of its group has not started, and it is not in that block: a surplus member
  /// does not run while the minimum waits for victims or GPUs and may never start.
  private static boolean isBeforeItsCore(PodRecord entry) {
    return entry.plan().size() <= 1 && entry.group.hasBlockToStart();
  }

  boolean confirm(PodUid uid, Placement placement) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return false;
    }
    PodRecord entry = found.get();
    Placement kept = entry.plan().placement();
    boolean told = !placement.slots().isEmpty() || !kept.node().equals(placement.node());
    var chargedTo = entry.chargedTo();
    transitions.memberBound(entry.account());
    transitions.apply(entry, new PodEvent.Confirm(told ? placement : kept, chargedTo));
    return true;
  }

  boolean doubt(PodUid uid, Instant until) {
    return applyWhileBinding(uid, new PodEvent.Doubt(until));
  }

  boolean release(PodUid uid) {
    return applyWhileBinding(uid, new PodEvent.Release());
  }

  private boolean applyWhileBinding(PodUid uid, PodEvent event) {
    var found = pods.find(uid).filter(PodRecord::isBinding);
    found.ifPresent(entry -> transitions.apply(entry, event));
    return found.isPresent();
  }
}
