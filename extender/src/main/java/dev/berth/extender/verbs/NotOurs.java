package dev.berth.extender.verbs;

/// The pod is of a scheduler for which Berth does not answer. prioritize and preempt have no field
/// for an error: the edge answers 403 with this sentence.
public final class NotOurs extends Exception {
  private static final long serialVersionUID = 1;

  NotOurs(String sentence) {
    super("berth: " + sentence);
  }
}
