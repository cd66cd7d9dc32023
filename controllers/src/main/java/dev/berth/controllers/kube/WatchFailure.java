package dev.berth.controllers.kube;

import java.io.IOException;

/// A list or a watch that did not go on.
final class WatchFailure extends IOException {
  private static final long serialVersionUID = 1;

  enum Kind {
    /// Berth's place in the history is gone (410), or lies ahead of it (504): list anew.
    EXPIRED,
    /// The kind is not installed (404).
    ABSENT,
    /// Berth may not (401, 403), or the server does not understand Berth.
    REFUSED,
    /// The server or the network failed: go on from the same place.
    BROKEN
  }

  private final Kind kind;

  WatchFailure(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /// From an HTTP status, or the `code` of a Status in the stream.
  static WatchFailure of(int code, String message) {
    Kind kind =
        switch (code) {
          case 410, 504 -> Kind.EXPIRED;
          case 404 -> Kind.ABSENT;
          default -> code >= 500 || code == 429 || code == 408 ? Kind.BROKEN : Kind.REFUSED;
        };
    return new WatchFailure(kind, code + " " + message);
  }

  Kind kind() {
    return kind;
  }
}
