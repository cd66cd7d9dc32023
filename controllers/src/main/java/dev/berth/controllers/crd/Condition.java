package dev.berth.controllers.crd;

import java.time.Instant;
import java.util.List;

/// What is so of an object, and since when (`metav1.Condition`).
///
/// @param lastTransition when its status changed last
public record Condition(
    String type, boolean status, String reason, String message, Instant lastTransition) {
  public Condition {
    message = Printable.line(message);
  }

  /// A condition as it is now: since before where its status is as it was, else since now.
  ///
  /// @param before what the object says so far
  public static Condition of(
      List<Condition> before,
      String type,
      boolean holds,
      String reason,
      String message,
      Instant now) {
    for (var old : before) {
      if (old.type().equals(type) && old.status() == holds) {
        return new Condition(type, holds, reason, message, old.lastTransition());
      }
    }
    return new Condition(type, holds, reason, message, now);
  }
}
