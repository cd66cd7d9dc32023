package dev.berth.engine.request;

import java.util.stream.Stream;

/// Conditions of a status.
final class StatusConditions {
  private StatusConditions() {}

  /// Those of a type: one at most, unless the status was written by hand.
  static Stream<ManifestTree> of(ManifestTree status, String type) {
    return status.objects("conditions").stream()
        .filter(condition -> condition.text("type").equals(type));
  }

  static boolean isTrue(ManifestTree condition) {
    return condition.text("status").equals("True");
  }
}
