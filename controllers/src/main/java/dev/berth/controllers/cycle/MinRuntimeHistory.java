package dev.berth.controllers.cycle;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MinRuntimeWaits;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;

/// Since when groups wait because of a min-runtime, as far as this process has seen it. Of the
/// planning thread.
///
/// What others start meanwhile is protected from them only until such a wait has lasted as long as
/// the min-runtime: else pods made one after the other would keep the room for ever.
///
/// A new leader begins anew, so a change of leader costs a group one min-runtime at the most.
public final class MinRuntimeHistory {
  /// Another reason counts as the end of a wait once it has held for so long.
  private static final Duration UNTIL_OVER = Duration.ofMinutes(1);

  private final TreeMap<GroupKey, Wait> waits = new TreeMap<>();
  private MinRuntimeWaits before = MinRuntimeWaits.NONE;

  /// @param other since when plans say another reason; `MAX` = they do not
  private record Wait(Instant since, Instant other) {}

  /// What a plan came to.
  public void planned(Snapshot snapshot, Plan plan) {
    if (waits.isEmpty() && plan.minRuntimeWaits().isEmpty()) {
      return;
    }
    var now = plan.at();
    for (GroupKey group : plan.minRuntimeWaits()) {
      var known = waits.getOrDefault(group, new Wait(now, Instant.MAX));
      waits.put(group, new Wait(known.since, Instant.MAX));
    }
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        waits.remove(reserve.group());
      }
    }
    waits.keySet().removeIf(group -> snapshot.group(group).isEmpty());
    waits.replaceAll((group, wait) ->
        plan.minRuntimeWaits().contains(group) || !wait.other.equals(Instant.MAX)
            ? wait
            : new Wait(wait.since, now));
    waits.values().removeIf(wait -> isOver(wait, now));
  }

  private static boolean isOver(Wait wait, Instant now) {
    return !wait.other.equals(Instant.MAX) && !now.isBefore(wait.other.plus(UNTIL_OVER));
  }

  /// Since when groups wait now.
  public MinRuntimeWaits waits() {
    var since = new TreeMap<GroupKey, Instant>();
    waits.forEach((group, wait) -> since.put(group, wait.since));
    var now = new MinRuntimeWaits(since);
    before = now.equals(before) ? before : now;
    return before;
  }
}
