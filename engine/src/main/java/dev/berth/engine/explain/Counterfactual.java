package dev.berth.engine.explain;

import dev.berth.engine.model.Plan;
import java.util.List;
import java.util.stream.Collectors;

/// What lets a waiting group start, proven by a plan.
///
/// @param remedies each is needed: without any of them the group waits. Most are alone
/// @param changes to the cluster that make them, in their order
/// @param plan that would follow; it has places for the group
public record Counterfactual(List<Remedy> remedies, List<Change> changes, Plan plan) {
  public Counterfactual {
    remedies = List.copyOf(remedies);
    changes = List.copyOf(changes);
  }

  /// `a limit of 20 GPUs in research (now 16)`.
  public String words() {
    return remedies.stream().map(Remedy::words).collect(Collectors.joining(", and "));
  }
}
