package dev.berth.cli.bench;

import dev.berth.cli.bench.JobTrace.Job;
import dev.berth.cli.bench.TraceWorld.Work;
import dev.berth.controllers.cycle.MoveHistory;
import dev.berth.controllers.cycle.MoveSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Snapshot;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Jobs of a replay in trace time: each comes when it was submitted, and is over when it has run
/// for as long as it ran. A job that loses its place or is moved comes again and runs from the
/// start.
///
/// One plan for all that happens in one second, ends first; and further ones of the same second for
/// as long as a search goes on. Consolidation moves as many as the shipped settings allow in an
/// hour.
final class TraceReplay {
  private final TraceWorld world;
  private final ArrayDeque<Job> coming;
  private final PriorityQueue<End> ends =
      new PriorityQueue<>(Comparator.comparingLong(End::at).thenComparingLong(End::number));
  private final MoveHistory moves = new MoveHistory(MoveSettings.DEFAULT);
  private final long until;
  private boolean searches;
  private long second;
  private long numbers;
  private int arrived;
  private int ended;

  /// @param starts which of its starts is meant: an earlier one does not count any more
  /// @param number orders ends of one second
  private record End(long at, long number, Work work, int starts) {}

  /// @param jobs in the order of submission
  /// @param until the second at which this is over
  TraceReplay(TraceWorld world, List<Job> jobs, long until) {
    this.world = world;
    this.until = until;
    coming = new ArrayDeque<>(jobs);
    world.onStart(
        work -> ends.add(new End(second + work.job().seconds(), numbers++, work, work.starts())));
  }

  /// What is to be planned next, before a second; empty = nothing until then.
  Optional<Snapshot> next(long before) {
    if (!searches) {
      long at =
          Math.min(
              coming.isEmpty() ? Long.MAX_VALUE : coming.getFirst().submitted(),
              ends.isEmpty() ? Long.MAX_VALUE : ends.peek().at);
      if (at >= Math.min(before, until)) {
        return Optional.empty();
      }
      happens(at);
    }
    return Optional.of(world.snapshot().with(moves.at(world.now())));
  }

  private void happens(long at) {
    second = at;
    world.passUntil(at);
    while (!ends.isEmpty() && ends.peek().at <= at) {
      var end = ends.remove();
      if (end.work.runs() && end.work.starts() == end.starts) {
        world.ends(end.work);
        ended++;
      }
    }
    while (!coming.isEmpty() && coming.getFirst().submitted() <= at) {
      var _ = world.comes(coming.removeFirst());
      arrived++;
    }
  }

  /// Carries out the plan of what [#next] gave.
  void planned(Plan plan) {
    for (Decision decision : plan.decisions()) {
      if (decision instanceof Decision.Reserve reserve) {
        for (Decision.Victim victim : reserve.victims()) {
          if (victim.cause() == Decision.Cause.CONSOLIDATE) {
            world
                .ledger()
                .pod(victim.uid())
                .ifPresent(pod -> moves.add(world.now(), pod.workload()));
          }
        }
      }
    }
    var _ = world.carryOut(plan);
    searches = plan.searches();
  }

  /// Jobs that came so far.
  int arrived() {
    return arrived;
  }

  /// Jobs that ran to their end so far.
  int ended() {
    return ended;
  }
}
