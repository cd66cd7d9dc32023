package dev.berth.engine.session;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// When groups have run for their max-runtime, and when they are warned of it, for a planner that
/// runs only when something is due. A question costs what changed and what ends soon, not what
/// runs: a rule of a queue may end every workload of it.
///
/// Of one thread.
public final class RuntimeEnds {
  /// A group, and how long it may run.
  private record Bounded(Group group, MaxRuntime rule, Duration warning) {
    RuntimeEnd ending(Instant now) {
      return RuntimeEnd.of(group, rule, warning, now);
    }
  }

  private final Duration warning;
  private final TreeSet<GroupKey> all = new TreeSet<>();

  /// Of those that are not near their end, by the next moment at which time changes something.
  private final TreeMap<GroupKey, RuntimeEnd> later = new TreeMap<>();

  private final TreeMap<Instant, TreeSet<GroupKey>> inOrder = new TreeMap<>();

  /// Of those to which that moment came.
  private final TreeMap<GroupKey, RuntimeEnd> due = new TreeMap<>();

  /// A member without a start time begins now, always.
  private final TreeMap<GroupKey, Bounded> beginning = new TreeMap<>();

  /// @param warning of groups for which no queue says any; zero = they are not warned
  public RuntimeEnds(Duration warning) {
    this.warning = warning;
  }

  /// Looks at a group that came, or changed: the group as it was has to [leave][#leave] before.
  ///
  /// @param rule of the group
  public void enter(Group group, MaxRuntime rule, Instant now) {
    if (rule.isNone()) {
      return;
    }
    var key = group.key();
    all.add(key);
    var bounded = new Bounded(group, rule, warning);
    var ending = bounded.ending(now);
    if (!ending.equals(bounded.ending(now.plusNanos(1)))) {
      beginning.put(key, bounded);
    } else if (!ending.end().equals(Instant.MAX)) {
      later.put(key, ending);
      inOrder.computeIfAbsent(first(ending), _ -> new TreeSet<>()).add(key);
    }
  }

  private static Instant first(RuntimeEnd ending) {
    return ending.warning().isZero() ? ending.end() : ending.warnsAt();
  }

  /// The group is gone, or changes.
  public void leave(GroupKey group) {
    all.remove(group);
    beginning.remove(group);
    due.remove(group);
    var ending = later.remove(group);
    if (ending != null) {
      inOrder.computeIfPresent(
          first(ending), (_, those) -> those.remove(group) && those.isEmpty() ? null : those);
    }
  }

  /// No group is known.
  public void clear() {
    all.clear();
    beginning.clear();
    due.clear();
    later.clear();
    inOrder.clear();
  }

  /// The groups that have a max-runtime.
  public SortedSet<GroupKey> groups() {
    return Collections.unmodifiableSortedSet(all);
  }

  /// The first moment at which a group is warned or must end; `MAX` = time alone changes nothing.
  public Instant next(Instant now) {
    turn(now);
    var next = inOrder.isEmpty() ? Instant.MAX : inOrder.firstKey();
    for (RuntimeEnd each : due.values()) {
      next = earlier(next, each.next(now));
    }
    for (Bounded each : beginning.values()) {
      next = earlier(next, each.ending(now).next(now));
    }
    return next;
  }

  private static Instant earlier(Instant one, Instant other) {
    return other.isBefore(one) ? other : one;
  }

  /// The groups that are to be told that they end soon.
  public SortedMap<GroupKey, RuntimeEnd> near(Instant now) {
    turn(now);
    var near = new TreeMap<GroupKey, RuntimeEnd>();
    due.forEach((key, ending) -> {
      if (ending.isNear(now)) {
        near.put(key, ending);
      }
    });
    return near; // one that begins now has half of its time before it
  }

  /// Groups that may have to leave, by key: those that are near their end.
  public List<GroupKey> due(Instant now) {
    turn(now);
    return List.copyOf(due.keySet());
  }

  private void turn(Instant now) {
    while (!inOrder.isEmpty() && !inOrder.firstKey().isAfter(now)) {
      for (GroupKey key : inOrder.pollFirstEntry().getValue()) {
        due.put(key, later.remove(key));
      }
    }
  }

  /// When a plan for all groups of a snapshot is due next, as far as their max-runtimes go.
  public static Instant next(Snapshot snapshot, Duration warning) {
    var ends = new RuntimeEnds(warning);
    for (PodGroup group : snapshot.groups()) {
      var rule = MaxRuntime.of(group, snapshot::queue);
      if (!rule.isNone()) {
        ends.enter(Group.outside(group), rule, snapshot.now());
      }
    }
    return ends.next(snapshot.now());
  }
}
