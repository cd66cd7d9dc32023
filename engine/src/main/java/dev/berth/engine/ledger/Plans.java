package dev.berth.engine.ledger;

import dev.berth.engine.ledger.Ledger.Assumed;
import dev.berth.engine.ledger.PodEntry.Doom;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeRoom.Holder;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The life of a plan: assumed, committed, confirmed, or given back.
///
/// A plan may count on room that is still being left, by pods that are leaving, by the victims of
/// its own decision, and by the victims of earlier ones whose plans still stand; it becomes *clear*
/// when that room is there. Plans stand in line for room by their deadlines: a later plan does not
/// keep an earlier one from being clear.
final class Plans {
  private final Pods pods;
  private final Rooms rooms;

  Plans(Pods pods, Rooms rooms) {
    this.pods = pods;
    this.rooms = rooms;
  }

  /// Keeps plans that were made together: each may count on the victims of all.
  ///
  /// @param until the deadline of the first; those that follow stand behind it in line
  /// @return for each decision its plans; empty where the world has moved on
  List<Optional<List<Assumed>>> assume(List<Decision.Reserve> decisions, Instant until) {
    var kept = new ArrayList<List<PodEntry>>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      kept.add(keep(decisions.get(i), until.plusMillis(i)));
    }
    rooms.settle();
    boolean undone = true;
    while (undone) { // who does not fit takes his victims' leaving from others
      undone = false;
      for (int i = 0; i < kept.size(); i++) {
        if (!allFit(kept.get(i))) {
          kept.get(i).forEach(this::undo);
          kept.set(i, List.of());
          rooms.settle();
          undone = true;
        }
      }
    }
    var results = new ArrayList<Optional<List<Assumed>>>(kept.size());
    for (var claimants : kept) {
      var assumed = new ArrayList<Assumed>(claimants.size());
      claimants.forEach(claimant -> assumed.add(new Assumed(claimant.pod, claimant.kept)));
      results.add(claimants.isEmpty() ? Optional.empty() : Optional.of(assumed));
    }
    return results;
  }

  /// Empty where somebody in it may not be planned any more.
  private List<PodEntry> keep(Decision.Reserve decision, Instant until) {
    var all = new ArrayList<Reserved>(decision.block());
    all.addAll(decision.surplus());
    var claimants = new ArrayList<PodEntry>(all.size());
    for (Reserved reserved : all) {
      var entry = pods.find(reserved.uid()).filter(Plans::mayBePlanned);
      if (entry.isEmpty()) {
        return List.of();
      }
      claimants.add(entry.get());
    }
    for (int i = 0; i < all.size(); i++) {
      check(claimants.get(i), all.get(i).placement());
    }
    keep(decision, claimants, all, until);
    doom(decision, claimants);
    return claimants;
  }

  private static boolean allFit(List<PodEntry> claimants) {
    for (PodEntry claimant : claimants) {
      if (!fits(claimant)) {
        return false;
      }
    }
    return true;
  }

  private static boolean mayBePlanned(PodEntry entry) {
    return entry.ours && entry.standing instanceof Standing.Waiting;
  }

  private void keep(
      Decision.Reserve decision, List<PodEntry> claimants, List<Reserved> all, Instant until) {
    int size = decision.block().size();
    String gang = size > 1 ? gang(claimants.getFirst().pod.uid(), until) : "";
    for (int i = 0; i < all.size(); i++) {
      PodEntry claimant = claimants.get(i);
      Placement placement = all.get(i).placement();
      claimant.kept =
          i < size && size > 1
              ? new WrittenPlan(placement, gang, size, until)
              : new WrittenPlan(placement, "", 1, until);
      claimant.lifting = false;
      pods.refresh(claimant);
    }
  }

  /// No two blocks that stand at the same time bear the same name, nor do those of two leaders.
  private static String gang(PodUid first, Instant until) {
    return Long.toString(until.toEpochMilli(), 36)
        + "-"
        + Integer.toHexString(first.value().hashCode());
  }

  private static void check(PodEntry claimant, Placement placement) {
    var devices = claimant.pod.asks().request().devices();
    int slots = devices.isShare() ? devices.count() : 0;
    if (placement.isNone() || placement.slots().size() != slots) {
      throw new IllegalArgumentException(
          "no place for " + claimant.pod.key() + ", which asks for " + devices + ": " + placement);
    }
  }

  private void doom(Decision.Reserve decision, List<PodEntry> claimants) {
    var victims = new ArrayList<PodEntry>(decision.victims().size());
    var places = new ArrayList<Placement>(claimants.size());
    claimants.forEach(claimant -> places.add(claimant.kept.placement()));
    var doom = new Doom(List.copyOf(claimants), List.copyOf(places));
    for (Decision.Victim victim : decision.victims()) {
      pods.find(victim.uid())
          .ifPresent(entry -> {
            entry.dooms.removeIf(past -> !past.holds());
            entry.dooms.add(doom);
            if (entry.charge.node() != NodeEntry.NOWHERE) {
              entry.charge.node().doom(entry);
            }
            victims.add(entry);
          });
    }
    claimants.forEach(claimant -> claimant.victims.addAll(victims));
    victims.forEach(pods::refresh);
  }

  private static boolean fits(PodEntry claimant) {
    NodeEntry node = claimant.charge.node();
    for (int index : claimant.seat.slots()) {
      if (node.slots.getOrDefault(index, new SlotEntry(index)).holder() == Holder.RETIRING) {
        return false;
      }
    }
    return node.holdsInTheEnd(claimant);
  }

  private void undo(PodEntry claimant) {
    claimant.kept = WrittenPlan.NONE;
    pods.refresh(claimant);
  }

  /// Moves the deadline of plans that are about to be written, all or none: the way from the gate
  /// to the binding begins only now.
  Optional<List<Assumed>> renew(List<Assumed> block, Instant until) {
    var entries = new ArrayList<PodEntry>(block.size());
    for (Assumed assumed : block) {
      var entry =
          pods.find(assumed.pod().uid())
              .filter(PodEntry::isPlanned)
              .filter(pod -> !pod.committing && pod.kept.equals(assumed.plan()));
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      entries.add(entry.get());
    }
    var renewed = new ArrayList<Assumed>(block.size());
    for (PodEntry entry : entries) {
      var plan = entry.kept;
      entry.kept = new WrittenPlan(plan.placement(), plan.gang(), plan.size(), until);
      entry.lifting = true;
      pods.refresh(entry);
      renewed.add(new Assumed(entry.pod, entry.kept));
    }
    return Optional.of(renewed);
  }

  /// Gives back plans of a group whose gates are all still closed, or none of them.
  boolean withdraw(Decision.Withdraw decision) {
    var entries = new ArrayList<PodEntry>();
    for (Decision.Withdrawn each : decision.plans()) {
      var entry =
          pods.find(each.uid())
              .filter(PodEntry::isPlanned)
              .filter(pod -> pod.plan().equals(each.plan()))
              .filter(pod -> !pod.committing && !pod.lifting && pod.pod.isGated());
      if (entry.isEmpty()) {
        return false;
      }
      entries.add(entry.get());
    }
    for (PodEntry entry : entries) {
      if (entry.isPlanned()) { // else it went with its block
        var _ = pods.giveBack(entry);
      }
    }
    return true;
  }

  boolean forget(PodUid uid, WrittenPlan plan) {
    var entry = pods.find(uid).filter(PodEntry::isPlanned).filter(pod -> pod.plan().equals(plan));
    entry.ifPresent(pods::giveBack);
    return entry.isPresent();
  }

  List<Assumed> expire(Instant now) {
    var expired = new ArrayList<Assumed>(0);
    for (var entry = pods.lapsed(now); entry.isPresent(); entry = pods.lapsed(now)) {
      expired.addAll(pods.giveBack(entry.get()));
    }
    return expired;
  }

  /// Gives back plans whose room somebody else has taken for good, the last in line first, until
  /// the others hold. (Another scheduler sees our plans only once they are bound, or held.)
  List<Assumed> collapse() {
    var collapsed = new ArrayList<Assumed>(0);
    var next = rooms.crowdedAfter(NodeName.NONE);
    while (next.isPresent()) {
      NodeEntry node = next.get();
      for (PodEntry plan : node.plansFromTheLast()) {
        if (plan.isPlanned() && !node.holdsInTheEnd(plan)) {
          collapsed.addAll(pods.giveBack(plan));
        }
      }
      next = rooms.crowdedAfter(node.name);
    }
    return collapsed;
  }

  Commit commit(PodUid uid, NodeName node) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return new Commit.Refused(Commit.Why.UNKNOWN_POD, NodeName.NONE);
    }
    PodEntry entry = found.get();
    return switch (entry.standing) {
      case Standing.Over _ -> new Commit.Refused(Commit.Why.OVER, NodeName.NONE);
      case Standing.Bound(Placement placement) -> bound(placement, node);
      case Standing.Leaving(Placement placement) -> bound(placement, node);
      case Standing.Waiting _ -> new Commit.Refused(Commit.Why.NO_PLAN, NodeName.NONE);
      case Standing.Planned(WrittenPlan plan, boolean _) -> commit(entry, plan, node);
    };
  }

  private static Commit bound(Placement placement, NodeName node) {
    return placement.node().equals(node)
        ? new Commit.AlreadyBound()
        : new Commit.Refused(Commit.Why.BOUND_ELSEWHERE, placement.node());
  }

  private Commit commit(PodEntry entry, WrittenPlan plan, NodeName node) {
    NodeName planned = plan.placement().node();
    if (!planned.equals(node)) {
      return new Commit.Refused(Commit.Why.OTHER_NODE, planned);
    }
    if (!entry.charge.node().holdsNow(entry)) {
      return new Commit.Refused(Commit.Why.NO_ROOM, planned);
    }
    var unheld = unheld(entry);
    if (!unheld.isEmpty()) {
      return new Commit.AwaitsHolders(plan, unheld);
    }
    entry.committing = true;
    pods.refresh(entry);
    var devices = new ArrayList<String>(entry.seat.slots().size());
    for (int index : entry.seat.slots()) {
      devices.add(slot(entry, index).uuid());
    }
    return new Commit.Ready(plan, devices);
  }

  private static SlotEntry slot(PodEntry entry, int index) {
    return entry.charge.node().slots.getOrDefault(index, new SlotEntry(index));
  }

  private static List<Integer> unheld(PodEntry entry) {
    var unheld = new ArrayList<Integer>(0);
    for (int index : entry.seat.slots()) {
      if (slot(entry, index).holder() != Holder.REPORTED) {
        unheld.add(index);
      }
    }
    return unheld;
  }

  boolean isClear(PodUid uid) {
    return pods.find(uid)
        .filter(PodEntry::isPlanned)
        .filter(entry -> entry.charge.node().holdsNow(entry) && unheld(entry).isEmpty())
        .filter(entry -> !entry.minds() || haveLeft(entry.victims))
        .isPresent();
  }

  private static boolean haveLeft(List<PodEntry> victims) {
    for (PodEntry victim : victims) {
      if (victim.charge.node() != NodeEntry.NOWHERE) {
        return false;
      }
    }
    return true;
  }

  boolean confirm(PodUid uid, Placement placement) {
    var found = pods.find(uid);
    if (found.isEmpty()) {
      return false;
    }
    PodEntry entry = found.get();
    Placement kept = entry.plan().placement();
    boolean told = !placement.slots().isEmpty() || !kept.node().equals(placement.node());
    entry.confirmed = told ? placement : kept;
    entry.kept = WrittenPlan.NONE;
    entry.lifting = false;
    entry.committing = false;
    pods.refresh(entry);
    return true;
  }

  boolean release(PodUid uid) {
    var found = pods.find(uid).filter(entry -> entry.committing);
    found.ifPresent(entry -> {
      entry.committing = false;
      pods.refresh(entry);
    });
    return found.isPresent();
  }
}
