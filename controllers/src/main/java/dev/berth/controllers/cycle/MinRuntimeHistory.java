package dev.berth.controllers.cycle;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MinRuntimeWait;
import dev.berth.engine.model.MinRuntimeWaits;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
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

  private final TreeMap<MinRuntimeWait, Wait> waits = new TreeMap<>();
  private MinRuntimeWaits shown = MinRuntimeWaits.NONE;

  /// @param other since when plans say another reason; `MAX` = they do not
  private record Wait(Instant since, Instant other) {
    Wait next(boolean isTold, Instant now) {
      boolean isSame = isTold == other.equals(Instant.MAX);
      return isSame ? this : new Wait(since, isTold ? Instant.MAX : now);
    }

    boolean isOver(Instant now) {
      return !other.equals(Instant.MAX) && !now.isBefore(other.plus(UNTIL_OVER));
    }
  }

  /// What a plan came to.
  public void planned(Snapshot snapshot, Plan plan) {
    var told = plan.minRuntimeWaits();
    if (waits.isEmpty() && told.isEmpty()) {
      return;
    }
    var now = plan.at();
    told.forEach(wait -> waits.putIfAbsent(wait, new Wait(now, Instant.MAX)));
    var placed = new HashSet<GroupKey>();
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Reserve) {
        placed.add(decision.group());
      }
    }
    waits.keySet().removeIf(wait -> placed.contains(wait.group()) || isGone(snapshot, wait));
    waits.replaceAll((wait, seen) -> seen.next(told.contains(wait), now));
    waits.values().removeIf(wait -> wait.isOver(now));
    show();
  }

  private static boolean isGone(Snapshot snapshot, MinRuntimeWait wait) {
    return snapshot.group(wait.group()).isEmpty();
  }

  private void show() {
    var since = new TreeMap<MinRuntimeWait, Instant>();
    waits.forEach((wait, seen) -> since.put(wait, seen.since));
    if (!since.equals(shown.since())) {
      shown = new MinRuntimeWaits(since);
    }
  }

  /// Since when groups wait now.
  public MinRuntimeWaits waits() {
    return shown;
  }
}
