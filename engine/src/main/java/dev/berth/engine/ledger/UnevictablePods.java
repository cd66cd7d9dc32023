package dev.berth.engine.ledger;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Pods whose eviction is not allowed, whatever the disruption budgets seen here say: for a while
/// no plan counts on their room, as if each had a disruption budget of its own. That ends early
/// when a budget that covers the pod is eased.
final class UnevictablePods {
  private record Kept(Pod pod, DisruptionBudget budget, Instant until) {}

  private final TreeMap<DisruptionBudget.Key, Kept> kept = new TreeMap<>();

  void begin(Pod pod, Instant until) {
    var budget = DisruptionBudget.keeping(pod);
    kept.put(budget.key(), new Kept(pod, budget, until));
  }

  /// A budget changed. A pod that it covered may be evicted again once it is gone, does not cover
  /// the pod any more, or allows more evictions than before: the refusal said nothing of that.
  ///
  /// @param now empty = it is gone
  void budgetChanged(DisruptionBudget before, Optional<DisruptionBudget> now) {
    kept.values().removeIf(each -> before.covers(each.pod()) && isEased(each.pod(), before, now));
  }

  private static boolean isEased(Pod pod, DisruptionBudget before, Optional<DisruptionBudget> now) {
    return now.filter(budget -> budget.covers(pod))
        .map(budget -> budget.allowed() > Math.max(0, before.allowed()))
        .orElse(true);
  }

  boolean keeps(PodUid pod, Instant now) {
    return kept.values().stream()
        .anyMatch(each -> each.until().isAfter(now) && each.pod().uid().equals(pod));
  }

  boolean endAllUntil(Instant now) {
    return kept.values().removeIf(each -> !each.until().isAfter(now));
  }

  /// The same list where no pod is unevictable.
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
