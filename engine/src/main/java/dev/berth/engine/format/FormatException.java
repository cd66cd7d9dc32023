package dev.berth.engine.format;

/// Bytes that are not what this build writes; the message says what is wrong.
public final class FormatException extends Exception {
  private static final long serialVersionUID = 1;

  public FormatException(String message) {
    super(message);
  }

  public FormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
