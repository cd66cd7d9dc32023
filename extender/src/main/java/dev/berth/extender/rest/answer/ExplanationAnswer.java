package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.Counterfactuals.Found;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.extender.rest.state.Revision;
import java.util.List;
import java.util.SortedMap;

/// Why a workload waits, and what would let it start: each proven by a plan over a copy of the
/// cluster.
///
/// @param reason `code` and `sentence`; empty = it does not wait
/// @param plans most plans that were made for it: what they do not suffice for is left out
/// @param cutShort they did not suffice: more may help
/// @param hidden remedies that name what the client may not see
public record ExplanationAnswer(
    String revision,
    String at,
    String namespace,
    String name,
    SortedMap<String, String> reason,
    List<Help> helps,
    int plans,
    boolean cutShort,
    int hidden) {
  public ExplanationAnswer {
    helps = List.copyOf(helps);
  }

  /// Remedies that together let it start.
  ///
  /// @param by the role that can apply them: `user`, `administrator`, `time`
  /// @param evicts pods that would be evicted for it
  /// @param againstBudgets how many of these against a disruption budget, and so later
  public record Help(List<String> by, List<String> remedies, int evicts, int againstBudgets) {}

  public static ExplanationAnswer of(
      String revision, Revision from, GroupKey key, Found found, int plans, Visible visible) {
    var helps = VisibleRemedies.of(found, visible).stream().map(each -> help(each, key)).toList();
    return new ExplanationAnswer(
        revision,
        from.snapshot().now().toString(),
        key.namespace(),
        key.name(),
        WorkloadAnswer.why(key, from),
        helps,
        plans,
        found.isCutShort(),
        found.all().size() - helps.size());
  }

  private static Help help(Counterfactual found, GroupKey key) {
    var victims =
        WhatIf.decision(found.plan(), key)
            .filter(Decision.Reserve.class::isInstance)
            .map(reserve -> ((Decision.Reserve) reserve).victims())
            .orElse(List.of());
    int against = (int) victims.stream().filter(Decision.Victim::againstBudgets).count();
    return new Help(
        VisibleRemedies.by(found),
        found.remedies().stream().map(Remedy::words).toList(),
        victims.size(),
        against);
  }
}
