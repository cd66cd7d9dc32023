package dev.berth.extender.rest.state;

import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Usage;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the planner last came to. Maps are shared with it and never changed.
///
/// @param waits every group that waits, and why
/// @param ahead of groups that the last plan let wait, those that come before them
/// @param staleSince groups that run below their minimum, and since when
/// @param accounts how queues stand; seconds old at most
/// @param usage what they used over time
public record Findings(
    SortedMap<GroupKey, Reason> waits,
    SortedMap<GroupKey, Decision.Ahead> ahead,
    SortedMap<GroupKey, Instant> staleSince,
    Accounts accounts,
    Usage usage) {
  /// Before the first plan.
  public static final Findings NONE =
      new Findings(
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Collections.emptySortedMap(),
          Accounts.NONE,
          Usage.NONE);

  Findings with(PlanFound plan) {
    return new Findings(plan.waits(), ahead(plan), plan.staleSince(), accounts, usage);
  }

  Findings with(Accounts nextAccounts, Usage nextUsage) {
    return new Findings(waits, ahead, staleSince, nextAccounts, nextUsage);
  }

  /// A plan does not tell again of groups whose wait is as before: what it told then holds.
  private SortedMap<GroupKey, Decision.Ahead> ahead(PlanFound plan) {
    var next = new TreeMap<GroupKey, Decision.Ahead>();
    plan.waits().keySet().stream()
        .filter(ahead::containsKey)
        .forEach(key -> next.put(key, ahead.getOrDefault(key, Decision.Ahead.NONE)));
    for (Decision each : plan.plan().decisions()) {
      if (each instanceof Decision.Wait(var key, _, var others)) {
        next.put(key, others);
      }
    }
    return Collections.unmodifiableSortedMap(next);
  }
}
