package dev.berth.engine.explain;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Snapshot;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Pods of one workload that a plan makes leave.
///
/// @param beneficiary for which they leave; the group itself where there is no other
/// @param evicted pods that wait again
/// @param moved pods that are placed elsewhere by the same plan
/// @param causes in their order
public record Departure(
    GroupKey group, GroupKey beneficiary, int evicted, int moved, SortedSet<Cause> causes) {
  public Departure {
    causes = Collections.unmodifiableSortedSet(new TreeSet<>(causes));
  }

  /// `2 pods are evicted for default/train (reclaim)`, without the workload.
  public String words() {
    return words(isForOther() ? " for " + beneficiary : "");
  }

  /// The same without the name of the beneficiary, which may not be told.
  public String wordsWithoutBeneficiary() {
    return words(isForOther() ? " for another workload" : "");
  }

  private String words(String forOther) {
    return Stream.of(words(evicted, "evicted"), words(moved, "moved"))
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining(" and "))
        + forOther
        + causes.stream()
            .map(each -> each.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .collect(Collectors.joining(", ", " (", ")"));
  }

  private static String words(int pods, String what) {
    return pods == 0 ? "" : Phrases.count(pods, "pod") + (pods == 1 ? " is " : " are ") + what;
  }

  /// Whether they leave for a workload that is not their own.
  public boolean isForOther() {
    return !beneficiary.equals(group);
  }

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
    var causes = new TreeSet<>(List.of(victim.cause()));
    return new Departure(group, victim.beneficiary(), isMoved ? 0 : 1, isMoved ? 1 : 0, causes);
  }

  private Departure plus(Departure other) {
    var all = new TreeSet<>(causes);
    all.addAll(other.causes);
    return new Departure(group, beneficiary, evicted + other.evicted, moved + other.moved, all);
  }
}
