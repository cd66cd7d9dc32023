package dev.berth.engine.ledger;

import dev.berth.engine.model.Placement;

/// Where a victim is to start again. [Relocations] knows what is awaited of it. Guarded by the
/// ledger's lock.
final class Relocation {
  private Placement again = Placement.NONE;
  private boolean comesBack;
  private boolean moves;

  /// A plan evicts the pod.
  ///
  /// @param to where the plan placed it again; none = nowhere
  /// @param returns whether a successor of it is expected
  void begin(Placement to, boolean returns) {
    again = to;
    comesBack = returns;
  }

  /// That plan has ended, or the successor is there. That it was evicted stays.
  void end() {
    begin(Placement.NONE, false);
  }

  /// Where the plan that evicts it placed it again; none = nowhere, or no plan does.
  Placement again() {
    return again;
  }

  /// Whether it is a victim whose successor has not been seen yet.
  boolean comesBack() {
    return comesBack;
  }

  /// Its eviction is requested: if it is to start elsewhere, it moves even if that plan ends.
  void evict() {
    moves |= !again.isNone();
  }

  /// It does not leave after all, or its successor is accounted for.
  void stay() {
    moves = false;
  }

  /// Whether it was evicted to start again elsewhere.
  boolean moves() {
    return moves;
  }
}
