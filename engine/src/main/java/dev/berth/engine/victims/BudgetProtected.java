package dev.berth.engine.victims;

import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.session.Budgets.Leavers;
import dev.berth.engine.session.Group;
import java.util.LinkedHashSet;

/// The groups of which disruption budgets protect a step, in one walk over the candidates.
final class BudgetProtected {
  private final LinkedHashSet<Group> groups = new LinkedHashSet<>(); // by identity

  /// Whether a disruption budget protects a step beside the earlier victims, or protected an
  /// earlier one of its group: no surplus member runs on without its core.
  ///
  /// @param before takes the step in where it may leave
  boolean spares(ChosenUnit next, Leavers before) {
    return groups.contains(next.group())
        || !before.add(next.unit().seats()) && groups.add(next.group());
  }
}
