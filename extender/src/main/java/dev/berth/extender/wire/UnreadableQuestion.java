package dev.berth.extender.wire;

import java.io.IOException;

/// The body is not what kube-scheduler sends. The message is a sentence for the client.
public final class UnreadableQuestion extends Exception {
  private static final long serialVersionUID = 1;

  UnreadableQuestion(String sentence) {
    super(sentence);
  }

  static UnreadableQuestion because(String field, IOException cause) {
    var unreadable = new UnreadableQuestion(field + " is not the JSON that was expected");
    unreadable.initCause(cause);
    return unreadable;
  }
}
