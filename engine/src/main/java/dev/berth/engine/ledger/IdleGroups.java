package dev.berth.engine.ledger;

import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.PodGroup;
import java.time.Instant;
import java.util.List;

/// The groups whose GPUs do nothing, as long as that was measured lately.
final class IdleGroups {
  private final GroupStates groups;
  private List<GroupKey> known = List.of();
  private Instant until = Instant.MAX;
  private boolean isFirst = true;

  IdleGroups(GroupStates groups) {
    this.groups = groups;
  }

  /// @return whether any group changed
  boolean seen(Fact.IdleSeen fact) {
    boolean moved = isFirst && first();
    isFirst = false;
    for (GroupKey key : known) {
      moved |= !fact.idle().containsKey(key) && groups.idle(key, Idleness.NONE);
    }
    for (var each : fact.idle().entrySet()) {
      moved |= groups.idle(each.getKey(), each.getValue());
    }
    known = List.copyOf(fact.idle().keySet());
    until = fact.until();
    return moved;
  }

  private boolean first() {
    groups.measured();
    boolean moved = false;
    for (PodGroup group : groups.list()) {
      moved |= groups.idle(group.key(), Idleness.NONE);
    }
    return moved;
  }

  /// What was measured too long ago says nothing.
  boolean endAllUntil(Instant now) {
    return !known.isEmpty() && !until.isAfter(now) && seen(Fact.IdleSeen.NOTHING);
  }
}
