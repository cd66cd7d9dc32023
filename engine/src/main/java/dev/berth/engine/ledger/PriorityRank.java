package dev.berth.engine.ledger;

/// What a priority class says.
///
/// @param takesVictims false: its `preemptionPolicy` is `Never`
record PriorityRank(int priority, boolean takesVictims) {}
