package dev.berth.engine.request;

import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Idleness.Notice;

/// What a condition says of GPUs that do nothing.
final class IdleConditions {
  private IdleConditions() {}

  /// @param condition that is true
  static Notice read(ManifestTree condition) {
    return new Idleness.Notice(
        condition.time("lastTransitionTime"), condition.text("reason").equals(Notice.EVICTED));
  }
}
