package dev.berth.bench.trace;

/// A node of a trace.
public record Machine(String name, int cpu, int memory, int gpus, String model) {}
