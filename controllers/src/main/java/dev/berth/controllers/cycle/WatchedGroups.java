package dev.berth.controllers.cycle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.model.Standing;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.IdleEnd;
import dev.berth.engine.session.IdleEnds;
import dev.berth.engine.session.RuntimeEnd;
import dev.berth.engine.session.RuntimeEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The groups that a cycle looks at whether or not there is anything to plan: groups that wait,
/// that run below their minimum, whose time ends. Only groups that are not those of the last
/// snapshot are looked into, and all of them where the max-runtime of a queue is another.
///
/// Of one thread.
final class WatchedGroups {
  private final Predicate<PodGroup> isStale;
  private List<PodGroup> last = List.of();
  private final TreeSet<GroupKey> waiting = new TreeSet<>();
  private final TreeMap<GroupKey, PodGroup> stale = new TreeMap<>();
  private final RuntimeEnds ends;
  private final IdleEnds idle = new IdleEnds();
  private Snapshot snapshot = Snapshot.empty(Instant.EPOCH);
  private List<Queue> queues = List.of();

  /// @param warning how long before its end a group is warned, where no queue says it
  WatchedGroups(Predicate<PodGroup> isStale, Duration warning) {
    this.isStale = isStale;
    this.ends = new RuntimeEnds(warning);
  }

  /// Goes on to the groups of the next snapshot.
  ///
  /// @param next its groups by key; those that did not change by reference
  void turn(Snapshot next) {
    snapshot = next;
    var groups = snapshot.groups();
    if (!haveSameMaxRuntimes(queues, snapshot.queues())) {
      last = List.of();
    }
    queues = snapshot.queues();
    var before = last;
    if (before == groups) {
      return;
    }
    if (before.isEmpty()) {
      waiting.clear();
      stale.clear();
      ends.clear();
      idle.clear();
    }
    last = List.of(); // whatever happens meanwhile: nothing half done is kept
    var turnover = SnapshotDiff.between(before, groups).orElseThrow();
    turnover.gone().forEach(index -> leave(before.get(index).key()));
    turnover.come().values().forEach(this::enter);
    last = groups;
  }

  private static boolean haveSameMaxRuntimes(List<Queue> before, List<Queue> now) {
    if (before == now) {
      return true;
    }
    boolean areSame = before.size() == now.size();
    for (int i = 0; areSame && i < now.size(); i++) {
      var was = before.get(i);
      var is = now.get(i);
      areSame =
          was == is
              || was.name().equals(is.name())
                  && was.parent().equals(is.parent())
                  && was.maxRuntime().equals(is.maxRuntime())
                  && was.maxRuntimeWarning().equals(is.maxRuntimeWarning());
    }
    return areSame;
  }

  private void leave(GroupKey group) {
    waiting.remove(group);
    stale.remove(group);
    ends.leave(group);
    idle.leave(group);
  }

  private void enter(PodGroup group) {
    if (isWaiting(group)) {
      waiting.add(group.key());
    }
    if (!group.single() && isStale.test(group)) {
      stale.put(group.key(), group);
    }
    var rule = MaxRuntime.of(group, snapshot::queue);
    if (!rule.isNone()) {
      ends.enter(Group.outside(group), rule, snapshot.now());
    }
    idle.enter(group);
  }

  private static boolean isWaiting(PodGroup group) {
    for (var member : group.members()) {
      if (member.standing() instanceof Standing.Waiting) {
        return true;
      }
    }
    return false;
  }

  boolean anyGroupWaits() {
    return !waiting.isEmpty();
  }

  /// Groups that run below their minimum.
  SortedMap<GroupKey, PodGroup> stale() {
    return Collections.unmodifiableSortedMap(stale);
  }

  /// Groups that have a max-runtime, their own or that of a queue.
  SortedSet<GroupKey> mortal() {
    return ends.groups();
  }

  /// The first moment at which a group is warned of its end, or its time is over; `MAX` = none has
  /// an end.
  Instant nextEnd(Instant now) {
    var next = ends.next(now);
    for (IdleEnd each : idle(now).values()) {
      next = each.leavesAt().isBefore(next) ? each.leavesAt() : next;
    }
    return next;
  }

  /// Groups whose GPUs do nothing, or that say so while nothing was measured yet.
  SortedMap<GroupKey, IdleEnd> idle(Instant now) {
    var ends = new TreeMap<GroupKey, IdleEnd>();
    for (GroupKey key : idle.groups()) {
      snapshot
          .group(key)
          .map(group -> IdleEnd.of(Group.outside(group), snapshot::queue, now))
          .filter(end -> !end.equals(IdleEnd.NONE))
          .ifPresent(end -> ends.put(key, end));
    }
    return ends;
  }

  /// Groups that are to be told that they end soon.
  SortedMap<GroupKey, RuntimeEnd> near(Instant now) {
    return ends.near(now);
  }
}
