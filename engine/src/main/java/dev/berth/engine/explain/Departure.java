package dev.berth.engine.explain;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.util.HashMap;
import java.util.List;
import java.util.TreeMap;

/// Pods of one workload that a plan makes leave.
///
/// @param beneficiary for which they leave; the group itself where there is no other
/// @param evicted pods that wait again
/// @param moved pods that are placed elsewhere by the same plan
public record Departure(GroupKey group, GroupKey beneficiary, int evicted, int moved) {
  /// By group and beneficiary.
  static List<Departure> of(Snapshot cluster, Plan plan) {
    var victims =
        plan.decisions().stream().flatMap(decision -> decision.victims().stream()).toList();
    if (victims.isEmpty()) {
      return List.of();
    }
    var groups = new HashMap<PodUid, GroupKey>(); // looked up only
    for (PodGroup group : cluster.groups()) {
      group.members().forEach(member -> groups.put(member.pod().uid(), group.key()));
    }
    var departures = new TreeMap<GroupKey, TreeMap<GroupKey, Departure>>();
    for (Decision.Victim victim : victims) {
      var group = groups.getOrDefault(victim.uid(), victim.beneficiary());
      departures
          .computeIfAbsent(group, _ -> new TreeMap<>())
          .merge(victim.beneficiary(), one(group, victim), Departure::plus);
    }
    return departures.values().stream().flatMap(each -> each.values().stream()).toList();
  }

  private static Departure one(GroupKey group, Decision.Victim victim) {
    boolean isMoved = !victim.again().node().isNone();
    return new Departure(group, victim.beneficiary(), isMoved ? 0 : 1, isMoved ? 1 : 0);
  }

  private Departure plus(Departure other) {
    return new Departure(group, beneficiary, evicted + other.evicted, moved + other.moved);
  }
}
