package dev.berth.extender.verbs;

import dev.berth.extender.wire.BindQuestion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/// What of a bind is worth a line.
final class BindLog {
  private static final Logger LOG = LoggerFactory.getLogger(BindLog.class);

  private BindLog() {}

  /// One line per bind; a failed one is a thing given up, which kube-scheduler will try again.
  static void bind(BindQuestion question, VerbOutcome outcome, String sentence) {
    LOG.atLevel(sentence.isEmpty() ? Level.INFO : Level.WARN)
        .addKeyValue("pod", question.pod())
        .addKeyValue("node", question.node())
        .addKeyValue("outcome", outcome.label())
        .addKeyValue("why", sentence)
        .log(sentence.isEmpty() ? "bound" : "not bound");
  }

  static void fault(BindQuestion question, Throwable internalError) {
    LOG.atError()
        .addKeyValue("pod", question.pod())
        .setCause(internalError)
        .log("internal error in a bind");
  }
}
