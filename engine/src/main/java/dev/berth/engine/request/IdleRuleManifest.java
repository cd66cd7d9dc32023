package dev.berth.engine.request;

import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/// `spec.idle` of a Queue.
final class IdleRuleManifest {
  private static final List<String> FIELDS = List.of("after", "below", "warning", "action");
  private static final int MOST = 100;

  private IdleRuleManifest() {}

  /// No rule where it is absent, or where what it says cannot be meant: that is a problem of the
  /// queue, and nothing is evicted by it.
  static IdleRule read(String queue, ManifestTree spec) {
    if (!spec.has("idle")) {
      return IdleRule.NONE;
    }
    var idle = spec.object("idle");
    idle.onlyKnows(FIELDS);
    var after = Durations.read(idle, "after", false);
    var below = below(idle);
    var warning = idle.has("warning") ? Durations.read(idle, "warning", false) : IdleRule.WARNING;
    var action = idle.text("action");
    boolean isKnown = action.isEmpty() || action.equals("Report") || action.equals("Evict");
    if (!isKnown) {
      idle.problem("action", action, "it is Report or Evict.");
    }
    boolean isRead = !idle.has("after") || Durations.parse(idle.text("after")).isPresent();
    if (isRead && !isLong(after)) {
      idle.problem(
          "after",
          idle.has("after") ? idle.text("after") : "not set",
          "how long GPUs must have done nothing is "
              + MaxRuntime.text(IdleRule.SHORTEST)
              + " to "
              + MaxRuntime.text(IdleRule.LONGEST)
              + ", like 1h.");
    }
    return isLong(after) && isKnown && below.isPresent()
        ? new IdleRule(
            new QueueName(queue), after, below.getAsInt(), warning, action.equals("Evict"))
        : IdleRule.NONE;
  }

  private static boolean isLong(Duration after) {
    return after.compareTo(IdleRule.SHORTEST) >= 0 && after.compareTo(IdleRule.LONGEST) <= 0;
  }

  private static OptionalInt below(ManifestTree idle) {
    if (!idle.has("below")) {
      return OptionalInt.of(IdleRule.BELOW);
    }
    var below = idle.number("below", 1);
    if (below.isPresent() && below.getAsInt() > MOST) {
      idle.problem("below", idle.text("below"), "it is a percentage, 1 to 100.");
      return OptionalInt.empty();
    }
    return below;
  }
}
