package dev.berth.simulator.faults;

import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.Watcher;
import dev.berth.simulator.world.Ref;
import dev.berth.simulator.world.Tree;
import dev.berth.simulator.world.World;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;

/// A watch that breaks now and then: what happens meanwhile is never delivered, and shows only in
/// the full list that follows, as our own reflector makes it known.
///
/// The first list is always whole. That it is broken is noticed after half of the gap; until then
/// sight seems fresh.
public final class BreakingWatch implements Watcher, Freshness {
  private static final Duration SHORTEST = Duration.ofMillis(200);
  private static final Duration LONGEST = Duration.ofSeconds(6);

  private final Watcher inner;
  private final World world;
  private final Storm storm;
  private final EnumMap<Kind, TreeMap<Ref, Map<String, ?>>> known = new EnumMap<>(Kind.class);
  private final EnumMap<Kind, Long> listed = new EnumMap<>(Kind.class);
  private final EnumSet<Kind> synced = EnumSet.noneOf(Kind.class);
  private final EnumSet<Kind> broken = EnumSet.noneOf(Kind.class);
  private final EnumSet<Kind> noticed = EnumSet.noneOf(Kind.class);

  public BreakingWatch(Watcher inner, World world, Storm storm) {
    this.inner = inner;
    this.world = world;
    this.storm = storm;
    for (Kind kind : Kind.values()) {
      known.put(kind, new TreeMap<>());
    }
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    if (isUp(kind) && isAfterTheList(kind, object)) {
      note(kind, object);
    }
  }

  /// The farewell of a namesake that was missed comes first.
  private void note(Kind kind, Map<String, ?> object) {
    var before = knownOf(kind).put(Ref.to(kind, object), object);
    if (before != null && !Tree.uid(before).equals(Tree.uid(object))) {
      inner.gone(kind, farewell(before, version(object) - 1));
    }
    inner.seen(kind, object);
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    if (isUp(kind) && isAfterTheList(kind, object)) {
      knownOf(kind).remove(Ref.to(kind, object));
      inner.gone(kind, object);
    }
  }

  @Override
  public void synced(Kind kind) {
    synced.add(kind);
    inner.synced(kind);
  }

  @Override
  public boolean isFresh() {
    return noticed.isEmpty();
  }

  @Override
  public String whatIsMissing() {
    return noticed.isEmpty() ? "" : "the watch of " + noticed + " is broken";
  }

  private TreeMap<Ref, Map<String, ?>> knownOf(Kind kind) {
    return known.computeIfAbsent(kind, _ -> new TreeMap<>());
  }

  private boolean isUp(Kind kind) {
    if (synced.contains(kind) && !broken.contains(kind) && storm.strikes(Fault.BROKEN_WATCH)) {
      broken.add(kind);
      var gap = storm.chance().between(SHORTEST, LONGEST);
      world.time().after(gap.dividedBy(2), () -> noticed.add(kind));
      world.time().after(gap, () -> relist(kind));
    }
    return !broken.contains(kind);
  }

  private void relist(Kind kind) {
    broken.remove(kind);
    noticed.remove(kind);
    var vanished = new TreeMap<>(knownOf(kind));
    listed.put(kind, world.version());
    for (var object : world.list(kind)) {
      vanished.remove(Ref.to(kind, object));
      note(kind, object);
    }
    vanished.forEach((ref, object) -> {
      knownOf(kind).remove(ref);
      inner.gone(kind, farewell(object, world.version()));
    });
    inner.synced(kind);
  }

  /// What was under way when the list was made is in it.
  private boolean isAfterTheList(Kind kind, Map<String, ?> object) {
    return version(object) > listed.getOrDefault(kind, 0L);
  }

  private static long version(Map<String, ?> object) {
    return Long.parseLong(Tree.text(object, "metadata", "resourceVersion"));
  }

  /// Of an object that a list did not show, no more is known than this.
  private static Map<String, Object> farewell(Map<String, ?> object, long version) {
    return Tree.of(
        "metadata",
        Tree.of(
            "namespace",
            Tree.text(object, "metadata", "namespace"),
            "name",
            Tree.name(object),
            "uid",
            Tree.uid(object),
            "resourceVersion",
            Long.toString(version)));
  }
}
