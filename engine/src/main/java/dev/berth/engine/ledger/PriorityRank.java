package dev.berth.engine.ledger;

/// What a priority class says.
///
/// @param takesVictims false: its `preemptionPolicy` is `Never`
/// @param isDefault of pods that name none (`globalDefault`)
record PriorityRank(int priority, boolean takesVictims, boolean isDefault) {}
