package dev.berth.extender.verbs;

/// What all verbs share: whether they are open, and who counts.
public record VerbContext(Readiness readiness, OutcomeCounter tally) {}
