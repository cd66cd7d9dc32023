package dev.berth.engine.model;

import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Term;
import dev.berth.engine.model.Node.Accelerator;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which GPU models a pod accepts, as far as its request and its node selection say it. Other node
/// constraints are ignored.
///
/// @param named models that the request names; empty = any
/// @param selected the model label of the node selector; empty = none
/// @param terms node affinity, reduced to the model label; empty = any
public record ModelChoice(List<String> named, List<String> selected, List<Term> terms) {
  public static final ModelChoice ANY = new ModelChoice(List.of(), List.of(), List.of());

  public ModelChoice {
    named = List.copyOf(named);
    selected = List.copyOf(selected);
    terms = List.copyOf(terms);
  }

  public static ModelChoice of(PodRequest request, Constraints constraints) {
    var selector = constraints.nodeSelector();
    boolean selects = selector.containsKey(Accelerator.MODEL);
    if (request.models().isEmpty() && !selects && constraints.required().isEmpty()) {
      return ANY;
    }
    return new ModelChoice(
        request.models(),
        selects ? List.of(selector.getOrDefault(Accelerator.MODEL, "")) : List.of(),
        terms(constraints.required()));
  }

  /// Terms are alternatives: one that does not mention the model accepts all.
  private static List<Term> terms(List<Term> required) {
    var terms = new ArrayList<Term>();
    for (Term term : required) {
      var expressions = new ArrayList<Expression>();
      for (Expression expression : term.expressions()) {
        if (!expression.field() && expression.key().equals(Accelerator.MODEL)) {
          expressions.add(expression);
        }
      }
      if (expressions.isEmpty()) {
        return List.of();
      }
      terms.add(new Term(expressions));
    }
    return terms;
  }

  /// @param model empty = the node has no model label
  public boolean accepts(String model) {
    if (!selected.isEmpty() && !selected.contains(model)) {
      return false;
    }
    boolean isNamed = named.isEmpty();
    for (String name : named) {
      isNamed |= name.equalsIgnoreCase(model);
    }
    return isNamed && acceptsByTerms(model);
  }

  private boolean acceptsByTerms(String model) {
    if (terms.isEmpty()) {
      return true;
    }
    var label = new TreeMap<String, String>();
    if (!model.isEmpty()) {
      label.put(Accelerator.MODEL, model);
    }
    for (Term term : terms) {
      if (holds(term, label)) {
        return true;
      }
    }
    return false;
  }

  private static boolean holds(Term term, SortedMap<String, String> label) {
    for (Expression expression : term.expressions()) {
      if (!expression.holds(label)) {
        return false;
      }
    }
    return true;
  }
}
