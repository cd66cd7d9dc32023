package dev.berth.controllers.client;

/// A write or read that did not come to pass. The caller retries what `isPassing()`, with backoff.
public final class ClientException extends Exception {
  private static final long serialVersionUID = 1;

  /// What stood in the way.
  public enum Kind {
    /// The object is not there (404), or is another incarnation (409 on its UID).
    GONE,
    /// Another client changed it first (409), or it exists already under another meaning.
    CONFLICT,
    /// The API server understood and will not (400, 403, 422): repeating does not help.
    REFUSED,
    /// Not now (429): a budget, or too many requests; or the lease is not surely held. It did not
    /// happen.
    NOT_NOW,
    /// The network or the server failed (5xx, time-out, connection lost): it may have happened.
    UNREACHABLE
  }

  private final Kind kind;

  public ClientException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public ClientException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  public boolean isPassing() {
    return kind == Kind.NOT_NOW || kind == Kind.UNREACHABLE;
  }
}
