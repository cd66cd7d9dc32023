package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.VictimOf;
import dev.berth.engine.ledger.pods.PodEvent;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.ChargedTo;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// How plans begin: assumed, renewed, or withdrawn for others. How they go on tells [BindCommits],
/// how they end [PlanEndings].
///
/// A plan may count on room that terminating pods, its own victims and victims of earlier plans
/// release. Plans are ordered by deadline: a later plan never blocks an earlier one.
final class Reservations {
  private final PodRecords pods;
  private final PodTransitions transitions;
  private final Relocations moved;
  private final NodeUsageTable rooms;
  private final LimitHeadroom limits;
  private final FailedPlans failedPlans;

  Reservations(
      PodRecords pods,
      PodTransitions transitions,
      Relocations moved,
      NodeUsageTable rooms,
      LimitHeadroom limits,
      FailedPlans failedPlans) {
    this.pods = pods;
    this.transitions = transitions;
    this.moved = moved;
    this.rooms = rooms;
    this.limits = limits;
    this.failedPlans = failedPlans;
  }

  /// Plans of a group, on these nodes, that it lost to another or has anew.
  private record Yielded(GroupKey to, GroupKey of, Set<NodeUsage> nodes, Set<PodRecord> victims) {}

  /// Keeps the plans of one round: each may count on the victims of all of them, and on victims of
  /// plans withdrawn in favour of it.
  ///
  /// @param withdrawn plans that lose their room to these, or for another reason
  /// @param until the deadline of the first; the others follow a millisecond apart, in order
  /// @return for each decision its plans; empty if the cluster has changed meanwhile
  List<Optional<List<Assumed>>> assume(
      List<Decision.Withdraw> withdrawn,
      List<Decision.Reserve> decisions,
      Instant until,
      PlannedClaims.Basis basis) {
    limits.tidy();
    var orphans = new OrphanedVictims(transitions);
    var yielded = new ArrayList<Yielded>(0);
    withdrawn.forEach(each -> withdraw(each, orphans, yielded));
    var kept = new ArrayList<List<PodRecord>>(decisions.size());
    for (int i = 0; i < decisions.size(); i++) {
      kept.add(keep(decisions.get(i), until.plusMillis(i), basis));
    }
    for (int i = 0; i < decisions.size(); i++) {
      if (kept.get(i).isEmpty()) {
        transitions.spared().add(victims(decisions.get(i)));
      }
    }
    rooms.settle();
    boolean undone = true;
    while (undone) { // a pod that does not fit takes the leaving of its victims from others
      undone = false;
      for (int i = 0; i < kept.size(); i++) {
        boolean holds = allFit(kept.get(i)) || inherit(kept.get(i), orphans);
        if (!holds || countsOnRemainingVictim(kept.get(i))) {
          kept.get(i).forEach(this::undo);
          kept.set(i, List.of());
          rooms.settle();
          undone = true;
        }
      }
    }
    kept.forEach(preemptors -> preemptors.forEach(limits::letsIn));
    yielded.forEach(each -> handOver(each, kept));
    var results = new ArrayList<Optional<List<Assumed>>>(kept.size());
    for (var preemptors : kept) {
      var assumed = new ArrayList<Assumed>(preemptors.size());
      preemptors.forEach(
          preemptor -> assumed.add(new Assumed(preemptor.pod, preemptor.state.kept())));
      results.add(preemptors.isEmpty() ? Optional.empty() : Optional.of(assumed));
    }
    return results;
  }

  /// Victims have left for plans that are withdrawn: the group that takes their room answers for
  /// them, and one that is planned anew for its own, wherever. Else two pods of one tenant, of
  /// which one gives way to the other and both are deleted, could have others evicted again and
  /// again.
  private void handOver(Yielded plans, List<List<PodRecord>> kept) {
    for (List<PodRecord> preemptors : kept) {
      for (PodRecord taker : preemptors) {
        boolean hasTheirRoom =
            plans.of.equals(plans.to) || plans.nodes.contains(taker.charge.node());
        if (taker.account().key.equals(plans.to) && hasTheirRoom) {
          failedPlans.answersFor(taker, plans.victims);
          return;
        }
      }
    }
  }

  /// Takes over victims of withdrawn plans as far as these plans need their room.
  ///
  /// @return whether all of the plans fit then
  private boolean inherit(List<PodRecord> preemptors, OrphanedVictims orphans) {
    for (var each : orphans.of(preemptors)) {
      moved.begin(each.victim(), each.again());
      markVictims(List.of(each.victim()), preemptors, false);
      rooms.settle();
      if (allFit(preemptors)) {
        return true;
      }
    }
    return false;
  }

  /// Whether a pod that was to be evicted stays below a limit that admitted these plans only
  /// because evictions were expected.
  private boolean countsOnRemainingVictim(List<PodRecord> preemptors) {
    return transitions
        .spared()
        .anyStays(victim ->
            preemptors.stream()
                .anyMatch(other -> other.afterOthers && limits.isSharedBy(victim, other)));
  }

