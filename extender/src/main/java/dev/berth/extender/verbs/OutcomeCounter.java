package dev.berth.extender.verbs;

/// Counts what the verbs answered.
public interface OutcomeCounter {
  void counted(Verb verb, VerbOutcome outcome);

  OutcomeCounter NONE = (_, _) -> {};

  enum Verb {
    FILTER,
    PRIORITIZE,
    PREEMPT,
    BIND
  }
}
