package dev.berth.engine.ledger.view;

import dev.berth.engine.model.Pod;

/// A holder that no pod uses, or that is dead.
///
/// @param inTheWay it is not to stay a moment longer: it is dead, its node or the number of its
///   slot is gone, its node has given out more than it has, or a plan there waits for the holder's
///   room
public record IdleHolder(SlotKey slot, Pod holder, boolean inTheWay) {}