  /// The pods of the decision; empty if one of them can no longer be planned.
  private List<PodRecord> keep(
      Decision.Reserve decision, Instant until, PlannedClaims.Basis basis) {
    var all = new ArrayList<Reserved>(decision.block());
    all.addAll(decision.surplus());
    var preemptors = new ArrayList<PodRecord>(all.size());
    for (Reserved reserved : all) {
      var entry =
          pods.find(reserved.uid())
              .filter(pod -> pod.ours && pod.standing instanceof Standing.Waiting);
      if (entry.isEmpty() || !basis.stillHoldsFor(entry.get().pod)) {
        return List.of();
      }
      preemptors.add(entry.get());
    }
    for (int i = 0; i < all.size(); i++) {
      check(preemptors.get(i), all.get(i).placement());
    }
    keep(decision, preemptors, all, until);
    preemptors.forEach(preemptor -> preemptor.planned = basis.version());
    markVictims(decision, preemptors);
    return preemptors;
  }

  /// The victims of a decision that the ledger still has.
  private List<PodRecord> victims(Decision.Reserve decision) {
    var victims = new ArrayList<PodRecord>(decision.victims().size());
    for (Decision.Victim victim : decision.victims()) {
      pods.find(victim.uid()).ifPresent(victims::add);
    }
    return victims;
  }

  private static boolean allFit(List<PodRecord> preemptors) {
    for (PodRecord preemptor : preemptors) {
      if (!fits(preemptor)) {
        return false;
      }
    }
    return true;
  }

  private void keep(
      Decision.Reserve decision, List<PodRecord> preemptors, List<Reserved> all, Instant until) {
    int size = decision.block().size();
    String gang = size > 1 ? gang(preemptors.getFirst().pod.uid(), until) : "";
    ChargedTo chargedTo = transitions.chargedTo(preemptors.getFirst());
    var awaited = awaited(decision, until);
    for (int i = 0; i < all.size(); i++) {
      PodRecord preemptor = preemptors.get(i);
      Placement placement = all.get(i).placement();
      boolean inBlock = i < size && size > 1;
      preemptor.end = PlanEnd.UNSAID;
      preemptor.patience.begin();
      preemptor.afterOthers = decision.afterOthers();
      preemptor.awaited = awaited;
      var plan =
          new WrittenPlan(placement, inBlock ? gang : "", inBlock ? size : 1, until, chargedTo);
      transitions.apply(preemptor, new PodEvent.Assume(plan));
    }
  }

  /// A plan that is to be withdrawn counts until then. Under its next plan the pod blocks no other;
  /// without this rule the two plans could wait for each other.
  private Map<PodRecord, WrittenPlan> awaited(Decision.Reserve decision, Instant until) {
    var awaited = new LinkedHashMap<PodRecord, WrittenPlan>();
    for (PodUid uid : decision.awaited()) {
      pods.find(uid)
          .filter(entry -> entry.charge.node() != NodeUsage.NOWHERE)
          .ifPresent(entry -> {
            boolean isBound = !entry.node().isNone();
            WrittenPlan plan = isBound ? WrittenPlan.NONE : entry.plan();
            boolean isOfNow = !isBound && plan.until().equals(until);
            if (!isOfNow) {
              awaited.put(entry, plan);
            }
          });
    }
    return awaited;
  }

  /// A name that no other block has at the same time, not even one of another leader.
  private static String gang(PodUid first, Instant until) {
    return Long.toString(until.toEpochMilli(), 36)
        + "-"
        + Integer.toHexString(first.value().hashCode());
  }

  private static void check(PodRecord preemptor, Placement placement) {
    var devices = preemptor.pod.asks().request().devices();
    int slots = devices.isShare() ? devices.count() : 0;
    if (placement.isNone() || placement.slots().size() != slots) {
      throw new IllegalArgumentException(
          "no place for " + preemptor.pod.key() + ", which asks for " + devices + ": " + placement);
    }
  }

  private void markVictims(Decision.Reserve decision, List<PodRecord> preemptors) {
    var victims = new ArrayList<PodRecord>(decision.victims().size());
    for (Decision.Victim victim : decision.victims()) {
      pods.find(victim.uid())
          .ifPresent(entry -> {
            moved.begin(entry, victim.again());
            victims.add(entry);
          });
    }
    markVictims(victims, preemptors, decision.firm());
  }

