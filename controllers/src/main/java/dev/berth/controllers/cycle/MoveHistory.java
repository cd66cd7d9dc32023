package dev.berth.controllers.cycle;

import dev.berth.engine.model.Moves;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.HashSet;

/// What was moved since this process leads, as far back as it still counts. Of the planning thread.
///
/// A new leader knows nothing of what its predecessor moved: for an hour at most twice as much is
/// moved as the settings say.
public final class MoveHistory {
  private static final Duration HOUR = Duration.ofHours(1);

  private final MoveSettings settings;
  private final ArrayDeque<PastMove> moved = new ArrayDeque<>(); // oldest first
  private Moves before = Moves.NONE;

  private record PastMove(Instant at, Workload workload) {}

  public MoveHistory(MoveSettings settings) {
    this.settings = settings;
  }

  /// One pod is moved.
  public void add(Instant at, Workload workload) {
    moved.addLast(new PastMove(at, workload));
  }

  /// What may be moved now.
  public Moves at(Instant now) {
    var longest = settings.cooldown().compareTo(HOUR) > 0 ? settings.cooldown() : HOUR;
    while (!moved.isEmpty() && isOver(moved.getFirst(), longest, now)) {
      moved.removeFirst();
    }
    int inTheLastHour = 0;
    var resting = new HashSet<Workload>();
    Instant more = Instant.MAX;
    Instant until = Instant.MAX;
    for (PastMove each : moved) {
      if (!isOver(each, HOUR, now)) {
        inTheLastHour++;
        more = earlier(more, each.at.plus(HOUR));
        until = earlier(until, more);
      }
      if (!isOver(each, settings.cooldown(), now)) {
        resting.add(each.workload);
        until = earlier(until, each.at.plus(settings.cooldown()));
      }
    }
    var moves =
        new Moves(Math.max(0, settings.maxMovesPerHour() - inTheLastHour), more, resting, until);
    before = moves.equals(before) ? before : moves;
    return before;
  }

  private static boolean isOver(PastMove each, Duration lasts, Instant now) {
    return !now.isBefore(each.at.plus(lasts));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
