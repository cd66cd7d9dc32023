package dev.berth.engine.request;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;

/// One of `matchExpressions` or `matchFields`.
final class LabelExpression {
  private LabelExpression() {}

  /// @param field whether it is about a field, not a label
  static Expression of(ManifestTree expression, boolean field) {
    return new Expression(
        field, expression.text("key"), operator(expression), expression.texts("values"));
  }

  private static Operator operator(ManifestTree expression) {
    String text = expression.text("operator");
    return switch (text) {
      case "In" -> Operator.IN;
      case "NotIn" -> Operator.NOT_IN;
      case "Exists" -> Operator.EXISTS;
      case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
      case "Gt" -> Operator.GT;
      case "Lt" -> Operator.LT;
      default -> {
        expression.problem(
            "operator", text, "it is one of In, NotIn, Exists, DoesNotExist, Gt and Lt.");
        yield Operator.IN;
      }
    };
  }
}
