package dev.berth.extender.verbs;

import java.util.Locale;

/// How a verb ended: one name in metric, log and test.
public enum VerbOutcome {
  /// filter, prioritize, preempt: what the pod turned out to be
  PLANNED,
  BOUND,
  OVER,
  QUEUED,
  ALONE,
  FOREIGN,
  /// all verbs: of a scheduler for which Berth does not answer
  NOT_OURS,
  /// bind: the Binding is written
  WRITTEN,
  /// bind: it was written before
  ALREADY,
  /// bind: a later request for the same pod took its place
  REPLACED,
  /// bind: not this pod, not this node, or no room any more
  REFUSED,
  /// bind: holders had not reported, or the pod was not known, until the deadline
  LATE,
  /// bind: the rest of the gang did not come
  GANG_FAILED,
  /// bind: the API server said no
  WRITE_FAILED,
  /// bind: it is unknown whether it was written
  UNSURE,
  NOT_READY,
  /// the question was no question, or kube-scheduler is not set up as Berth needs it
  UNREADABLE,
  /// an exception that is Berth's, logged with its stack
  INTERNAL_ERROR;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
