package dev.berth.controllers.cycle;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The groups that a cycle looks at whether or not there is anything to plan: who waits, who runs
/// below its minimum, whose time ends. Only groups that are not those of the last snapshot are
/// looked into.
///
/// Of one thread.
final class Roll {
  private final Predicate<PodGroup> isStale;
  private List<PodGroup> last = List.of();
  private final TreeSet<GroupKey> waiting = new TreeSet<>();
  private final TreeMap<GroupKey, PodGroup> stale = new TreeMap<>();
  private final TreeMap<GroupKey, PodGroup> mortal = new TreeMap<>();

  Roll(Predicate<PodGroup> isStale) {
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
    int b = 0;
    int n = 0;
    while (b < before.size() || n < groups.size()) {
      int order = order(before, b, groups, n);
      if (order == 0 && before.get(b) == groups.get(n)) {
        b++;
        n++;
        continue;
      }
      if (order <= 0) {
        leave(before.get(b++).key());
      }
      if (order >= 0) {
        enter(groups.get(n++));
      }
    }
    last = groups;
  }

  /// Less than 0: only before; more: only now; 0: the same key.
  private static int order(List<PodGroup> before, int b, List<PodGroup> now, int n) {
    if (b == before.size()) {
      return 1;
    }
    if (n == now.size()) {
      return -1;
    }
    return before.get(b) == now.get(n) ? 0 : before.get(b).key().compareTo(now.get(n).key());
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

  boolean somebodyWaits() {
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
