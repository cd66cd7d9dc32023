package dev.berth.engine.request;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Constraints.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SortedMap;

/// Where a pod may go: node selector, required node affinity, tolerations, and what other pods mean
/// to it. Preferences are kube-scheduler's alone.
final class NodeRequirements {
  private static final int MOST_TERMS = 100; // no real pod has near as many
  private static final int MOST_EXPRESSIONS = 128;
  private static final int MOST_VALUES = 5_000;
  private static final int MOST_TOLERATIONS = 128;
  private static final int MOST_LABELS = 128;
  private static final String LABELS =
      "at most 100 terms with 128 expressions and 5000 values are judged for each node: give those"
          + " nodes a label, and select that.";
  private static final String TOLERATIONS =
      "at most 128 tolerations are judged for each node. Take some out.";
  private static final String SELECTOR =
      "at most 128 labels are compared with each node: give those nodes one label, and select"
          + " that.";

  private NodeRequirements() {}

  static Constraints of(ManifestTree spec, ObjectMeta head) {
    SortedMap<String, String> selector =
        spec.has("nodeSelector")
            ? new FieldLimits(spec, "nodeSelector", MOST_LABELS, SELECTOR).texts()
            : Constraints.NONE.nodeSelector();
    List<Term> required = spec.has("affinity") ? required(spec.object("affinity")) : List.of();
    List<Toleration> tolerations = tolerations(spec);
    InterPod interPod = InterPodTerms.of(spec, head);
    boolean free = selector.isEmpty() && required.isEmpty() && tolerations.isEmpty();
    return free && interPod.isNone()
        ? Constraints.NONE
        : new Constraints(selector, required, tolerations, interPod);
  }

  private static List<Term> required(ManifestTree affinity) {
    return terms(
        affinity.object("nodeAffinity").object("requiredDuringSchedulingIgnoredDuringExecution"));
  }

  /// Of a node selector (`nodeSelectorTerms`), as many as can be judged.
  static List<Term> terms(ManifestTree required) {
    var terms = new LinkedHashSet<Term>(); // the same one again says nothing
    long values = 0;
    long length = 0;
    for (ManifestTree term : required.objects("nodeSelectorTerms")) {
      var expressions = new ArrayList<Expression>();
      for (ManifestTree expression : term.objects("matchExpressions")) {
        expressions.add(LabelExpression.of(expression, false));
      }
      for (ManifestTree expression : term.objects("matchFields")) {
        if (!expression.text("key").equals("metadata.name")) {
          expression.problem(
              "key", expression.text("key"), "the only field to match is metadata.name.");
        }
        expressions.add(LabelExpression.of(expression, true));
      }
      values += expressions.stream().mapToLong(each -> each.values().size()).sum();
      length += expressions.size();
      if (terms.size() == MOST_TERMS || length > MOST_EXPRESSIONS || values > MOST_VALUES) {
        required.problem("nodeSelectorTerms", "more than can be judged", LABELS);
        break;
      }
      terms.add(new Term(expressions));
    }
    return List.copyOf(terms);
  }

  private static List<Toleration> tolerations(ManifestTree spec) {
    var tolerations = new ArrayList<Toleration>(2);
    var ration = new FieldLimits(spec, "tolerations", MOST_TOLERATIONS, TOLERATIONS);
    for (ManifestTree toleration : spec.objects("tolerations")) {
      String operator = toleration.text("operator");
      if (!operator.isEmpty() && !operator.equals("Equal") && !operator.equals("Exists")) {
        toleration.problem("operator", operator, "it is Equal or Exists.");
        continue; // it bears nothing
      }
      if (!ration.allows(1)) {
        break;
      }
      tolerations.add(
          new Toleration(
              toleration.text("key"),
              operator.equals("Exists"),
              toleration.text("value"),
              toleration.text("effect")));
    }
    return tolerations;
  }
}
