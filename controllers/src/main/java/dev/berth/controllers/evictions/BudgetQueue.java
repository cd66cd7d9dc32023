package dev.berth.controllers.evictions;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.PodUid;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.TreeMap;

/// Pods under one disruption budget are asked to leave one after the other. Each eviction writes
/// the status of the budget; where two come at once, kube-apiserver lets one of them wait for half
/// a second, again and again (`EvictionsRetry`, 1.36). Any thread.
final class BudgetQueue {
  /// The pods that wait for the one whose turn it is.
  private final TreeMap<DisruptionBudget.Key, LinkedHashSet<PodUid>> lines = new TreeMap<>();

  private final TreeMap<PodUid, DisruptionBudget.Key> turnOf = new TreeMap<>();

  /// Whether it is the pod's turn; else it is queued. A pod under several budgets is refused by the
  /// API server whenever it comes, so the first is enough.
  synchronized boolean take(PodUid uid, Optional<DisruptionBudget.Key> first) {
    if (first.isEmpty() || turnOf.containsKey(uid)) {
      return true;
    }
    var budget = first.get();
    var line = lines.get(budget);
    if (line != null) {
      line.add(uid);
      return false;
    }
    lines.put(budget, new LinkedHashSet<>());
    turnOf.put(uid, budget);
    return true;
  }

  /// Whatever came of it. The next pod has its turn, and must be told.
  synchronized Optional<PodUid> done(PodUid uid) {
    var budget = turnOf.remove(uid);
    if (budget == null) {
      return Optional.empty();
    }
    var line = lines.get(budget);
    if (line == null || line.isEmpty()) {
      lines.remove(budget);
      return Optional.empty();
    }
    var next = line.removeFirst();
    turnOf.put(next, budget);
    return Optional.of(next);
  }
}
