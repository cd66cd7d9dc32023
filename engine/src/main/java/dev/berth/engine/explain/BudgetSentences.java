package dev.berth.engine.explain;

import dev.berth.engine.model.AmountText;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Reason.BudgetsForbid;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.Spared;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.List;

/// What disruption budgets keep, and what would help.
final class BudgetSentences {
  private static final int MOST_BUDGETS = 3;

  private BudgetSentences() {}

  static String forbid(BudgetsForbid forbid) {
    var budgets = forbid.budgets();
    var notRead = forbid.notRead();
    return RoomSentences.noRoom(forbid.room())
        + ("; " + Phrases.count(forbid.groups(), "group") + " could make room, but ")
        + (budgets.isEmpty() && notRead.isEmpty()
            ? "the API server refused to evict "
            : "disruption budgets keep ")
        + (forbid.groups() == 1 ? "its pods" : "their pods")
        + named(budgets)
        + (notRead.isEmpty() ? "" : budgets.isEmpty() ? ": " : ", and ")
        + UnreadBudgets.of(notRead).what()
        + withinQuota(forbid.keeps())
        + spared(forbid.spared());
  }

  static String helps(BudgetsForbid forbid) {
    var budgets = forbid.budgets();
    var notRead = forbid.notRead();
    String time =
        forbid.spared().groups() == 0 ? "" : " and, where a min-runtime protects others, time";
    return (budgets.isEmpty() && notRead.isEmpty()
            ? "what the events EvictionGivenUp of these pods name, time, or "
            : forNow(forbid.keeps())
                + helpsOf(budgets, time)
                + UnreadBudgets.of(notRead).help()
                + othersThan(forbid.keeps())
                + "or ")
        + RoomAdvice.helpsRoom(forbid.room());
  }

  private static String spared(Spared spared) {
    if (spared.groups() == 0) {
      return "";
    }
    boolean isOne = spared.groups() == 1;
    return "; besides, "
        + (isOne
            ? "a min-runtime protects 1 more"
            : "min-runtimes protect " + spared.groups() + " more")
        + (spared.until().equals(Instant.MAX)
            ? ""
            : (isOne ? "" : ", the first") + " until " + Phrases.moment(spared.until()));
  }

  private static String named(List<DisruptionBudget.Key> budgets) {
    if (budgets.isEmpty()) {
      return "";
    }
    var names = budgets.stream().map(BudgetSentences::name).toList();
    return " (" + Phrases.first(names, MOST_BUDGETS) + ")";
  }

  private static String name(DisruptionBudget.Key budget) {
    return budget
        .ofSeveral()
        .map(pod -> "several select pod " + pod + ", which the API server then never evicts")
        .orElseGet(budget::toString);
  }

  /// What helps of budgets that are read.
  private static String helpsOf(List<DisruptionBudget.Key> budgets, String time) {
    if (budgets.isEmpty()) {
      return "";
    }
    long several = budgets.stream().filter(each -> each.ofSeveral().isPresent()).count();
    String alone = "one budget alone for a pod";
    String allows = "a budget that allows a disruption";
    String both = several == budgets.size() ? alone : allows + ", " + alone;
    return (several == 0 ? allows : both) + time + ", ";
  }

  private static String withinQuota(BudgetsKeep keeps) {
    return keeps.queue().isNone()
        ? ""
        : (", and without the victims of queue " + where(keeps))
            + (" would have " + AmountText.number(Resource.GPU, keeps.left()))
            + (" of its quota of " + AmountText.of(Resource.GPU, keeps.quota()));
  }

  private static String where(BudgetsKeep keeps) {
    return PoolNames.of(keeps.queue(), keeps.pool());
  }

  private static String forNow(BudgetsKeep keeps) {
    return keeps.isForNow()
        ? "time (from %s on, what a queue has beyond its quota is evicted in spite of budgets), "
            .formatted(Phrases.moment(keeps.until()))
        : "";
  }

  /// What helps beside another budget.
  private static String othersThan(BudgetsKeep keeps) {
    return keeps.queue().isNone()
        ? ""
        : ("a quota of " + AmountText.number(Resource.GPU, keeps.left()) + " in " + where(keeps))
            + ", a smaller minMember there, ";
  }
}
