package dev.berth.engine;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// When groups have run for their max-runtime, for a planner that runs only when something is due.
/// A question costs what changed, not what runs: a rule of a queue may end every workload of it.
///
/// Of one thread.
public final class MaxRuntimes {
  /// A group, and how long it may run.
  private record Bounded(PodGroup group, MaxRuntime most) {
    Instant end(Instant now) {
      return Group.outside(group).end(most, now);
    }
  }

  private final TreeSet<GroupKey> all = new TreeSet<>();
  private final TreeMap<GroupKey, Instant> ends = new TreeMap<>();
  private final TreeMap<Instant, TreeSet<GroupKey>> inOrder = new TreeMap<>();

  /// A member without a start time begins now, always.
  private final TreeMap<GroupKey, Bounded> beginning = new TreeMap<>();

  /// Looks at a group that came, or changed: the group as it was has to [leave][#leave] before.
  public void enter(PodGroup group, MaxRuntime most, Instant now) {
    if (most.isNone()) {
      return;
    }
    var key = group.key();
    all.add(key);
    var bounded = new Bounded(group, most);
    var end = bounded.end(now);
    if (end.equals(bounded.end(now.plusNanos(1)))) {
      ends.put(key, end);
      inOrder.computeIfAbsent(end, _ -> new TreeSet<>()).add(key);
    } else {
      beginning.put(key, bounded);
    }
  }

  /// The group is gone, or changes.
  public void leave(GroupKey group) {
    all.remove(group);
    beginning.remove(group);
    var end = ends.remove(group);
    if (end != null) {
      inOrder.computeIfPresent(
          end, (_, those) -> those.remove(group) && those.isEmpty() ? null : those);
    }
  }

  /// No group is known.
  public void clear() {
    all.clear();
    beginning.clear();
    ends.clear();
    inOrder.clear();
  }

  /// The groups that have a max-runtime.
  public SortedSet<GroupKey> groups() {
    return Collections.unmodifiableSortedSet(all);
  }

  /// The first moment at which a group must end; `MAX` = none has to.
  public Instant nextEnd(Instant now) {
    var next = inOrder.isEmpty() ? Instant.MAX : inOrder.firstKey();
    for (Bounded each : beginning.values()) {
      var end = each.end(now);
      next = end.isBefore(next) ? end : next;
    }
    return next;
  }

  /// The same of all groups of a snapshot.
  public static Instant nextEnd(Snapshot snapshot) {
    var ends = new MaxRuntimes();
    for (PodGroup group : snapshot.groups()) {
      ends.enter(group, MaxRuntime.of(group, snapshot::queue), snapshot.now());
    }
    return ends.nextEnd(snapshot.now());
  }
}
