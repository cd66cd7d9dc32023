package dev.berth.controllers.client;

/// Metrics that cannot be had, with the way out.
public final class MetricsException extends Exception {
  private static final long serialVersionUID = 1;

  public MetricsException(String message) {
    super(message);
  }
}
