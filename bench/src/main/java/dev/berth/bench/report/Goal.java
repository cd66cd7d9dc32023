package dev.berth.bench.report;

/// What a benchmark is to reach, and whether it does. A missed goal fails no command.
public record Goal(String text, boolean isMet) {}
