package dev.berth.engine.explain;

import dev.berth.engine.Planner;
import dev.berth.engine.explain.Receipt.Alternative;
import dev.berth.engine.explain.Receipt.Leaver;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Predicate;

/// Receipts for the evictions of a plan: the preemptor, the rule, the queues before and after, and
/// what would have happened without that victim. The numbers of queues are the planner's own; each
/// alternative is a plan that was made, with the pods that may not leave kept as by a disruption
/// budget of their own.
public final class Receipts {
  private static final int MOST_ALTERNATIVES = 3;
  private static final int WHOLE = 1000;

  private final Planner planner;
  private final Snapshot snapshot;
  private final SortedMap<GroupKey, Instant> staleSince;
  private final Plan plan;

  /// @param plan of that snapshot, by that planner
  public Receipts(
      Planner planner, Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince, Plan plan) {
    this.planner = planner;
    this.snapshot = snapshot;
    this.staleSince = staleSince;
    this.plan = plan;
  }

  /// Whether a plan evicts such a pod.
  public static boolean evicts(Plan plan, Predicate<Victim> which) {
    return plan.decisions().stream().flatMap(each -> each.victims().stream()).anyMatch(which);
  }

  /// One for each eviction of such a pod, in the order of the plan.
  public List<Receipt> of(Predicate<Victim> which) {
    var receipts = new ArrayList<Receipt>();
    if (!evicts(plan, which)) {
      return receipts;
    }
    var accounts = PlanAccounts.of(planner.incremental(), snapshot, plan);
    for (Decision decision : plan.decisions()) {
      for (Victim victim : decision.victims()) {
        if (which.test(victim)) {
          receipts.add(receipt(decision, victim, accounts));
        }
      }
    }
    return receipts;
  }

  private Receipt receipt(Decision decision, Victim victim, PlanAccounts accounts) {
    var loser = groupOf(victim);
    var gainer =
        snapshot.group(victim.beneficiary()).filter(group -> !group.key().equals(loser.key()));
    var leaves = new ArrayList<>(List.of(loser.queue()));
    gainer.ifPresent(group -> leaves.add(group.queue()));
    return new Receipt(
        snapshot.now(),
        loser,
        victim,
        gainer,
        accounts.of(leaves, Optional.of(loser)),
        gainer.isPresent() ? alternatives(decision, victim) : List.of());
  }

  private PodGroup groupOf(Victim victim) {
    return snapshot.groups().stream()
        .filter(group -> group.members().stream().anyMatch(it -> isIt(it, victim.uid())))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(victim.pod() + " is not in the snapshot"));
  }

  private static boolean isIt(PodGroup.Member member, PodUid uid) {
    return member.pod().uid().equals(uid);
  }

  // ---- alternatives

  private List<Alternative> alternatives(Decision decision, Victim victim) {
    var taken = leavers(decision.victims());
    var kept = new LinkedHashMap<PodUid, Pod>();
    keep(victim, kept);
    var alternatives = new ArrayList<Alternative>();
    while (alternatives.size() < MOST_ALTERNATIVES) {
      var other = WhatIf.decision(planWithout(kept), decision.group());
      if (other.isEmpty()) {
        break;
      }
      switch (other.get()) {
        case Decision.Wait(_, var reason, _) -> {
          alternatives.add(new Alternative.Waits(reason));
          return alternatives;
        }
        case Decision.Reserve reserve -> {
          if (reserve.victims().isEmpty()) {
            alternatives.add(new Alternative.EnoughCapacity());
            return alternatives;
          }
          var leavers = leavers(reserve.victims());
          alternatives.add(
              new Alternative.Others(without(leavers, taken), without(taken, leavers)));
          int before = kept.size();
          without(leavers, taken).forEach(each -> keep(each.victim(), kept));
          if (kept.size() == before) {
            return alternatives;
          }
        }
        case Decision.Evict _, Decision.Withdraw _ -> {
          return alternatives;
        }
      }
    }
    return alternatives;
  }

  private void keep(Victim victim, LinkedHashMap<PodUid, Pod> kept) {
    groupOf(victim).members().stream()
        .filter(member -> isIt(member, victim.uid()))
        .forEach(member -> kept.put(victim.uid(), member.pod()));
  }

  private Plan planWithout(LinkedHashMap<PodUid, Pod> kept) {
    var budgets = new ArrayList<>(snapshot.budgets());
    kept.values().forEach(pod -> budgets.add(DisruptionBudget.keeping(pod)));
    budgets.sort(Comparator.comparing(DisruptionBudget::key));
    return new WhatIf(planner, snapshot.with(budgets), staleSince).plan(List.of());
  }

  private List<Leaver> leavers(List<Victim> victims) {
    return victims.stream()
        .map(victim -> {
          var group = groupOf(victim);
          return new Leaver(group, victim, millis(group, victim));
        })
        .toList();
  }

  private static long millis(PodGroup group, Victim victim) {
    return group.members().stream()
        .filter(member -> isIt(member, victim.uid()))
        .map(member -> member.pod().asks().request().devices())
        .mapToLong(devices -> {
          int millis = devices.millisOn(0);
          return millis > WHOLE ? 0 : (long) millis * devices.count();
        })
        .sum();
  }

  private static List<Leaver> without(List<Leaver> some, List<Leaver> others) {
    return some.stream()
        .filter(
            each -> others.stream().noneMatch(it -> it.victim().uid().equals(each.victim().uid())))
        .toList();
  }
}
