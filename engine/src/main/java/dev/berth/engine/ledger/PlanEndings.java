package dev.berth.engine.ledger;

import dev.berth.engine.ledger.PlanEnd.Way;
import dev.berth.engine.ledger.PodRecord.VictimOf;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.Unasked;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/// How plans end that are not bound: given back, lapsed, or because what they counted on is not
/// there.
final class PlanEndings {
  /// An eviction that the API server rejects is retried within this time, or given up.
  private static final Duration ASKED_AGAIN = Duration.ofSeconds(10);

  /// How long a plan stays once the volume has come for which it outlived its deadline:
  /// kube-scheduler looks for it once a second, and calls bind then.
  private static final Duration VOLUME_IS_SEEN = Duration.ofSeconds(5);

  /// How long a claim names no node, or another, before kube-scheduler has seen that: it looks once
  /// a second, and its watch may lag behind Berth's.
  private static final Duration CLAIM_IS_SEEN = Duration.ofSeconds(3);

  /// How long members of a block wait beyond its deadline for the volume of one.
  private static final Duration BLOCK_AWAITS_VOLUMES = Duration.ofSeconds(45);

  /// What kube-scheduler may take beyond its time to begin and to end its wait for volumes.
  private static final Duration VOLUMES_MARGIN = Duration.ofSeconds(5);

  /// How long after the deadline of a plan kube-scheduler has ended its wait for volumes: it asked
  /// for the pod before the deadline, or its asking ended the plan.
  private final Duration volumesAwaited;

  /// Pods that were released, and for which kube-scheduler has not asked before the plan lapsed.
  private final LinkedHashSet<PodRecord> unasked = new LinkedHashSet<>();

  private final PodRecords pods;
  private final PodTransitions transitions;
  private final NodeUsageTable rooms;
  private final LimitHeadroom limits;
  private final Volumes volumes;

  PlanEndings(
      LedgerSettings settings,
      PodRecords pods,
      PodTransitions transitions,
      NodeUsageTable rooms,
      LimitHeadroom limits,
      Volumes volumes) {
    this.volumesAwaited = settings.volumeBindTimeout().plus(VOLUMES_MARGIN);
    this.pods = pods;
    this.transitions = transitions;
    this.rooms = rooms;
    this.limits = limits;
    this.volumes = volumes;
  }

  /// Gives back plans that a limit may have admitted only because of a victim that stays after all:
  /// its preemptor's plan has ended. They are planned anew.
  ///
  /// @return whether there were any
  boolean giveBackMisled() {
    boolean any = false;
    for (var stays = transitions.spared().nextRemaining();
        stays.isPresent();
        stays = transitions.spared().nextRemaining()) {
      for (PodRecord plan : limits.letInFor(stays.get())) {
        if (plan.isPlanned()) { // else it went with its block
          var _ = transitions.giveBack(plan, new PlanEnd(Way.MISLED));
          any = true;
        }
      }
    }
    return any;
  }

  /// Gives back plans that still stand and are not being written, each with its block.
  List<Assumed> giveBack(List<Decision.Withdrawn> plans) {
    var given = new ArrayList<Assumed>();
    var end = new PlanEnd(Way.BEYOND_ITS_QUEUE);
    for (Decision.Withdrawn each : plans) {
      standing(each.uid(), each.plan())
          .ifPresent(entry -> given.addAll(transitions.giveBack(entry, end)));
    }
    return given;
  }

  private Optional<PodRecord> standing(PodUid uid, WrittenPlan plan) {
    return pods.find(uid)
        .filter(pod -> pod.isPlanned() && !pod.isAdmitted())
        .filter(pod -> pod.plan().equals(plan));
  }

  boolean forget(PodUid uid, WrittenPlan plan, String words) {
    var entry = standing(uid, plan);
    entry.ifPresent(planned -> transitions.giveBack(planned, new PlanEnd(Way.REFUSED, words)));
    return entry.isPresent();
  }

  /// Gives back the plans whose victim is spared.
  List<Assumed> spare(PodRecord victim) {
    var given = new ArrayList<Assumed>(0);
    for (VictimOf markVictims : List.copyOf(victim.victimOf)) {
      for (var beneficiary = markVictims.beneficiary();
          beneficiary.isPresent();
          beneficiary = markVictims.beneficiary()) {
        if (beneficiary.get().isBinding()) {
          break; // it has room beside the victim
        }
        given.addAll(transitions.giveBack(beneficiary.get(), new PlanEnd(Way.VICTIM_STAYS)));
      }
    }
    return given;
  }

