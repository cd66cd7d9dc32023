package dev.berth.controllers.loop;

import java.time.Instant;

/// When a key wants to be looked at again.
public sealed interface Next {
  /// Only when it is added.
  record Done() implements Next {}

  /// At that moment, or sooner when it is added.
  record At(Instant when) implements Next {}

  /// At that moment, and not sooner, whatever is added.
  record NotBefore(Instant when) implements Next {}

  /// After its backoff, and not sooner.
  record Retry() implements Next {}

  static Next done() {
    return new Done();
  }

  static Next at(Instant when) {
    return new At(when);
  }

  static Next notBefore(Instant when) {
    return new NotBefore(when);
  }

  static Next retry() {
    return new Retry();
  }
}
