package dev.berth.simulator.faults;

import dev.berth.controllers.client.AnsweredWrites;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.Watcher;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// A watch that breaks now and then: what happens meanwhile is never delivered, and shows only in
/// the full list that follows, as Berth's own reflector makes it known.
///
/// The first list is always whole. That it is broken is noticed after half of the gap; until then
/// sight seems fresh.
public final class BreakingWatch implements Watcher, Freshness {
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(6);
  private static final Duration SILENCE = Duration.ofSeconds(20);

  private final Watcher inner;
  private final World world;
  private final FaultInjector faultInjector;
  private final EnumMap<Kind, TreeMap<ObjectRef, Map<String, ?>>> known = new EnumMap<>(Kind.class);
  private final HashSet<String> buried = new HashSet<>(); // looked up only
  private final EnumMap<Kind, Long> listed = new EnumMap<>(Kind.class);
  private final EnumSet<Kind> synced = EnumSet.noneOf(Kind.class);
  private final EnumSet<Kind> broken = EnumSet.noneOf(Kind.class);
  private final EnumSet<Kind> noticed = EnumSet.noneOf(Kind.class);

  /// Of the latest list or event, by kind.
  private final EnumMap<Kind, Long> read = new EnumMap<>(Kind.class);

  private final AnsweredWrites answered;
  private final Consumer<String> wentBack;
  private boolean isOver;

  /// @param answered what writes of this process were answered
  /// @param wentBack hears that a list is of an earlier state than what was read before, as Berth's
  ///   own reflector tells it
  public BreakingWatch(
      Watcher inner,
      World world,
      FaultInjector faultInjector,
      AnsweredWrites answered,
      Consumer<String> wentBack) {
    this.inner = inner;
    this.answered = answered;
    this.wentBack = wentBack;
    this.world = world;
    this.faultInjector = faultInjector;
    for (Kind kind : Kind.values()) {
      known.put(kind, new TreeMap<>());
    }
  }

  /// Begins.
  public void open() {
    for (Kind kind : Kind.values()) {
      read.put(kind, world.version());
    }
    world.watch(EnumSet.allOf(Kind.class), this);
  }

  /// The store was put back, and the streams are no more: each kind is listed anew later, after
  /// moments, or after a while in which the stream says nothing and seems to be well.
  ///
  /// @param whole run when all has been listed anew, and nothing of it was of an earlier state than
  ///   what was read before
  public void cutOff(Runnable whole) {
    if (read.isEmpty()) {
      return; // it has not begun
    }
    var missing = EnumSet.copyOf(read.keySet());
    boolean silent = faultInjector.chance().comes(0.3);
    for (Kind kind : read.keySet()) {
      var gap = faultInjector.chance().between(SHORTEST, silent ? SILENCE : LONGEST);
      broken.add(kind);
      if (!silent) {
        world.time().after(gap.dividedBy(2), () -> noticed.add(kind));
      }
      world
          .time()
          .after(
              gap,
              () -> {
                relistAfterCut(kind);
                if (missing.remove(kind) && missing.isEmpty() && !isOver) {
                  whole.run();
                }
              });
    }
  }

  private void relistAfterCut(Kind kind) {
    if (isOver) {
      return;
    }
    relist(kind);
    if (!isOver) {
      world.watch(EnumSet.of(kind), this);
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    if (isUp(kind) && isAfterTheList(kind, object)) {
      read.merge(kind, version(object), Math::max);
      note(kind, object);
      reachedBy(kind);
    }
  }

  /// The farewell of a namesake that was missed comes first.
  private void note(Kind kind, Map<String, ?> object) {
    var before = knownOf(kind).put(ObjectRef.to(kind, object), object);
    if (before != null && !ObjectTree.uid(before).equals(ObjectTree.uid(object))) {
      buried.add(ObjectTree.uid(before));
      inner.gone(kind, farewell(before, version(object) - 1));
    }
    inner.seen(kind, object);
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (isUp(kind) && isAfterTheList(kind, object)) {
      read.merge(kind, version(object), Math::max);
      knownOf(kind).remove(ObjectRef.to(kind, object));
      buried.add(ObjectTree.uid(object));
      inner.gone(kind, object);
      reachedBy(kind);
    }
  }

  @Override
  public void synced(Kind kind) {
    synced.add(kind);
    inner.synced(kind);
    reachedBy(kind);
  }

  private void reachedBy(Kind kind) {
    if (synced.contains(kind)) { // else in the midst of the first list
      inner.reached(kind, Long.toString(read.getOrDefault(kind, 0L)));
    }
  }

  @Override
  public boolean isFresh() {
    return noticed.isEmpty();
  }

  @Override
  public String whatIsMissing() {
    return noticed.isEmpty() ? "" : "the watch of " + noticed + " is broken";
  }

  private TreeMap<ObjectRef, Map<String, ?>> knownOf(Kind kind) {
    return known.computeIfAbsent(kind, _ -> new TreeMap<>());
  }

  private boolean isUp(Kind kind) {
    if (synced.contains(kind)
        && !broken.contains(kind)
        && faultInjector.strikes(Fault.BROKEN_WATCH)) {
      broken.add(kind);
      var gap = faultInjector.chance().between(SHORTEST, LONGEST);
      world.time().after(gap.dividedBy(2), () -> noticed.add(kind));
      world.time().after(gap, () -> relist(kind));
    }
    return !broken.contains(kind);
  }

  private void relist(Kind kind) {
    broken.remove(kind);
    noticed.remove(kind);
    long was = read.getOrDefault(kind, 0L);
    if (world.version() < was) {
      isOver = true;
      wentBack.accept(kind + " were of version " + was + " and are of " + world.version());
      return;
    }
    var objects = world.list(kind);
    for (var object : objects) {
      if (wasLater(kind, object)) {
        isOver = true;
        wentBack.accept(kind + " show " + ObjectRef.to(kind, object) + ", which is past");
        return;
      }
    }
    read.put(kind, world.version());
    var vanished = new TreeMap<>(knownOf(kind));
    listed.put(kind, world.version());
    for (var object : objects) {
      vanished.remove(ObjectRef.to(kind, object));
      note(kind, object);
    }
    vanished.forEach((ref, object) -> {
      knownOf(kind).remove(ref);
      buried.add(ObjectTree.uid(object));
      inner.gone(kind, farewell(object, world.version()));
    });
    inner.synced(kind);
    reachedBy(kind);
  }

  private boolean wasLater(Kind kind, Map<String, ?> object) {
    var before = knownOf(kind).get(ObjectRef.to(kind, object));
    return buried.contains(ObjectTree.uid(object))
        || answered.isPast(kind, object, answered.soFar())
        || before != null && version(object) < version(before);
  }

  /// What was under way when the list was made is in it.
  private boolean isAfterTheList(Kind kind, Map<String, ?> object) {
    return version(object) > listed.getOrDefault(kind, 0L);
  }

  private static long version(Map<String, ?> object) {
    return Long.parseLong(ObjectTree.text(object, "metadata", "resourceVersion"));
  }

  /// Of an object that a list did not show, no more is known than this.
  private static Map<String, Object> farewell(Map<String, ?> object, long version) {
    return ObjectTree.of(
        "metadata",
        ObjectTree.of(
            "namespace",
            ObjectTree.text(object, "metadata", "namespace"),
            "name",
            ObjectTree.name(object),
            "uid",
            ObjectTree.uid(object),
            "resourceVersion",
            Long.toString(version)));
  }
}
