package dev.berth.controllers.evictions;

/// What is told of evictions: events of victims and of those for whom they leave, and for pods that
/// wait why the API server refuses to evict a victim.
public record EvictionReports(EvictionEvents events, EvictionRefusals refusals) {}
