package dev.berth.engine.request;

import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.DisruptionBudget.Key;
import dev.berth.engine.model.DisruptionBudget.Operator;
import dev.berth.engine.model.DisruptionBudget.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A `policy/v1` PodDisruptionBudget. One without status allows nothing: the Eviction API would say
/// no, too.
public final class DisruptionBudgetManifest {
  private DisruptionBudgetManifest() {}

  /// Empty only for a tree without `metadata.name`.
  public static Optional<DisruptionBudget> read(Map<?, ?> tree) {
    return Manifest.open(tree).map(DisruptionBudgetManifest::budget);
  }

  private static DisruptionBudget budget(Manifest manifest) {
    Head head = manifest.head();
    Tree spec = manifest.spec();
    return new DisruptionBudget(
        new Key(head.namespace(), head.name()),
        head.version(),
        selectors(spec.object("selector")),
        !spec.has("selector"),
        manifest.status().number("disruptionsAllowed", 0).orElse(0));
  }

  private static List<Selector> selectors(Tree selector) {
    var selectors = new ArrayList<Selector>();
    selector
        .object("matchLabels")
        .eachText(
            (label, value) -> selectors.add(new Selector(label, Operator.IN, List.of(value))));
    for (Tree expression : selector.objects("matchExpressions")) {
      selectors.add(
          new Selector(
              expression.text("key"),
              operator(expression.text("operator")),
              expression.texts("values")));
    }
    return selectors;
  }

  /// The API server knows no other.
  private static Operator operator(String word) {
    return switch (word) {
      case "NotIn" -> Operator.NOT_IN;
      case "Exists" -> Operator.EXISTS;
      case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
      default -> Operator.IN;
    };
  }
}
