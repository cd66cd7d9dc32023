package dev.berth.engine.ledger.pods;

/// What a [Transition] asks of the ledger. The ledger executes effects in order, until none is
/// left.
public enum Effect {
  /// The pod's charge, standing and deadline follow from its new state.
  REASSESS,

  /// If the pod's block ended meanwhile, its plan ends too.
  FOLLOW_BLOCK,

  /// The plan has ended, bound or not: its victims are released.
  RELEASE_VICTIMS
}