  private void markVictims(List<PodRecord> victims, List<PodRecord> preemptors, boolean firm) {
    var markVictims = new VictimOf(preemptors, firm);
    for (PodRecord victim : victims) {
      victim.victimOf.removeIf(past -> !past.holds());
      victim.victimOf.add(markVictims);
      limits.makesWay(victim);
      if (victim.charge.node() != NodeUsage.NOWHERE) {
        victim.charge.node().markVictims(victim);
      }
    }
    long gpus = 0;
    for (PodRecord preemptor : preemptors) {
      gpus += preemptor.pod.asks().request().devices().millisAt(preemptor.seat);
    }
    for (PodRecord preemptor : preemptors) {
      preemptor.victims.addAll(victims);
      preemptor.claimsFor = Optional.of(claim(preemptor, victims, gpus));
    }
    victims.forEach(transitions::refresh);
  }

  /// Victims that bear no plan of Berth are charged as their group is now, and not counted.
  private static EvictingClaim claim(PodRecord preemptor, List<PodRecord> victims, long gpus) {
    var losers = new TreeSet<QueueName>();
    victims.forEach(victim -> losers.add(victim.chargedTo().queue()));
    losers.remove(preemptor.chargedTo().queue());
    losers.remove(QueueName.NONE);
    return new EvictingClaim(preemptor.pod.workload(), losers, gpus);
  }

  private static boolean fits(PodRecord preemptor) {
    NodeUsage node = preemptor.charge.node();
    for (int index : preemptor.seat.slots()) {
      if (!node.mayBeJoined(index)) {
        return false;
      }
    }
    return node.holdsInTheEnd(preemptor);
  }

  private void undo(PodRecord preemptor) {
    preemptor.end = new PlanEnd(Way.NEVER_KEPT);
    transitions.apply(preemptor, new PodEvent.Undo());
  }

  /// Renews the deadline of plans that are about to be written, all or none: binding begins now.
  Optional<List<Assumed>> renew(List<Assumed> block, Instant until) {
    var entries = new ArrayList<PodRecord>(block.size());
    for (Assumed assumed : block) {
      var entry =
          pods.find(assumed.pod().uid())
              .filter(PodRecord::isPlanned)
              .filter(pod -> !pod.isBinding() && pod.state.kept().equals(assumed.plan()));
      if (entry.isEmpty()) {
        return Optional.empty();
      }
      entries.add(entry.get());
    }
    var renewed = new ArrayList<Assumed>(block.size());
    for (PodRecord entry : entries) {
      transitions.apply(entry, new PodEvent.Ungate(until));
      renewed.add(new Assumed(entry.pod, entry.state.kept()));
    }
    return Optional.of(renewed);
  }

  /// Gives back plans of a group whose gates are all still closed, or none of them; where gates may
  /// be open, those of which none is being written.
  ///
  /// A plan that is kept keeps its part of a limit: plans that counted on that part are misled.
  ///
  /// @param orphans is told the victims of those plans
  /// @param yielded is told those plans, if another group has their room
  private void withdraw(
      Decision.Withdraw decision, OrphanedVictims orphans, List<Yielded> yielded) {
    var entries = new ArrayList<PodRecord>();
    for (Decision.Withdrawn each : decision.plans()) {
      var entry =
          pods.find(each.uid())
              .filter(PodRecord::isPlanned)
              .filter(pod -> pod.plan().equals(each.plan()))
              .filter(pod -> decision.loss().opened() ? !pod.isAdmitted() : isMerelyPlanned(pod));
      if (entry.isEmpty()) {
        for (Decision.Withdrawn all : decision.plans()) {
          pods.find(all.uid()).ifPresent(stays -> transitions.spared().add(List.of(stays)));
        }
        return;
      }
      entries.add(entry.get());
    }
    var loss = decision.loss();
    if (!loss.to().isNone()) {
      var nodes = new LinkedHashSet<NodeUsage>();
      var victims = new LinkedHashSet<PodRecord>();
      for (PodRecord entry : entries) {
        nodes.add(entry.charge.node());
        victims.addAll(failedPlans.answeredForBy(entry));
      }
      if (!victims.isEmpty()) {
        yielded.add(new Yielded(loss.to(), decision.group(), nodes, victims));
      }
    }
    var end = new PlanEnd(way(loss));
    for (PodRecord entry : entries) {
      if (entry.isPlanned()) { // else it went with its block
        orphans.add(entry);
        var _ = transitions.giveBack(entry, end);
      }
    }
    if (loss.opened()) {
      return; // it lost bound members; it did not yield to a group before it
    }
    // mostly one group, but a pod may have changed its group since the snapshot
    entries.stream().map(PodRecord::account).distinct().forEach(transitions::gaveWay);
  }

  private static Way way(Decision.Loss loss) {
    if (loss.opened()) {
      return Way.WITH_ITS_GROUP;
    }
    return loss.to().isNone() ? Way.WITHDRAWN : Way.GAVE_WAY;
  }

  private static boolean isMerelyPlanned(PodRecord pod) {
    return !pod.isBinding() && !pod.isUngating() && pod.pod.isGated();
  }
}
