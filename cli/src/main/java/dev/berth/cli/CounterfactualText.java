package dev.berth.cli;

import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Phrases;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;

/// What would let a group start, in words.
final class CounterfactualText {
  private static final int FEW = 4; // nodes that are named

  private CounterfactualText() {}

  /// The roles that can apply it.
  static String by(Counterfactual found) {
    var all = new TreeSet<Remedy.By>();
    found.remedies().forEach(each -> all.add(each.by()));
    return String.join(
        "+", all.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).toList());
  }

  /// That more may help than was found; empty = all was tried.
  static Optional<String> cutShort(Counterfactuals.Found found, int plans) {
    return found.isCutShort()
        ? Optional.of("Not everything was tried: --plans " + plans + " does not suffice.")
        : Optional.empty();
  }

  /// Empty where it has no places in the plan.
  static Optional<Decision.Reserve> places(Plan plan, GroupKey key) {
    return WhatIf.decision(plan, key)
        .filter(Decision.Reserve.class::isInstance)
        .map(Decision.Reserve.class::cast);
  }

  /// `; evicts 2 pods (team/a, team/b)`, or nothing.
  static String victims(Plan plan, GroupKey key) {
    return places(plan, key)
        .map(Decision.Reserve::victims)
        .filter(victims -> !victims.isEmpty())
        .map(victims -> "; evicts " + named(victims) + against(victims))
        .orElse("");
  }

  private static String named(List<Victim> victims) {
    var names = victims.stream().map(victim -> victim.pod().toString()).toList();
    return Phrases.count(victims.size(), "pod") + " (" + Phrases.first(names, FEW) + ")";
  }

  /// They leave later than others.
  private static String against(List<Victim> victims) {
    long against = victims.stream().filter(Victim::againstBudgets).count();
    if (against == 0) {
      return "";
    }
    return (against == victims.size() ? "" : ", " + against + " of them")
        + " against a disruption budget, after evictions.budgetTimeout";
  }

  /// `2 pods on n1, 1 on n2`.
  static String nodes(Decision.Reserve reserve) {
    var counts = new LinkedHashMap<String, Integer>();
    for (List<Reserved> part : List.of(reserve.block(), reserve.surplus())) {
      part.forEach(each -> counts.merge(each.placement().node().value(), 1, Integer::sum));
    }
    var words = new ArrayList<String>();
    counts.forEach((node, count) ->
        words.add((words.isEmpty() ? Phrases.count(count, "pod") : count) + " on " + node));
    return Phrases.first(words, FEW);
  }
}
