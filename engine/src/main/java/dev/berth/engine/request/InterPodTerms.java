package dev.berth.engine.request;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.InterPod;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Constraints.PodTerm;
import dev.berth.engine.model.Constraints.Spread;
import java.util.ArrayList;
import java.util.List;

/// What other pods mean to a pod: required pod affinity and anti-affinity, and spread constraints
/// that forbid (`DoNotSchedule`). Preferred terms are kube-scheduler's alone. A term that picks
/// namespaces by their labels is left to it, too: it says no where Berth says nothing.
final class InterPodTerms {
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

  private static final int MOST_TERMS = 64; // as admission says
  private static final int MOST_SPREAD = 16;
  private static final String TERMS =
      "at most 64 terms of affinity and as many of anti-affinity are judged: give those pods a"
          + " label, and select that.";
  private static final String SPREAD = "at most 16 are judged. Take some out.";

  // Of all terms of a field together.
  private static final int MOST_EXPRESSIONS = 512;
  private static final int MOST_VALUES = 1_024;
  private static final String EXPRESSIONS =
      "at most 512 labels and expressions in all of its terms about pods are judged: give those"
          + " pods a label, and select that.";
  private static final String VALUES =
      "at most 1024 values and namespaces in all of its terms about pods are judged: give those"
          + " pods a label, and select that.";

  private final String namespace;
  private final ManifestTree labels;

  private InterPodTerms(ObjectMeta head) {
    namespace = head.namespace();
    labels = head.labels();
  }

  static InterPod of(ManifestTree spec, ObjectMeta head) {
    if (!spec.has("affinity") && !spec.has("topologySpreadConstraints")) {
      return InterPod.NONE;
    }
    var choice = new InterPodTerms(head);
    var affinity = spec.object("affinity");
    var length = new Length(spec, "affinity");
    var near = choice.terms(affinity.object("podAffinity"), length);
    var apart = choice.terms(affinity.object("podAntiAffinity"), length);
    var spread = choice.spread(spec, new Length(spec, "topologySpreadConstraints"));
    return near.isEmpty() && apart.isEmpty() && spread.isEmpty()
        ? InterPod.NONE
        : new InterPod(near, apart, spread);
  }

  /// How long the selectors of all terms of a field may be.
  private record Length(FieldLimits expressions, FieldLimits values) {
    Length(ManifestTree spec, String field) {
      this(
          new FieldLimits(spec, field, MOST_EXPRESSIONS, EXPRESSIONS),
          new FieldLimits(spec, field, MOST_VALUES, VALUES));
    }

    boolean allows(Peers peers) {
      long values = peers.namespaces().size();
      for (Expression expression : peers.expressions()) {
        values += expression.values().size();
      }
      return expressions.allows(peers.expressions().size()) & this.values.allows(values);
    }
  }

  private List<PodTerm> terms(ManifestTree kind, Length length) {
    var terms = new ArrayList<PodTerm>(0);
    var ration = new FieldLimits(kind, REQUIRED, MOST_TERMS, TERMS);
    for (ManifestTree term : kind.objects(REQUIRED)) {
      if (!term.has("namespaceSelector") || term.object("namespaceSelector").isEmpty()) {
        if (!ration.allows(1)) {
          break;
        }
        var peers = peers(term);
        if (!length.allows(peers)) {
          break;
        }
        terms.add(new PodTerm(term.text("topologyKey"), peers));
      }
    }
    return terms;
  }

  private Peers peers(ManifestTree term) {
    if (!term.has("labelSelector")) {
      return new Peers(List.of(), false, List.of()); // as in Kubernetes: no pods at all
    }
    var expressions = selector(term.object("labelSelector"));
    chosenByOwnLabels(term, "matchLabelKeys", Operator.IN, expressions);
    chosenByOwnLabels(term, "mismatchLabelKeys", Operator.NOT_IN, expressions);
    var namespaces = term.texts("namespaces");
    boolean everywhere = term.has("namespaceSelector");
    return new Peers(
        namespaces.isEmpty() && !everywhere ? List.of(namespace) : namespaces,
        everywhere,
        expressions);
  }

  private void chosenByOwnLabels(
      ManifestTree term, String field, Operator operator, List<Expression> into) {
    for (String key : term.texts(field)) {
      if (labels.has(key)) {
        into.add(new Expression(false, key, operator, List.of(labels.text(key))));
      }
    }
  }

  private static List<Expression> selector(ManifestTree selector) {
    var expressions = new ArrayList<Expression>();
    selector
        .object("matchLabels")
        .textMap()
        .forEach((key, value) ->
            expressions.add(new Expression(false, key, Operator.IN, List.of(value))));
    for (ManifestTree expression : selector.objects("matchExpressions")) {
      expressions.add(LabelExpression.of(expression, false));
    }
    return expressions;
  }

  private List<Spread> spread(ManifestTree spec, Length length) {
    var spread = new ArrayList<Spread>(0);
    var ration = new FieldLimits(spec, "topologySpreadConstraints", MOST_SPREAD, SPREAD);
    for (ManifestTree constraint : spec.objects("topologySpreadConstraints")) {
      if (constraint.text("whenUnsatisfiable").equals("ScheduleAnyway")) {
        continue;
      }
      if (!ration.allows(1)) {
        break;
      }
      var peers = peers(constraint);
      if (!length.allows(peers)) {
        break;
      }
      spread.add(
          new Spread(
              constraint.text("topologyKey"),
              constraint.number("maxSkew", 1).orElse(1),
              constraint.number("minDomains", 1).orElse(0),
              !constraint.text("nodeAffinityPolicy").equals("Ignore"),
              constraint.text("nodeTaintsPolicy").equals("Honor"),
              peers));
    }
    return spread;
  }
}
