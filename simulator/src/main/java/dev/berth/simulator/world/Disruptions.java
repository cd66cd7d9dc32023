package dev.berth.simulator.world;

import dev.berth.engine.model.Problem;
import dev.berth.engine.request.DisruptionBudgetManifest;
import dev.berth.engine.request.PodManifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What kube-controller-manager writes into the status of a PodDisruptionBudget. Every pod that is
/// not over is expected; healthy are running pods that are not leaving.
public final class Disruptions {
  private Disruptions() {}

  /// What of a budget the API server would refuse.
  public static List<Problem> problems(Map<String, ?> budget) {
    var spec = ObjectTree.map(budget, "spec");
    var problems = new ArrayList<Problem>();
    for (String field : List.of("minAvailable", "maxUnavailable")) {
      if (spec.containsKey(field) && !isAmount(spec.get(field))) {
        String rule = "it is a number of pods, like 2, or a share of them, like \"50%\".";
        problems.add(new Problem("spec." + field, String.valueOf(spec.get(field)), rule));
      }
    }
    if (spec.containsKey("minAvailable") && spec.containsKey("maxUnavailable")) {
      String value = String.valueOf(spec.get("maxUnavailable"));
      problems.add(
          new Problem(
              "spec.maxUnavailable", value, "minAvailable is there too. Keep one of them."));
    }
    return problems;
  }

  private static boolean isAmount(Object value) {
    return value instanceof String text
        ? text.matches("(100|[0-9]{1,2})%")
        : (value instanceof Integer || value instanceof Long)
            && ((Number) value).longValue() >= 0
            && ((Number) value).longValue() <= Integer.MAX_VALUE;
  }

  public static boolean covers(Map<String, ?> budget, Map<String, ?> pod) {
    String namespace = DisruptionBudgetManifest.read(budget).orElseThrow().key().namespace();
    var selector = DisruptionBudgetManifest.selector(budget);
    return PodManifest.read(pod)
        .filter(read -> read.key().namespace().equals(namespace))
        .filter(read -> selector.filter(each -> each.matches(read.traits().labels())).isPresent())
        .isPresent();
  }

  /// What of a pod counts for any budget: while it stays, no status changes.
  record Weight(boolean over, boolean healthy, Map<String, ?> labels) {}

  static Weight weight(Map<String, ?> pod) {
    return new Weight(
        PodRules.isOver(pod), isHealthy(pod), ObjectTree.map(pod, "metadata", "labels"));
  }

  static boolean isHealthy(Map<String, ?> pod) {
    return ObjectTree.text(pod, "status", "phase").equals("Running") && !PodRules.isLeaving(pod);
  }

  static boolean isSpent(Map<String, ?> budget) {
    return ObjectTree.number(budget, 0, "status", "disruptionsAllowed") <= 0;
  }

  static Map<String, Object> status(Map<String, ?> budget, long expected, long healthy) {
    long desired =
        ObjectTree.has(budget, "spec", "maxUnavailable")
            ? Math.max(0, expected - amount(budget, "maxUnavailable", expected))
            : amount(budget, "minAvailable", expected);
    return ObjectTree.of(
        "currentHealthy", healthy,
        "desiredHealthy", desired,
        "disruptionsAllowed", Math.max(0, healthy - desired),
        "expectedPods", expected);
  }

  /// A number, or a percentage, rounded up.
  private static long amount(Map<String, ?> budget, String field, long of) {
    String text = ObjectTree.text(budget, "spec", field);
    if (text.endsWith("%")) {
      long percent = Long.parseLong(text.substring(0, text.length() - 1));
      return (of * percent + 99) / 100;
    }
    return ObjectTree.number(budget, 0, "spec", field);
  }
}
