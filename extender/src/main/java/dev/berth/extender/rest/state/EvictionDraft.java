package dev.berth.extender.rest.state;

import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.explain.PlanAccounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.MemberCounts;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.state.EvictionPlan.Leaver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// What is known of a victim from the plan that chose it.
///
/// @param begun members of the beneficiary that had begun then; see [#begun(PodGroup)]
record EvictionDraft(Victim victim, EvictionPlan plan, int begun) {
  /// One for each victim of a plan. Costs a look at all pods, and twice how queues stand.
  ///
  /// @param planner whose numbers are told
  static List<EvictionDraft> of(IncrementalPlanner planner, Snapshot snapshot, Plan plan) {
    var groups = losers(snapshot, plan);
    var accounts = PlanAccounts.of(planner, snapshot, plan);
    var drafts = new ArrayList<EvictionDraft>();
    for (Decision decision : plan.decisions()) {
      if (!decision.victims().isEmpty()) {
        drafts.addAll(of(decision, groups, accounts, snapshot, plan));
      }
    }
    return drafts;
  }

  /// Members that are or were bound: with more of them the group has started.
  static int begun(PodGroup group) {
    var counts = MemberCounts.of(group);
    return counts.bound() + counts.ended();
  }

  static boolean hasVictims(Plan plan) {
    return plan.decisions().stream().anyMatch(each -> !each.victims().isEmpty());
  }

  private static HashMap<PodUid, PodGroup> losers(Snapshot snapshot, Plan plan) {
    var groups = new HashMap<PodUid, PodGroup>(); // looked up only
    var victims = new HashMap<PodUid, Victim>(); // looked up only
    plan.decisions().forEach(each -> each.victims().forEach(it -> victims.put(it.uid(), it)));
    for (PodGroup group : snapshot.groups()) {
      for (PodGroup.Member member : group.members()) {
        if (victims.containsKey(member.pod().uid())) {
          groups.put(member.pod().uid(), group);
        }
      }
    }
    return groups;
  }

  private static List<EvictionDraft> of(
      Decision decision,
      HashMap<PodUid, PodGroup> groups,
      PlanAccounts accounts,
      Snapshot snapshot,
      Plan plan) {
    var victims = decision.victims();
    var named =
        victims.stream()
            .limit(EvictionPlan.MOST_NAMED)
            .map(each -> new Leaver(each.pod(), queue(each, groups), isMoved(each)))
            .toList();
    var plans = new TreeMap<QueueName, TreeMap<QueueName, EvictionPlan>>(); // by loser, gainer
    var drafts = new ArrayList<EvictionDraft>();
    for (Victim victim : victims) {
      var gainer = snapshot.group(victim.beneficiary());
      var loses = queue(victim, groups);
      var gains = gainer.map(PodGroup::queue).orElse(QueueName.NONE);
      var shared =
          plans
              .computeIfAbsent(loses, _ -> new TreeMap<>())
              .computeIfAbsent(
                  gains,
                  _ ->
                      new EvictionPlan(
                          plan.at(),
                          victims.size(),
                          named,
                          accounts
                              .of(
                                  List.of(loses, gains),
                                  Optional.ofNullable(groups.get(victim.uid())))
                              .stream()
                              .flatMap(change -> change.amounts().stream())
                              .toList()));
      drafts.add(new EvictionDraft(victim, shared, gainer.map(EvictionDraft::begun).orElse(0)));
    }
    return drafts;
  }

  private static QueueName queue(Victim victim, HashMap<PodUid, PodGroup> groups) {
    return Optional.ofNullable(groups.get(victim.uid()))
        .map(PodGroup::queue)
        .orElse(QueueName.NONE);
  }

  private static boolean isMoved(Victim victim) {
    return !victim.again().equals(Placement.NONE);
  }
}
