package dev.berth.controllers.cycle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.SnapshotDiff;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The groups that a cycle looks at whether or not there is anything to plan: groups that wait,
/// that run below their minimum, whose time ends. Only groups that are not those of the last
/// snapshot are looked into.
///
/// Of one thread.
final class WatchedGroups {
  private final Predicate<PodGroup> isStale;
  private List<PodGroup> last = List.of();
  private final TreeSet<GroupKey> waiting = new TreeSet<>();
  private final TreeMap<GroupKey, PodGroup> stale = new TreeMap<>();
  private final TreeMap<GroupKey, PodGroup> mortal = new TreeMap<>();

  WatchedGroups(Predicate<PodGroup> isStale) {
    this.isStale = isStale;
  }

  /// Goes on to the groups of the next snapshot.
  ///
  /// @param groups by key; those that did not change by reference
  void turn(List<PodGroup> groups) {
    var before = last;
    if (before == groups) {
      return;
    }
    if (before.isEmpty()) {
      waiting.clear();
      stale.clear();
      mortal.clear();
    }
    last = List.of(); // whatever happens meanwhile: nothing half done is kept
    var turnover = SnapshotDiff.between(before, groups).orElseThrow();
    turnover.gone().forEach(index -> leave(before.get(index).key()));
    turnover.come().values().forEach(this::enter);
    last = groups;
  }

  private void leave(GroupKey group) {
    waiting.remove(group);
    stale.remove(group);
    mortal.remove(group);
  }

  private void enter(PodGroup group) {
    if (isWaiting(group)) {
      waiting.add(group.key());
    }
    if (!group.single() && isStale.test(group)) {
      stale.put(group.key(), group);
    }
    if (!group.spec().patience().maxRuntime().equals(Duration.ZERO)) {
      mortal.put(group.key(), group);
    }
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

  /// Groups that have a max-runtime.
  Collection<PodGroup> mortal() {
    return Collections.unmodifiableCollection(mortal.values());
  }
}
