package dev.berth.engine.explain;

import dev.berth.engine.Planner;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// What a workload would get that is not submitted yet: its groups are planned beside all others
/// over a copy of the cluster, and for those that would wait it is sought what lets them start.
/// Nothing is assumed or written. Any thread.
public final class SubmissionTrial {
  /// Groups that are told: a Deployment has one for each pod.
  public static final int MOST_TOLD = 16;

  private SubmissionTrial() {}

  /// @param world the cluster with its groups
  /// @param plan that would follow
  /// @param told the first of its groups, in their order
  /// @param more how many others it has
  public record Outcome(Snapshot world, Plan plan, List<Told> told, int more) {
    public Outcome {
      told = List.copyOf(told);
    }
  }

  /// One group.
  ///
  /// @param waiting empty = it starts, or keeps what it has
  /// @param found what would let it start
  public record Told(PodGroup group, Optional<Decision.Wait> waiting, Counterfactuals.Found found) {
    /// Its places, and which pods leave for it; empty = it has none.
    public Optional<Decision.Reserve> places(Plan plan) {
      return SubmissionTrial.places(plan, group.key());
    }
  }

  /// What a plan has for a group; empty = no places.
  public static Optional<Decision.Reserve> places(Plan plan, GroupKey group) {
    return WhatIf.decision(plan, group)
        .filter(Decision.Reserve.class::isInstance)
        .map(Decision.Reserve.class::cast);
  }

  /// @param snapshot the cluster without them
  /// @param groups that its pods form
  /// @param most plans that are made for all of them beside the first; what they do not suffice for
  ///   is left out
  public static Outcome of(
      Planner planner,
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      List<PodGroup> groups,
      int most,
      PriorityClasses classes) {
    var changes = groups.stream().<Change>map(Change.SetGroup::new).toList();
    var world = ChangedSnapshot.of(snapshot, changes);
    var plan = new WhatIf(planner, world, staleSince).plan(List.of());
    var told = new ArrayList<Told>();
    int left = most;
    for (PodGroup group : groups.subList(0, Math.min(MOST_TOLD, groups.size()))) {
      var wait = Optional.ofNullable(plan.waits().get(group.key()));
      var found = Counterfactuals.Found.NOTHING;
      if (wait.isPresent()) {
        found = Counterfactuals.of(planner, world, staleSince, group.key(), left, classes);
        left -= found.plans();
      }
      told.add(new Told(group, wait, found));
    }
    return new Outcome(world, plan, told, groups.size() - told.size());
  }
}
