package dev.berth.cli.idle;

/// Metrics cannot be read; the message is for users.
public final class MetricsException extends Exception {
  private static final long serialVersionUID = 1;

  public MetricsException(String message) {
    super(message);
  }
}
