package dev.berth.engine.session;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pods;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long a plan takes where a namespace has many disruption budgets over many running pods, and
/// one of them changes before each plan, as an attacker makes them to slow down the planner.
///
/// Not part of `verify`: `./mvnw -pl engine test -Dtest=BudgetsLoad [-Dpods=200 -Dbudgets=3500]`.
class BudgetsLoad {
  private static final int PODS = Integer.getInteger("pods", 200);
  private static final int BUDGETS = Integer.getInteger("budgets", 3500);

  @Test
  void budgetsOfOneLabel() {
    measure("of one label", 0, false);
  }

  @Test
  void budgetsOfAllPods() {
    measure("of 60 expressions that mean all", 60, true);
  }

  @Test
  void budgetsOfPodsThatAllDiffer() {
    measure("of 2 expressions that tell all apart", 2, false);
  }

  @Test
  void budgetsWithLongSelectors() {
    measure("of 1000 expressions", 1000, true);
  }

  /// @param round 0 = none has changed
  private static DisruptionBudget budget(int i, int expressions, boolean alike, int round) {
    var requirements = new ArrayList<Requirement>();
    if (expressions == 0) {
      requirements.add(new Requirement("app", Operator.IN, List.of("app-" + (i + round))));
    }
    for (int e = 0; e < expressions; e++) {
      String label = alike ? "none" + e : "app";
      requirements.add(new Requirement(label, Operator.NOT_IN, List.of("v" + round)));
    }
    var key = new DisruptionBudget.Key("default", "b" + (100_000 + i));
    return new DisruptionBudget(key, 1 + round, new LabelSelector(requirements), false, 5);
  }

  private static void measure(String kind, int expressions, boolean alike) {
    var world = cluster().queue("vision", quota(40)).queue("speech", quota(0));
    for (int n = 0; n * 4 < PODS; n++) {
      world.node("n" + n, gpus(4));
    }
    for (int i = 0; i < PODS; i++) {
      world.running("p" + i, "speech", pods(1).label("app", "app-" + i));
    }
    var snapshot = world.waiting("train", "vision", pods(1)).snapshot();
    var budgets = new ArrayList<DisruptionBudget>();
    for (int i = 0; i < BUDGETS; i++) {
      budgets.add(budget(i, expressions, alike, 0));
    }
    var incremental = new Planner(PlannerSettings.DEFAULT).incremental();
    var times = new ArrayList<Long>();
    for (int round = 1; round <= 7; round++) {
      budgets.set(round, budget(round, expressions, alike, round));
      var next = snapshot.with(List.copyOf(budgets));
      long began = System.nanoTime();
      var plan = incremental.plan(next, Collections.emptySortedMap());
      times.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
      assertThat(plan.decisions()).isNotEmpty();
    }
    System.out.println(BUDGETS + " budgets " + kind + ", " + PODS + " pods: " + times + " ms");
  }
}
