package dev.berth.extender.verbs;

/// Who counts what the verbs answered.
public interface Tally {
  void counted(Verb verb, Outcome outcome);

  Tally NONE = (_, _) -> {};

  enum Verb {
    FILTER,
    PRIORITIZE,
    PREEMPT,
    BIND
  }
}
