package dev.berth.engine.action;

import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Ends gangs that cannot go on: some members run, but fewer than the minimum, for longer than the
/// grace. All of them leave together, without a preemptor. None of them leaves as long as a
/// disruption budget protects one.
///
/// A group that got its missing members in this plan is not stale any more.
public final class EvictStale implements Action {
  private final Duration defaultGrace;
  private final SortedMap<GroupKey, Instant> staleSince;

  /// @param defaultGrace of groups that say nothing; negative = never
  /// @param staleSince when each stale group was first seen so ([Staleness]); the caller keeps
  ///   this, since a snapshot knows only one moment
  public EvictStale(Duration defaultGrace, SortedMap<GroupKey, Instant> staleSince) {
    this.defaultGrace = defaultGrace;
    this.staleSince = Collections.unmodifiableSortedMap(new TreeMap<>(staleSince));
  }

  @Override
  public void run(Round round) {
    var session = round.session();
    for (GroupKey key : staleSince.keySet()) {
      session
          .group(key)
          .filter(group -> isOverdue(group, session.now()) && group.isStale())
          .ifPresent(group -> evict(session, group));
    }
  }

  private boolean isOverdue(Group group, Instant now) {
    var grace = group.group().spec().patience().stalenessGraceOr(defaultGrace);
    return !grace.isNegative()
        && staleSince.containsKey(group.key())
        && !staleSince.getOrDefault(group.key(), now).plus(grace).isAfter(now);
  }

  private static void evict(Session session, Group group) {
    var victims = new ArrayList<MemberState>();
    for (MemberState seat : group.seats()) {
      boolean asked = seat.pod().life().runsOn(); // another eviction would change nothing
      if (seat.was() == MemberState.Was.BOUND && seat.isPlaced() && !asked) {
        victims.add(seat);
      }
    }
    if (victims.isEmpty() || !session.budgets().leavers().add(victims)) {
      return;
    }
    try (Statement statement = session.open()) {
      victims.forEach(seat -> statement.evict(seat, Cause.STALE, group.key()));
      statement.keep();
    }
  }
}
