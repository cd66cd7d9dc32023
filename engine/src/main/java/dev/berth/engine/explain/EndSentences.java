package dev.berth.engine.explain;

import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// When the time of a group that runs is over, and by which rule.
public final class EndSentences {
  private EndSentences() {}

  /// `It runs since 2026-01-01T02:10:00Z and is evicted at 2026-01-01T14:10:00Z by the max-runtime
  /// of queue research, 12h.` Empty where it does not run, or may run as long as it likes.
  public static Optional<String> of(PodGroup group, Snapshot cluster) {
    var most = MaxRuntime.of(group, cluster::queue);
    var running = Group.outside(group);
    var end = running.end(most, cluster.now());
    if (end.equals(Instant.MAX)) {
      return Optional.empty();
    }
    boolean isOver = !end.isAfter(cluster.now());
    return Optional.of(
        "It runs since "
            + toSecond(running.runsSince(cluster.now()))
            + (isOver ? ", and its time is over since " : " and is evicted at ")
            + toSecond(end)
            + " by "
            + most.words()
            + ".");
  }

  private static Instant toSecond(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS);
  }
}
