package dev.berth.extender.verbs;

/// What all verbs share: whether they are open, and the counter of outcomes.
public record VerbContext(Readiness readiness, OutcomeCounter tally) {}