  /// The earliest deadline of a plan for whose volumes kube-scheduler may wait yet.
  ///
  /// @param now in any order, down to `MIN`
  Instant awaitedSince(Instant now) {
    return now.isAfter(Instant.EPOCH) ? now.minus(volumesAwaited) : Instant.MIN;
  }

  List<Assumed> expire(Instant now) {
    var expired = new ArrayList<Assumed>(0);
    for (var entry = transitions.deadlines().lapsed(now);
        entry.isPresent();
        entry = transitions.deadlines().lapsed(now)) {
      if (!isPatient(entry.get(), now)) {
        expired.addAll(lapse(entry.get(), now));
      }
    }
    return expired;
  }

  private List<Assumed> lapse(PodRecord entry, Instant now) {
    var end = new PlanEnd(lapsing(entry));
    if (end.way() == Way.LAPSED && !entry.isHeld() && volumeHasCome(entry)) {
      putOff(entry, now.plus(VOLUME_IS_SEEN));
      return List.of();
    }
    boolean awaited = volumes.isAwaited(entry, entry.plan());
    boolean mayBeKept = entry.plan().until().isAfter(awaitedSince(now));
    if (!awaited && mayBeKept && entry.isHeld() && !volumes.isAsLastSeen(entry)) {
      entry.patience.extend(now.plus(CLAIM_IS_SEEN));
      transitions.refresh(entry);
      return List.of();
    }
    if (awaited && mayBeKept) {
      entry.patience.extend(now.plus(ASKED_AGAIN));
      var given = transitions.giveBack(entry, end); // it is held, or was before
      transitions.refresh(entry);
      return given;
    }
    if (end.way() == Way.LAPSED && !entry.patience.isAskedFor()) {
      unasked.add(entry);
    }
    return awaited || entry.isHeld()
        ? transitions.letGo(entry, end)
        : transitions.giveBack(entry, end);
  }

  /// kube-scheduler asks for a pod anew: it has let go of it, if it had taken room for it. If it
  /// had waited there for a volume that did not come, the plan is over, and the pod waits for its
  /// turn like any other. Otherwise the owner of the claim could make kube-scheduler wait again and
  /// again, on the room of one plan.
  ///
  /// Before the deadline it may also ask since it was restarted, while the claim names the node on.
  ///
  /// @return whether a plan ended for that
  boolean asksAnew(PodUid uid, Instant now) {
    var found = pods.find(uid);
    found.ifPresent(entry -> {
      entry.patience.ask();
      unasked.remove(entry);
      if (!entry.isPlanned()) {
        entry.patience.letGo(PodTransitions.ended(entry));
      }
    });
    var over =
        found
            .filter(entry -> entry.isPlanned() && !entry.isBinding() && !entry.pod.isGated())
            .filter(entry -> entry.isHeld() || hasGivenUp(entry, now));
    over.ifPresent(entry -> transitions.letGo(entry, new PlanEnd(Way.LAPSED)));
    return over.isPresent();
  }

  /// Whether kube-scheduler, which asks for a pod, waited in vain under the plan that the pod has.
  private boolean hasGivenUp(PodRecord entry, Instant now) {
    return volumes.wasAwaited(entry, entry.plan())
        && (!entry.plan().until().isAfter(now) || volumes.mayBeAwaited(entry, entry.plan()));
  }

  /// Pods that have a place again and for which kube-scheduler has not asked, in the order in which
  /// their first plans lapsed.
  List<Unasked> unasked() {
    unasked.removeIf(entry -> entry.isGone || !entry.node().isNone() || entry.pod.isOver());
    return unasked.stream()
        .filter(PodRecord::isPlanned)
        .map(entry ->
            new Unasked(
                entry.account().key,
                entry.pod.uid(),
                entry.pod.key(),
                entry.pod.scheduler(),
                entry.pod.life().refusal()))
        .toList();
  }

