package dev.berth.simulator.storm;

import java.util.List;

/// A rule did not hold: where, which, with names and numbers, and what came before.
public final class Broken extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<String> rules;

  Broken(long seed, long step, Object when, List<String> rules, List<String> last) {
    super(
        "seed "
            + seed
            + ", step "
            + step
            + ", "
            + when
            + ":\n  "
            + String.join("\n  ", rules)
            + "\nbefore:\n  "
            + String.join("\n  ", last));
    this.rules = List.copyOf(rules);
  }

  public List<String> rules() {
    return List.copyOf(rules);
  }
}
