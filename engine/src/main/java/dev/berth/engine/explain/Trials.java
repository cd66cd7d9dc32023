package dev.berth.engine.explain;

import dev.berth.engine.action.ActionSettings.Switch;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Plans for one waiting group over changed copies of a cluster; a bounded number of them.
final class Trials {
  private final WhatIf whatIf;
  private final GroupKey key;
  private int left;
  private boolean isCutShort;

  /// The remedies of the last plan, and that plan: what is asked of it next is asked of the same.
  private List<Remedy> lastRemedies = List.of();

  private Optional<Plan> lastPlan = Optional.empty();

  /// @param most plans that are made
  Trials(WhatIf whatIf, GroupKey key, int most) {
    this.whatIf = whatIf;
    this.key = key;
    this.left = most;
  }

  /// Some remedies, and the cluster with them.
  record Attempt(
      GroupKey key, Snapshot base, List<Remedy> remedies, List<Change> changes, Snapshot world) {
    static Attempt of(GroupKey key, Snapshot base, List<Remedy> remedies) {
      var attempt = new Attempt(key, base, List.of(), List.of(), base);
      for (Remedy each : remedies) {
        attempt = attempt.then(each);
      }
      return attempt;
    }

    private Attempt then(Remedy remedy) {
      var more = RemedyChanges.of(remedy, world, key);
      var all = new ArrayList<>(remedies);
      all.add(remedy);
      var allChanges = new ArrayList<>(changes);
      allChanges.addAll(more);
      return new Attempt(key, base, all, allChanges, ChangedSnapshot.of(world, more));
    }

    /// The same with another remedy. One that raises what another has raised stands in its stead.
    Attempt with(Remedy remedy) {
      for (int i = 0; i < remedies.size(); i++) {
        var together = together(remedies.get(i), remedy);
        if (together.isPresent()) {
          var all = new ArrayList<>(remedies);
          all.set(i, together.get());
          return of(key, base, all);
        }
      }
      return then(remedy);
    }

    private static Optional<Remedy> together(Remedy one, Remedy other) {
      if (one
              instanceof
              Remedy.RaiseLimit(var queue, var resource, long from, long before, var pool)
          && other instanceof Remedy.RaiseLimit(var same, var like, _, long to, var there)
          && queue.equals(same)
          && pool.equals(there)
          && resource.equals(like)) {
        return Optional.of(
            new Remedy.RaiseLimit(queue, resource, from, Math.max(before, to), pool));
      }
      if (one
              instanceof
              Remedy.RaiseQuota(var queue, var resource, long from, long before, var pool)
          && other instanceof Remedy.RaiseQuota(var same, var like, _, long to, var there)
          && queue.equals(same)
          && pool.equals(there)
          && resource.equals(like)) {
        return Optional.of(
            new Remedy.RaiseQuota(queue, resource, from, Math.max(before, to), pool));
      }
      return Optional.empty();
    }

    private Attempt without(Remedy remedy) {
      var fewer = new ArrayList<>(remedies);
      fewer.remove(remedy);
      return of(key, base, fewer);
    }

    Queue queue(QueueName name) {
      return RemedyChanges.queue(world, name);
    }
  }

  Attempt nothing() {
    return Attempt.of(key, whatIf.snapshot(), List.of());
  }

  /// The waiting group, as it is in an attempt.
  PodGroup group(Attempt attempt) {
    return attempt.world().group(key).orElseThrow();
  }

  GroupKey key() {
    return key;
  }

  /// Whether a plan is left for what would be tried next; that none is left is noted.
  boolean hasPlan() {
    isCutShort |= left <= 0;
    return left > 0;
  }

  /// Plans that may still be made.
  int left() {
    return left;
  }

  /// Whether more would have been tried with more plans.
  boolean areCutShort() {
    return isCutShort;
  }

  /// Whether the planner takes an action.
  boolean isOn(Switch action) {
    return whatIf.isOn(action);
  }

  /// The plan that would follow; empty = no trial is left.
  Optional<Plan> plan(Attempt attempt) {
    if (lastPlan.isPresent() && lastRemedies.equals(attempt.remedies())) {
      return lastPlan;
    }
    if (!hasPlan()) {
      return Optional.empty();
    }
    left--;
    return Optional.of(planned(attempt));
  }

  private Plan planned(Attempt attempt) {
    if (lastPlan.isEmpty() || !lastRemedies.equals(attempt.remedies())) {
      lastPlan = Optional.of(whatIf.plan(attempt.changes()));
      lastRemedies = attempt.remedies();
    }
    return lastPlan.orElseThrow();
  }

  /// Whether the group starts; `false` also where no trial is left.
  boolean starts(Attempt attempt) {
    return plan(attempt).filter(plan -> WhatIf.starts(plan, key)).isPresent();
  }

  /// Why the group waits; empty = it does not, or no trial is left.
  Optional<Reason> reason(Attempt attempt) {
    return plan(attempt)
        .flatMap(plan -> WhatIf.decision(plan, key))
        .filter(Decision.Wait.class::isInstance)
        .map(wait -> ((Decision.Wait) wait).reason());
  }

  /// The attempt without what is not needed, with its plan. Its plans are not counted.
  Counterfactual proven(Attempt attempt) {
    var needed = attempt;
    for (Remedy each : attempt.remedies()) {
      var fewer = needed.without(each);
      if (!fewer.remedies().isEmpty() && WhatIf.starts(planned(fewer), key)) {
        needed = fewer;
      }
    }
    return new Counterfactual(needed.remedies(), needed.changes(), planned(needed));
  }
}
