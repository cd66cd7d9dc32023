package dev.berth.engine.model;

import java.util.List;
import java.util.Map;

/// Which labels an object must have, with the meaning of Kubernetes' `LabelSelector`: all
/// requirements hold.
///
/// @param requirements none = every object
public record LabelSelector(List<Requirement> requirements) {
  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /// One demand on a label.
  public record Requirement(String label, Operator operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }

    boolean holds(Map<String, String> labels) {
      boolean has = labels.containsKey(label);
      boolean among = has && values.contains(labels.get(label));
      return switch (operator) {
        case IN -> among;
        case NOT_IN -> !among;
        case EXISTS -> has;
        case DOES_NOT_EXIST -> !has;
      };
    }

    /// As kubectl writes it.
    @Override
    public String toString() {
      return switch (operator) {
        case IN ->
            values.size() == 1
                ? label + "=" + values.getFirst()
                : label + " in (" + String.join(", ", values) + ")";
        case NOT_IN -> label + " notin (" + String.join(", ", values) + ")";
        case EXISTS -> label;
        case DOES_NOT_EXIST -> "!" + label;
      };
    }
  }

  /// Operators, with their Kubernetes meaning.
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST
  }

  /// How many steps a comparison with labels takes at most.
  public long steps() {
    long steps = 1;
    for (Requirement requirement : requirements) {
      steps += 1 + requirement.values().size();
    }
    return steps;
  }

  /// Its first requirements: no more than so many, with no more than so many values together.
  /// Matches whatever it matches. The same selector where that is all of it.
  public LabelSelector first(int most, int values) {
    int left = values;
    for (int i = 0; i < requirements.size(); i++) {
      left -= requirements.get(i).values().size();
      if (i == most || left < 0) {
        return new LabelSelector(requirements.subList(0, i));
      }
    }
    return this;
  }

  public boolean matches(Map<String, String> labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.holds(labels)) {
        return false;
      }
    }
    return true;
  }

  /// As kubectl writes it: `team=ml,!suspended`.
  @Override
  public String toString() {
    return String.join(",", requirements.stream().map(Requirement::toString).toList());
  }
}
