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
/// the min-runtime: else pods made one after the other would keep the room for ever. While plans
/// give another reason a wait does not go on, but for a moment: what hindered a group for seconds
/// takes no minutes from those that start later.
///
/// A new leader begins anew, so a change of leader costs a group one min-runtime at the most.
public final class MinRuntimeHistory {
  /// Another reason counts as the end of a wait once it has held for so long.
  private static final Duration UNTIL_OVER = Duration.ofMinutes(1);

  /// For so long a wait goes on in spite of another reason: between pods that take turns there may
  /// be a moment in which none is protected.
  private static final Duration GOES_ON = Duration.ofSeconds(10);

  private final TreeMap<MinRuntimeWait, Wait> waits = new TreeMap<>();
  private MinRuntimeWaits shown = MinRuntimeWaits.NONE;

  /// @param other since when plans say another reason; `MAX` = they do not
  private record Wait(Instant since, Instant other) {
    Wait next(boolean isTold, Instant now) {
      if (isTold == other.equals(Instant.MAX)) {
        return this;
      }
      return isTold ? new Wait(resumed(now), Instant.MAX) : new Wait(since, now);
    }

    /// Since when it would wait now, had it waited without the pause.
    private Instant resumed(Instant now) {
      return goesOn(now) ? since : since.plus(Duration.between(other, now));
    }

    boolean goesOn(Instant now) {
      return other.equals(Instant.MAX) || now.isBefore(other.plus(GOES_ON));
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
  }

  private static boolean isGone(Snapshot snapshot, MinRuntimeWait wait) {
    return snapshot.group(wait.group()).isEmpty();
  }

  /// Since when groups wait now. The same object as long as that is the same.
  public MinRuntimeWaits waits(Instant now) {
    var since = new TreeMap<MinRuntimeWait, Instant>();
    waits.forEach((wait, seen) -> {
      if (seen.goesOn(now)) {
        since.put(wait, seen.since);
      }
    });
    if (!since.equals(shown.since())) {
      shown = new MinRuntimeWaits(since);
    }
    return shown;
  }
}
