package dev.berth.engine.explain;

import dev.berth.engine.model.DisruptionBudget;
import java.util.ArrayList;
import java.util.List;

/// Disruption budgets of which Berth does not know which pods they cover, as text.
///
/// @param tooLong whose selector is longer than what is read of it
/// @param tooMany namespaces with more than is compared
record UnreadBudgets(List<String> tooLong, List<String> tooMany) {
  private static final int MOST = 3;

  static UnreadBudgets of(List<DisruptionBudget.Key> budgets) {
    var tooLong = new ArrayList<String>();
    var tooMany = new ArrayList<String>();
    for (DisruptionBudget.Key each : budgets) {
      if (each.name().isEmpty()) {
        tooMany.add(each.namespace());
      } else {
        tooLong.add(each.toString());
      }
    }
    return new UnreadBudgets(tooLong, tooMany);
  }

  /// Empty where there are none.
  String what() {
    var what = new ArrayList<String>();
    if (!tooLong.isEmpty()) {
      what.add(
          (tooLong.size() == 1 ? "the selector of " : "the selectors of ")
              + Phrases.first(tooLong, MOST)
              + (tooLong.size() == 1 ? " is too long to be read" : " are too long to be read"));
    }
    if (!tooMany.isEmpty()) {
      what.add(
          "the budgets of namespace "
              + Phrases.first(tooMany, MOST)
              + " are too many to be compared with pods");
    }
    return String.join(", and ", what);
  }

  /// With a comma behind it; empty where there are none.
  String help() {
    return (tooLong.isEmpty()
            ? ""
            : "a shorter selector in "
                + Phrases.first(tooLong, MOST)
                + (" (" + DisruptionBudget.MOST_REQUIREMENTS + " labels with ")
                + (DisruptionBudget.MOST_VALUES + " values are read), "))
        + (tooMany.isEmpty()
            ? ""
            : "fewer budgets in namespace "
                + Phrases.first(tooMany, MOST)
                + " or such that select by a label's value, ");
  }
}