  /// Keeps a plan past its deadline while kube-scheduler waits for a volume of the pod, or of
  /// another one of its block, or while a disruption budget rejects one of its victims: if it
  /// lapsed, the room of victims that have left would go to another group.
  private boolean isPatient(PodRecord entry, Instant now) {
    if (!entry.isBinding() && awaitsVolumes(entry, now)) { // else only its own outcome is awaited
      putOff(entry, now.plus(ASKED_AGAIN));
      block(entry).forEach(member -> member.patience.awaitVolume());
      return true;
    }
    if (lapsing(entry) != Way.WAITED) {
      return false;
    }
    var refused = Instant.MIN;
    for (PodRecord victim : entry.victims) {
      boolean isLater = LimitHeadroom.isToBeAsked(victim) && victim.refusedAt.isAfter(refused);
      refused = isLater ? victim.refusedAt : refused;
    }
    if (refused.equals(Instant.MIN) || !refused.plus(ASKED_AGAIN).isAfter(now)) {
      return false;
    }
    entry.patience.extend(refused.plus(ASKED_AGAIN));
    transitions.refresh(entry);
    return true;
  }

  private boolean awaitsVolumes(PodRecord entry, Instant now) {
    var plan = entry.plan();
    Duration longest = plan.gang().isEmpty() ? volumesAwaited : BLOCK_AWAITS_VOLUMES;
    return plan.until().plus(longest).isAfter(now)
        && !entry.group.hasEnded(plan.gang())
        && block(entry).stream().anyMatch(member -> volumes.isAwaited(member, member.plan()));
  }

  /// Whether a volume has come for which a plan, or its block, outlived the deadline. It does so
  /// once.
  private boolean volumeHasCome(PodRecord entry) {
    if (!entry.patience.endVolumeWait()) {
      return false;
    }
    var block = block(entry);
    block.forEach(member -> member.patience.endVolumeWait());
    return block.stream().noneMatch(member -> volumes.isAwaited(member, member.plan()))
        && block.stream().anyMatch(volumes::hasCome);
  }

  /// The members that were planned in one block with it, and itself.
  private static List<PodRecord> block(PodRecord entry) {
    String gang = entry.plan().gang();
    return gang.isEmpty()
        ? List.of(entry)
        : entry.group.members.values().stream()
            .filter(member -> member.isPlanned() && member.plan().gang().equals(gang))
            .toList();
  }

  /// Looks at a plan that is past its deadline, and at its block, no sooner than then.
  private void putOff(PodRecord entry, Instant until) {
    for (PodRecord member : block(entry)) {
      member.patience.extend(until);
      transitions.refresh(member);
    }
  }

  private static Way lapsing(PodRecord entry) {
    if (entry.isAdmitted()) {
      return Way.IN_DOUBT;
    }
    return entry.pod.isGated() && !entry.isUngating() ? Way.WAITED : Way.LAPSED;
  }

  /// Gives back blocks of which only some members have their plan written, and plans of single
  /// members.
  List<Assumed> giveBackIncomplete(Iterable<PodRecord> incomplete) {
    var given = new ArrayList<Assumed>(0);
    for (PodRecord entry : incomplete) {
      if (entry.isPlanned()) {
        given.addAll(transitions.giveBack(entry, new PlanEnd(Way.LEFT_BY_ANOTHER)));
      }
    }
    return given;
  }

  /// Gives back plans whose room another scheduler has taken, the last in order first, until the
  /// others fit. (Other schedulers see a plan only once it is bound or has holders.)
  List<Assumed> collapse() {
    var collapsed = new ArrayList<Assumed>(0);
    var next = rooms.crowdedAfter(NodeName.NONE);
    while (next.isPresent()) {
      NodeUsage node = next.get();
      for (PodRecord plan : node.plansFromTheLast()) {
        if (plan.isPlanned() && !node.holdsInTheEnd(plan)) {
          var end = new PlanEnd(Way.CROWDED_OUT, Backoff.ROOM_TAKEN);
          collapsed.addAll(transitions.giveBack(plan, end));
        }
      }
      next = rooms.crowdedAfter(node.name);
    }
    return collapsed;
  }

  /// Gives back plans of a node whose holders have not reported their GPUs.
  List<Assumed> giveBackUnheld(NodeName node) {
    var given = new ArrayList<Assumed>(0);
    for (PodRecord plan : rooms.find(node).plansFromTheLast()) {
      if (plan.isPlanned() && !plan.unheld().isEmpty()) {
        given.addAll(transitions.giveBack(plan, new PlanEnd(Way.NODE_IN_TROUBLE)));
      }
    }
    return given;
  }
}
