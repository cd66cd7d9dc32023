package dev.berth.cli.decisions;

/// A log cannot be read; the message is for users.
public final class DecisionLogException extends Exception {
  private static final long serialVersionUID = 1;

  public DecisionLogException(String message) {
    super(message);
  }
}
