package dev.berth.engine.ledger;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// Pods that were asked to leave and may not, whatever the budgets say that we see: for a while
/// nobody plans onto their room, as if each had a disruption budget of its own.
final class Unwilling {
  private record Kept(DisruptionBudget budget, Instant until) {}

  private final TreeMap<DisruptionBudget.Key, Kept> kept = new TreeMap<>();

  void begin(Pod pod, Instant until) {
    var budget = DisruptionBudget.keeping(pod);
    kept.put(budget.key(), new Kept(budget, until));
  }

  boolean endAllUntil(Instant now) {
    return kept.values().removeIf(each -> !each.until().isAfter(now));
  }

  /// The same list where nobody is unwilling.
  List<DisruptionBudget> with(List<DisruptionBudget> budgets) {
    if (kept.isEmpty()) {
      return budgets;
    }
    var all = new ArrayList<>(budgets);
    kept.values().forEach(each -> all.add(each.budget()));
    all.sort(Comparator.comparing(DisruptionBudget::key));
    return all;
  }
}
