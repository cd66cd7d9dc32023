package dev.berth.engine.session;

/// A kind of node, as far as shares and queues see it.
///
/// @param claimBytes memory of one GPU of which claims may have parts (DRA); 0 = it has none
public record NodeKind(String model, long memoryMib, long claimBytes) {}
