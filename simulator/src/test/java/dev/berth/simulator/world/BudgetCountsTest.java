package dev.berth.simulator.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is kept while objects change is what counting all pods for each budget comes to.
class BudgetCountsTest {
  private final BudgetCounts counts = new BudgetCounts();
  private final TreeMap<String, Map<String, Object>> pods = new TreeMap<>();
  private final TreeMap<String, Map<String, Object>> budgets = new TreeMap<>();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void countsAreThoseOfAllPodsForEachBudget(long seed) {
    var random = new Random(seed);
    for (int step = 0; step < 400; step++) {
      String name = "x" + random.nextInt(12);
      boolean isGone = random.nextInt(4) == 0;
      if (random.nextInt(4) > 0) {
        var pod = pod(random, name);
        change(pods, name, pod, isGone);
        counts.pod(name, isGone ? Optional.empty() : Optional.of(pod));
      } else {
        var budget = budget(random, name);
        change(budgets, name, budget, isGone);
        counts.budget(name, isGone ? Optional.empty() : Optional.of(budget));
      }
      compare(seed + "/" + step);
    }
  }

  private static void change(
      TreeMap<String, Map<String, Object>> objects,
      String name,
      Map<String, Object> object,
      boolean isGone) {
    objects.put(name, object);
    if (isGone) {
      objects.remove(name);
    }
  }

  private void compare(String where) {
    budgets.forEach((name, budget) -> {
      long expected = 0;
      long healthy = 0;
      for (var pod : pods.values()) {
        if (!PodRules.isOver(pod) && Disruptions.covers(budget, pod)) {
          expected++;
          healthy += Disruptions.isHealthy(pod) ? 1 : 0;
        }
      }
      assertThat(counts.expected(name)).as(where + " expected of " + name).isEqualTo(expected);
      assertThat(counts.healthy(name)).as(where + " healthy of " + name).isEqualTo(healthy);
    });
    for (var pod : pods.values()) {
      var covering = new ArrayList<String>();
      budgets.forEach((name, budget) -> {
        if (Disruptions.covers(budget, pod)) {
          covering.add(name);
        }
      });
      assertThat(counts.covering(pod))
          .as(where + " of " + ObjectTree.name(pod))
          .isEqualTo(covering);
    }
  }

  private static Map<String, Object> pod(Random random, String name) {
    var labels = new TreeMap<String, Object>();
    for (String label : List.of("app", "tier")) {
      if (random.nextInt(3) > 0) {
        labels.put(label, "v" + random.nextInt(3));
      }
    }
    String phase = List.of("Pending", "Running", "Running", "Succeeded").get(random.nextInt(4));
    var metadata = ObjectTree.of("namespace", "team", "name", name, "uid", name, "labels", labels);
    if (random.nextInt(5) == 0) {
      metadata.put("deletionTimestamp", "2026-01-01T00:00:00Z");
    }
    return ObjectTree.of(
        "metadata", metadata, "spec", ObjectTree.of(), "status", ObjectTree.of("phase", phase));
  }

  private static Map<String, Object> budget(Random random, String name) {
    var spec = ObjectTree.of("minAvailable", 1L);
    if (random.nextInt(6) > 0) {
      var expressions = new ArrayList<Object>();
      for (int left = random.nextInt(3); left > 0; left--) {
        var operator = List.of("In", "NotIn", "Exists", "DoesNotExist").get(random.nextInt(4));
        var expression =
            ObjectTree.of("key", random.nextBoolean() ? "app" : "tier", "operator", operator);
        if (operator.endsWith("In")) {
          expression.put("values", List.of("v" + random.nextInt(3), "v" + random.nextInt(3)));
        }
        expressions.add(expression);
      }
      spec.put("selector", ObjectTree.of("matchExpressions", expressions));
    }
    return ObjectTree.of(
        "metadata", ObjectTree.of("namespace", "team", "name", name), "spec", spec);
  }
}
