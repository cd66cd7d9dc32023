package dev.berth.simulator.chaos;

import dev.berth.controllers.crd.Printable;
import java.util.List;

/// A rule did not hold: where, which, with names and numbers, and what came before.
public final class InvariantViolation extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> rules;

  InvariantViolation(long seed, long step, Object when, List<String> rules, List<String> last) {
    super(
        "seed "
            + seed
            + ", step "
            + step
            + ", "
            + when
            + ":\n  "
            + String.join("\n  ", rules.stream().map(Printable::line).toList())
            + "\nbefore:\n  "
            + String.join("\n  ", last.stream().map(Printable::line).toList()));
    this.rules = List.copyOf(rules);
  }

  public List<String> rules() {
    return List.copyOf(rules);
  }
}
