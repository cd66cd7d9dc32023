package dev.berth.engine.explain;

import dev.berth.engine.Planner;
import dev.berth.engine.action.ActionSettings.Switch;
import dev.berth.engine.explain.Trials.Attempt;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PriorityClasses;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiFunction;

/// What would let a waiting group start: of each kind of [Remedy] the smallest that does, found by
/// planning again on a copy of the cluster, never by guess.
///
/// Where no remedy does alone, limits and quotas that stand in the way are raised first, and what
/// then still stands in the way is sought on top of that.
public final class Counterfactuals {
  /// Limits and quotas that are raised one after the other before others are sought.
  private static final int MOST_RAISED = 4;

  private final Trials trials;
  private final List<BiFunction<Attempt, Reason, Optional<Attempt>>> levers;

  private Counterfactuals(WhatIf whatIf, GroupKey group, int most, PriorityClasses classes) {
    this.trials = new Trials(whatIf, group, most);
    var ofGroup = new GroupLevers(trials, classes);
    var ofQueues = new QueueLevers(trials);
    var ofRoom = new RoomLevers(trials);
    this.levers =
        List.of(
            (base, _) -> ofRoom.later(base),
            (base, _) -> switchedOn(base),
            ofQueues::limits,
            ofQueues::quotas,
            ofQueues::otherQueue,
            (base, _) -> ofGroup.topology(base),
            (base, _) -> ofGroup.preemptible(base),
            (base, _) -> ofGroup.mayPreempt(base),
            (base, _) -> ofGroup.priority(base),
            (base, _) -> ofGroup.minimum(base),
            (base, _) -> ofGroup.devices(base),
            (base, _) -> ofGroup.selector(base),
            (base, _) -> ofGroup.toleration(base),
            (base, _) -> ofRoom.ends(base),
            (base, _) -> ofRoom.uncordon(base),
            (base, _) -> ofRoom.nodes(base));
  }

  /// @param all empty where the group is not there, does not wait, or nothing that is tried helps
  /// @param isCutShort the plans did not suffice: more may help
  /// @param plans that were made of those that may be
  public record Found(List<Counterfactual> all, boolean isCutShort, int plans) {
    public static final Found NOTHING = new Found(List.of(), false, 0);

    public Found {
      all = List.copyOf(all);
    }
  }

  /// @param group that waits
  /// @param most plans that are made for it; what they do not suffice for is left out
  public static Found of(
      Planner planner,
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      GroupKey group,
      int most) {
    return of(planner, snapshot, staleSince, group, most, PriorityClasses.UNKNOWN);
  }

  /// The same.
  ///
  /// @param classes that pods may name
  public static Found of(
      Planner planner,
      Snapshot snapshot,
      SortedMap<GroupKey, Instant> staleSince,
      GroupKey group,
      int most,
      PriorityClasses classes) {
    if (snapshot.group(group).isEmpty()) {
      return Found.NOTHING;
    }
    var whatIf = new WhatIf(planner, snapshot, staleSince);
    var counterfactuals = new Counterfactuals(whatIf, group, most, classes);
    var all = counterfactuals.all();
    return new Found(
        all, counterfactuals.trials.areCutShort(), most - counterfactuals.trials.left());
  }

  /// The changes that some remedies stand for, made in their order.
  ///
  /// @param group that they are for, which is in the snapshot
  public static List<Change> changes(Snapshot snapshot, GroupKey group, List<Remedy> remedies) {
    return Attempt.of(group, snapshot, remedies).changes();
  }

  private List<Counterfactual> all() {
    var base = trials.nothing();
    var reason = trials.reason(base);
    for (int i = 0; i <= MOST_RAISED && reason.isPresent(); i++) {
      var found = on(base, reason.get());
      var raised = raised(base, reason.get());
      if (!found.isEmpty() || raised.isEmpty()) {
        return found;
      }
      base = raised.get();
      reason = trials.reason(base);
    }
    return List.of();
  }

  private List<Counterfactual> on(Attempt base, Reason reason) {
    var found = new ArrayList<Counterfactual>();
    for (var lever : levers) {
      lever.apply(base, reason).map(trials::proven).ifPresent(found::add);
    }
    return found;
  }

  /// The first of the actions that are off which does.
  private Optional<Attempt> switchedOn(Attempt base) {
    return Arrays.stream(Switch.values())
        .filter(action -> !trials.isOn(action))
        .map(action -> base.with(new Remedy.SwitchOn(action)))
        .filter(trials::starts)
        .findFirst();
  }

  /// What a reason says is too little, raised as far as it says.
  private static Optional<Attempt> raised(Attempt base, Reason reason) {
    return reason instanceof Reason.NeverFits never && !never.besides().isEmpty()
        ? QueueLevers.raised(base, never.besides().getFirst())
        : QueueLevers.raised(base, reason);
  }
}
