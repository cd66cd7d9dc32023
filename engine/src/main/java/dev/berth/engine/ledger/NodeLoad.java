package dev.berth.engine.ledger;

import dev.berth.engine.model.Amounts;

/// What is taken of a node, in sums that grow and shrink with each pod and device.
final class NodeLoad {
  private Amounts used = Amounts.NONE;
  private Amounts leaving = Amounts.NONE;
  private Amounts foreign = Amounts.NONE;

  /// What pods, plans and shared devices take, leaving or not.
  Amounts used() {
    return used;
  }

  /// What of that is on its way out.
  Amounts leaving() {
    return leaving;
  }

  /// What of it pods of other schedulers take.
  Amounts foreign() {
    return foreign;
  }

  /// What is left of it once everything that is leaving has left.
  Amounts inTheEnd() {
    return used.minus(leaving);
  }

  /// @param isLeaving whether it is on its way out
  /// @param isForeign whether a pod of another scheduler takes it
  void add(Amounts taken, boolean isLeaving, boolean isForeign) {
    used = used.plus(taken);
    leaving = isLeaving ? leaving.plus(taken) : leaving;
    foreign = isForeign ? foreign.plus(taken) : foreign;
  }

  void remove(Amounts taken, boolean isLeaving, boolean isForeign) {
    used = used.minus(taken);
    leaving = isLeaving ? leaving.minus(taken) : leaving;
    foreign = isForeign ? foreign.minus(taken) : foreign;
  }

  /// What a shared device takes, and what of that is on its way out.
  void add(Amounts taken, Amounts ofThatLeaving) {
    used = used.plus(taken);
    leaving = leaving.plus(ofThatLeaving);
  }

  void remove(Amounts taken, Amounts ofThatLeaving) {
    used = used.minus(taken);
    leaving = leaving.minus(ofThatLeaving);
  }
}
