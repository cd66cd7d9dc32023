package dev.berth.extender.verbs;

/// What all verbs share: whether they are open, and who counts.
public record Desk(Readiness readiness, Tally tally) {}
