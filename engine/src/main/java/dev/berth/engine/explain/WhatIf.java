package dev.berth.engine.explain;

import dev.berth.engine.Planner;
import dev.berth.engine.action.ActionSettings.Switch;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What would follow from [changes][Change] to the cluster: the plan over a copy of it, by the same
/// planner. Nothing is assumed or written.
///
/// Searches for victims that the planner spreads over several plans are brought to their end here,
/// so the outcome is that of the cluster once it has come to rest; a plan costs as much as one of
/// the product, times the slices of its searches. Any thread.
public final class WhatIf {
  /// Plans after which a search that still goes on is left as it is.
  private static final int MOST_SLICES = 256;

  private final Planner planner;
  private final Snapshot snapshot;
  private final SortedMap<GroupKey, Instant> staleSince;

  /// @param staleSince since when each group is stale that is; as for [Planner#plan]
  public WhatIf(Planner planner, Snapshot snapshot, SortedMap<GroupKey, Instant> staleSince) {
    this.planner = planner;
    this.snapshot = snapshot;
    this.staleSince = staleSince;
  }

  public Snapshot snapshot() {
    return snapshot;
  }

  /// The cluster with these changes, made in their order.
  public Snapshot with(List<Change> changes) {
    return ChangedSnapshot.of(snapshot, changes);
  }

  /// The plan that would follow at once; of no changes the plan as things are.
  public Plan plan(List<Change> changes) {
    return planOver(with(changes), by(changes));
  }

  /// The planner with the actions that are switched on.
  private Planner by(List<Change> changes) {
    var actions = planner.settings().actions();
    var switched = actions;
    for (Change each : changes) {
      if (each instanceof Change.SwitchOn(var action)) {
        switched = switched.switchedOn(action);
      }
    }
    return switched == actions ? planner : new Planner(planner.settings().with(switched));
  }

  /// Whether the planner takes an action.
  boolean isOn(Switch action) {
    return planner.settings().actions().isOn(action);
  }

  private Plan planOver(Snapshot changed, Planner by) {
    var incremental = by.incremental();
    var plan = incremental.plan(changed, staleSince);
    for (int slices = 1; plan.searches() && slices < MOST_SLICES; slices++) {
      plan = incremental.plan(changed, staleSince);
    }
    return plan;
  }

  /// What the changes make different.
  public Outcome outcome(List<Change> changes) {
    var changed = with(changes);
    return Outcome.between(
        snapshot, planOver(snapshot, planner), changed, planOver(changed, by(changes)));
  }

  /// What a plan has for a group; empty = it keeps what it has.
  public static Optional<Decision> decision(Plan plan, GroupKey group) {
    return plan.decisions().stream()
        .filter(each -> each.group().equals(group) && !(each instanceof Decision.Withdraw))
        .findFirst();
  }

  /// Whether a plan gives places to a group.
  static boolean starts(Plan plan, GroupKey group) {
    return decision(plan, group).filter(Decision.Reserve.class::isInstance).isPresent();
  }

  /// @param differs groups for which the two plans have different decisions, by key
  /// @param departures pods that leave by the plan after, and not by that before
  /// @param gone groups that lose all their pods with the changes themselves, by key
  /// @param losses of groups that lose some of them so, by key
  public record Outcome(
      Plan before,
      Plan after,
      List<Difference> differs,
      List<Departure> departures,
      List<GroupKey> gone,
      List<Loss> losses) {
    public Outcome {
      differs = List.copyOf(differs);
      departures = List.copyOf(departures);
      gone = List.copyOf(gone);
      losses = List.copyOf(losses);
    }

    static Outcome between(Snapshot cluster, Plan before, Snapshot changed, Plan after) {
      var losses = losses(cluster, changed);
      var gone = new TreeSet<GroupKey>();
      losses.stream().filter(each -> each.left() == 0).forEach(each -> gone.add(each.group()));
      var vanished = new TreeSet<>(keys(cluster));
      vanished.removeAll(keys(changed));
      gone.addAll(vanished);
      var was = byGroup(before);
      was.keySet().removeAll(gone);
      var is = byGroup(after);
      is.keySet().removeAll(gone);
      var all = new TreeSet<>(was.keySet());
      all.addAll(is.keySet());
      var differs = new ArrayList<Difference>();
      for (GroupKey key : all) {
        var difference =
            new Difference(
                key, Optional.ofNullable(was.get(key)), Optional.ofNullable(is.get(key)));
        if (!difference.before().equals(difference.after())) {
          differs.add(difference);
        }
      }
      var departures = new ArrayList<>(Departure.of(changed, after));
      departures.removeAll(Departure.of(cluster, before));
      losses.removeIf(each -> each.left() == 0);
      return new Outcome(before, after, differs, departures, List.copyOf(gone), losses);
    }

    /// Groups that have fewer pods. One that is made anew for a pod counts.
    private static List<Loss> losses(Snapshot cluster, Snapshot changed) {
      var losses = new ArrayList<Loss>();
      for (PodGroup group : cluster.groups()) {
        int left = changed.group(group.key()).map(after -> after.members().size()).orElse(0);
        int lost = group.members().size() - left;
        if (lost > 0) {
          losses.add(new Loss(group.key(), lost, left));
        }
      }
      return losses;
    }

    private static List<GroupKey> keys(Snapshot cluster) {
      return cluster.groups().stream().map(PodGroup::key).toList();
    }

    private static TreeMap<GroupKey, Decision> byGroup(Plan plan) {
      var byGroup = new TreeMap<GroupKey, Decision>();
      plan.decisions().stream()
          .filter(each -> !(each instanceof Decision.Withdraw))
          .forEach(each -> byGroup.putIfAbsent(each.group(), each));
      return byGroup;
    }
  }

  /// Pods of one workload that are removed, and not made anew.
  ///
  /// @param left how many it has after that
  public record Loss(GroupKey group, int lost, int left) {
    /// `loses 1 of its 2 pods, which has no controller`: others come back, and wait.
    public String words() {
      return "loses "
          + lost
          + " of its "
          + Phrases.count(lost + left, "pod")
          + (lost == 1 ? ", which has" : ", which have")
          + " no controller";
    }
  }

  /// @param before empty = the group keeps what it has
  /// @param after empty = the group keeps what it has, or is no more
  public record Difference(GroupKey group, Optional<Decision> before, Optional<Decision> after) {}
}
