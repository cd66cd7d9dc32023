package dev.berth.extender.verbs;

/// prioritize and preempt have no field for an error: the edge answers 503 with this sentence.
public final class NotReady extends Exception {
  private static final long serialVersionUID = 1;

  NotReady(String missing) {
    super(Readiness.sentence(missing));
  }
}
