package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Where a pod may go, as kube-scheduler will judge it.
///
/// @param nodeSelector labels that a node must have
/// @param required node affinity: any of these terms, all of a term's expressions; empty = anywhere
/// @param tolerations taints that the pod bears
public record Constraints(
    SortedMap<String, String> nodeSelector, List<Term> required, List<Toleration> tolerations) {
  public static final Constraints NONE = new Constraints(new TreeMap<>(), List.of(), List.of());

  public Constraints {
    nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
    required = List.copyOf(required);
    tolerations = List.copyOf(tolerations);
  }

  /// All expressions must hold; a term without any matches no node (as in Kubernetes).
  public record Term(List<Expression> expressions) {
    public Term {
      expressions = List.copyOf(expressions);
    }
  }

  /// @param field true for `matchFields` (only `metadata.name`), false for a label
  public record Expression(boolean field, String key, Operator operator, List<String> values) {
    public Expression {
      values = List.copyOf(values);
    }
  }

  /// Operators of node selectors, with their Kubernetes meaning.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GT,
    LT
  }

  /// @param key empty with `EXISTS` = every taint
  /// @param exists operator `Exists` (any value) or `Equal`
  /// @param effect empty = every effect
  public record Toleration(String key, boolean exists, String value, String effect) {}
}
