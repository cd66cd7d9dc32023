package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.LabelSelector;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pod that the API server refused to evict is spared until its time is over, or until a
/// disruption budget that covers it is eased.
class UnevictablePodsTest {
  private static final LabelSelector ALL = new LabelSelector(List.of());
  private static final LabelSelector OTHERS =
      new LabelSelector(
          List.of(new LabelSelector.Requirement("app", LabelSelector.Operator.EXISTS, List.of())));

  private final Told told = new Told();

  @BeforeEach
  void aPodThatABudgetKeepsIsSpared() {
    told.nodes(2, "n");
    told.sees(pod("kept").on("n"));
    budget("guard", 1, ALL, 0);
    told.ledger.keep(uid("kept"), SOON);
    assertThat(isSpared()).as("at first").isTrue();
  }

  private void budget(String name, long version, LabelSelector selector, int allowed) {
    told.ledger.record(
        new Fact.BudgetSeen(
            new DisruptionBudget(key("default", name), version, selector, false, allowed)));
  }

  private static DisruptionBudget.Key key(String namespace, String name) {
    return new DisruptionBudget.Key(namespace, name);
  }

  private boolean isSpared() {
    return told.snapshot().budgets().stream().anyMatch(budget -> budget.only().equals(uid("kept")));
  }

  @Test
  void untilTheBudgetGoes() {
    told.ledger.record(new Fact.BudgetGone(key("default", "guard"), 2));
    assertThat(isSpared()).as("the pod is spared").isFalse();
  }

  @Test
  void untilTheBudgetAllowsMore() {
    budget("guard", 2, ALL, 1);
    assertThat(isSpared()).as("the pod is spared").isFalse();
  }

  @Test
  void untilTheBudgetCoversItNoMore() {
    budget("guard", 2, OTHERS, 0);
    assertThat(isSpared()).as("the pod is spared").isFalse();
  }

  @Test
  void whateverBecomesOfBudgetsThatDoNotCoverIt() {
    budget("others", 1, OTHERS, 0);
    budget("others", 2, OTHERS, 3);
    told.ledger.record(new Fact.BudgetGone(key("default", "others"), 3));
    assertThat(isSpared()).as("the pod is spared").isTrue();
  }

  @Test
  void asLongAsTheBudgetAllowsNoMoreThanBefore() {
    budget("second", 1, ALL, 2);
    budget("second", 2, ALL, 1);
    budget("guard", 2, ALL, -1);
    budget("guard", 3, ALL, 0);
    assertThat(isSpared()).as("the pod is spared").isTrue();
    told.ledger.record(new Fact.BudgetGone(key("default", "guard"), 1)); // late
    assertThat(isSpared()).as("after a late fact").isTrue();
  }
}
