package dev.berth.engine.request;

import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Operator;
import dev.berth.engine.model.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;

/// A `LabelSelector` of Kubernetes: `matchLabels` and `matchExpressions`.
final class LabelSelectors {
  private LabelSelectors() {}

  static LabelSelector read(ManifestTree selector) {
    var requirements = new ArrayList<Requirement>();
    selector
        .object("matchLabels")
        .eachText((label, value) ->
            requirements.add(new Requirement(label, Operator.IN, List.of(value))));
    for (ManifestTree expression : selector.objects("matchExpressions")) {
      requirements.add(
          new Requirement(
              expression.text("key"),
              operator(expression.text("operator")),
              expression.texts("values")));
    }
    return new LabelSelector(requirements);
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
