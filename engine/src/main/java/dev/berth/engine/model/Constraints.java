package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Where a pod may go, as kube-scheduler will judge it.
///
/// @param nodeSelector labels that a node must have
/// @param required node affinity: any of these terms, all of a term's expressions; empty = anywhere
/// @param tolerations taints that the pod bears
/// @param interPod which pods must, and must not, be near, and how evenly they must be spread
/// @param volumes for each of its volumes that cannot be reached from everywhere the nodes from
///   which it can: any of the terms. The pod's object does not say this, the ledger adds it
public record Constraints(
    SortedMap<String, String> nodeSelector,
    List<Term> required,
    List<Toleration> tolerations,
    InterPod interPod,
    List<List<Term>> volumes) {
  public static final Constraints NONE = new Constraints(new TreeMap<>(), List.of(), List.of());

  public Constraints {
    nodeSelector = Collections.unmodifiableSortedMap(new TreeMap<>(nodeSelector));
    required = List.copyOf(required);
    tolerations = List.copyOf(tolerations);
    volumes = List.copyOf(volumes);
  }

  /// Volumes do not matter.
  public Constraints(
      SortedMap<String, String> nodeSelector,
      List<Term> required,
      List<Toleration> tolerations,
      InterPod interPod) {
    this(nodeSelector, required, tolerations, interPod, List.of());
  }

  /// Any pod may be near.
  public Constraints(
      SortedMap<String, String> nodeSelector, List<Term> required, List<Toleration> tolerations) {
    this(nodeSelector, required, tolerations, InterPod.NONE);
  }

  /// The same, with volumes that can be reached from these nodes.
  public Constraints with(List<List<Term>> others) {
    return others.equals(volumes)
        ? this
        : new Constraints(nodeSelector, required, tolerations, interPod, others);
  }

  /// All expressions must hold; a term without any matches no node (as in Kubernetes).
  public record Term(List<Expression> expressions) {
    public Term {
      expressions = List.copyOf(expressions);
    }

    /// `topology.kubernetes.io/zone in a, b`, and what else must hold.
    public String words() {
      return expressions.stream().map(Expression::words).collect(Collectors.joining(" and "));
    }
  }

  /// @param field true for `matchFields` (only `metadata.name`), false for a label
  public record Expression(boolean field, String key, Operator operator, List<String> values) {
    private static final int MOST_DIGITS = 18;
    private static final int MOST_TOLD = 3;
    private static final String ABSENT = "no value is spelled so";

    public Expression {
      values = SortedTexts.of(values);
    }

    /// As selectors are written: `zone in a, b`, `zone exists`. Of many values the first three.
    String words() {
      String some = values.stream().limit(MOST_TOLD).collect(Collectors.joining(", "));
      String all = values.size() > MOST_TOLD ? some + ", …" : some;
      return switch (operator) {
        case IN -> (field ? "node " : key + " in ") + all;
        case NOT_IN -> key + " not in " + all;
        case EXISTS -> key + " exists";
        case DOES_NOT_EXIST -> key + " does not exist";
        case GT -> key + " above " + all;
        case LT -> key + " below " + all;
      };
    }

    /// Whether it holds of labels.
    public boolean holds(SortedMap<String, String> labels) {
      var value = labels.getOrDefault(key, ABSENT); // one look
      boolean has = !value.equals(ABSENT);
      return switch (operator) {
        case IN -> has && values.contains(value);
        case NOT_IN -> !has || !values.contains(value);
        case EXISTS -> has;
        case DOES_NOT_EXIST -> !has;
        case GT -> has && compares(value, 1);
        case LT -> has && compares(value, -1);
      };
    }

    /// Both must be whole numbers, and there must be one value.
    private boolean compares(String value, int sign) {
      if (values.size() != 1 || !isNumber(value) || !isNumber(values.getFirst())) {
        return false;
      }
      return Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst())) == sign;
    }

    /// Of labels, mostly not: an exception for each would be slow.
    private static boolean isNumber(String text) {
      int from = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
      if (text.length() == from || text.length() > from + MOST_DIGITS) {
        return false;
      }
      for (int i = from; i < text.length(); i++) {
        if (text.charAt(i) < '0' || text.charAt(i) > '9') {
          return false;
        }
      }
      return true;
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

  /// What other pods mean to this one. Only what is required: preferences are kube-scheduler's.
  ///
  /// @param near pods of which one must be in the same domain, for each of these (pod affinity)
  /// @param apart pods of which none may be in the same domain (pod anti-affinity)
  /// @param spread how unevenly pods may be spread (`DoNotSchedule`)
  public record InterPod(List<PodTerm> near, List<PodTerm> apart, List<Spread> spread) {
    public static final InterPod NONE = new InterPod(List.of(), List.of(), List.of());

    public InterPod {
      near = List.copyOf(near);
      apart = List.copyOf(apart);
      spread = List.copyOf(spread);
    }

    public boolean isNone() {
      return near.isEmpty() && apart.isEmpty() && spread.isEmpty();
    }
  }

  /// Pods of one domain.
  ///
  /// @param topologyKey the label whose values are domains
  public record PodTerm(String topologyKey, Peers peers) {}

  /// Some pods.
  ///
  /// @param namespaces where they are; empty = nowhere
  /// @param everywhere in every namespace
  /// @param expressions all must hold of their labels; none = all pods
  public record Peers(List<String> namespaces, boolean everywhere, List<Expression> expressions) {
    public Peers {
      namespaces = SortedTexts.of(namespaces);
      expressions = List.copyOf(expressions);
    }

    public boolean include(String namespace, SortedMap<String, String> labels) {
      if (!everywhere && !namespaces.contains(namespace)) {
        return false;
      }
      for (Expression expression : expressions) {
        if (!expression.holds(labels)) {
          return false;
        }
      }
      return true;
    }
  }

  /// No domain may have more than `maxSkew` peers more than the emptiest one.
  ///
  /// @param minDomains with fewer domains the emptiest counts as empty; 0 = not told
  /// @param honorsChoice domains where the pod may not go, by selector and affinity, do not count
  /// @param honorsTaints nor do nodes whose taints it does not bear
  public record Spread(
      String topologyKey,
      int maxSkew,
      int minDomains,
      boolean honorsChoice,
      boolean honorsTaints,
      Peers peers) {}
}
