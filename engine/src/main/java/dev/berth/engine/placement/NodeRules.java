package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Constraints.Toleration;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Taint;
import dev.berth.engine.model.Reason.Obstacle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// What Kubernetes says about a pod and a node whatever else is on the node: readiness, taints,
/// selector and required affinity, each with its Kubernetes meaning.
public final class NodeRules {
  private static final Taint CORDONED =
      new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");

  /// Taints of nodes that are not ready.
  private static final List<String> NOT_READY =
      List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");

  private static final int MOST_TOLD = 3;

  private NodeRules() {}

  /// What stands in the way.
  ///
  /// @param detail the taint or the label; empty where there is none
  public record Objection(Obstacle obstacle, String detail) {}

  static Optional<Objection> objection(Constraints constraints, Node node) {
    return node.ready()
        ? chosen(constraints, node).or(() -> unreached(constraints, node))
        : Optional.of(new Objection(Obstacle.NOT_READY, ""));
  }

  /// The same without volumes, whether the node is ready or not: its taints say which pods that
  /// concerns.
  public static Optional<Objection> chosen(Constraints constraints, Node node) {
    return repelled(constraints, node).or(() -> unchosen(constraints, node));
  }

  /// That it is not ready, cordoned or tainted, all of it. Taints that Kubernetes sets for the two
  /// go with them.
  static List<Objection> closed(Constraints constraints, Node node) {
    var all = new ArrayList<Objection>(2);
    if (!node.ready()) {
      all.add(new Objection(Obstacle.NOT_READY, ""));
    }
    boolean isCordoned = node.unschedulable() && !tolerates(constraints, CORDONED);
    if (isCordoned) {
      all.add(new Objection(Obstacle.UNSCHEDULABLE, ""));
    }
    for (Taint taint : node.taints()) {
      boolean isImplied =
          isCordoned && taint.key().equals(CORDONED.key())
              || !node.ready() && NOT_READY.contains(taint.key());
      if (taint.repels() && !isImplied && !tolerates(constraints, taint)) {
        all.add(new Objection(Obstacle.TAINT, taint.words()));
      }
    }
    return all;
  }

  /// All of selector, required affinity and volumes that does not choose the node.
  static List<Objection> unselected(Constraints constraints, Node node) {
    var all = new ArrayList<Objection>(1);
    for (var wanted : constraints.nodeSelector().entrySet()) {
      if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
        all.add(unselected(wanted));
      }
    }
    if (!isChosen(constraints.required(), node)) {
      all.add(new Objection(Obstacle.NODE_AFFINITY, ""));
    }
    unreached(constraints, node).ifPresent(all::add);
    return all;
  }

  private static Objection unselected(Map.Entry<String, String> wanted) {
    return new Objection(Obstacle.NODE_SELECTOR, wanted.getKey() + "=" + wanted.getValue());
  }

  private static Optional<Objection> repelled(Constraints constraints, Node node) {
    if (node.unschedulable() && !tolerates(constraints, CORDONED)) {
      return Optional.of(new Objection(Obstacle.UNSCHEDULABLE, ""));
    }
    for (Taint taint : node.taints()) {
      if (taint.repels() && !tolerates(constraints, taint)) {
        return Optional.of(new Objection(Obstacle.TAINT, taint.words()));
      }
    }
    return Optional.empty();
  }

  /// What of selector, required affinity and volumes keeps the pod from the node.
  static Optional<Objection> elsewhere(Constraints constraints, Node node) {
    return unchosen(constraints, node).or(() -> unreached(constraints, node));
  }

  private static Optional<Objection> unreached(Constraints constraints, Node node) {
    for (var terms : constraints.volumes()) {
      if (!isAnyMet(terms, node)) {
        String where =
            terms.stream().limit(MOST_TOLD).map(Term::words).collect(Collectors.joining(", or "));
        String more = terms.size() > MOST_TOLD ? ", or …" : "";
        return Optional.of(new Objection(Obstacle.VOLUME, where + more));
      }
    }
    return Optional.empty();
  }

  /// What of selector and required affinity does not choose the node.
  private static Optional<Objection> unchosen(Constraints constraints, Node node) {
    for (var wanted : constraints.nodeSelector().entrySet()) {
      if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
        return Optional.of(unselected(wanted));
      }
    }
    return isChosen(constraints.required(), node)
        ? Optional.empty()
        : Optional.of(new Objection(Obstacle.NODE_AFFINITY, ""));
  }

  /// Whether the pod bears every taint that repels.
  static boolean bearsTaints(Constraints constraints, Node node) {
    for (Taint taint : node.taints()) {
      if (taint.repels() && !tolerates(constraints, taint)) {
        return false;
      }
    }
    return true;
  }

  /// Whether selector and required affinity choose the node.
  static boolean chooses(Constraints constraints, Node node) {
    for (var wanted : constraints.nodeSelector().entrySet()) {
      if (!wanted.getValue().equals(node.labels().get(wanted.getKey()))) {
        return false;
      }
    }
    return isChosen(constraints.required(), node);
  }

  private static boolean tolerates(Constraints constraints, Taint taint) {
    for (Toleration toleration : constraints.tolerations()) {
      if (tolerates(toleration, taint)) {
        return true;
      }
    }
    return false;
  }

  private static boolean tolerates(Toleration toleration, Taint taint) {
    boolean sameEffect =
        toleration.effect().isEmpty() || toleration.effect().equals(taint.effect());
    boolean sameKey = toleration.key().isEmpty() || toleration.key().equals(taint.key());
    boolean sameValue = toleration.exists() || toleration.value().equals(taint.value());
    boolean meansAny = toleration.exists() || !toleration.key().isEmpty();
    return sameEffect && sameKey && sameValue && meansAny;
  }

  private static boolean isChosen(List<Term> required, Node node) {
    return required.isEmpty() || isAnyMet(required, node);
  }

  private static boolean isAnyMet(List<Term> terms, Node node) {
    for (Term term : terms) {
      if (isMet(term, node)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMet(Term term, Node node) {
    for (Expression expression : term.expressions()) {
      if (!isMet(expression, node)) {
        return false;
      }
    }
    return !term.expressions().isEmpty();
  }

  private static boolean isMet(Expression expression, Node node) {
    if (expression.field()) {
      boolean named =
          expression.key().equals("metadata.name")
              && expression.values().contains(node.name().value());
      return switch (expression.operator()) {
        case IN -> named;
        case NOT_IN -> expression.key().equals("metadata.name") && !named;
        case EXISTS, DOES_NOT_EXIST, GT, LT -> false; // no meaning for fields in Kubernetes
      };
    }
    return expression.holds(node.labels());
  }
}
