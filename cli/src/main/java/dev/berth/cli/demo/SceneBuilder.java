package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Pulse;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/// Listens to the planning cycles and makes scenes of what it heard. Cycles may be told from any
/// thread; scenes are made by one.
public final class SceneBuilder {
  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  private record Heard(Instant when, int plans) {}

  private final Function<Reason, String> sentences;
  private final DemoJournal logbook;
  private final Scenes scenes;
  private final Instant began;

  // All below: guarded by this.
  private final Deque<Heard> heard = new ArrayDeque<>();
  private SortedMap<GroupKey, Reason> waits = Collections.emptySortedMap();
  private Duration took = Duration.ZERO;

  /// @param title asked for each scene
  /// @param sentences of reasons, for users
  public SceneBuilder(
      Supplier<String> title,
      Instant began,
      DemoJournal logbook,
      Function<Reason, String> sentences) {
    this.sentences = sentences;
    this.logbook = logbook;
    this.scenes = new Scenes(title, began);
    this.began = began;
  }

  /// A cycle came to this.
  public synchronized void hear(CycleOutcome outcome) {
    int plans = 0;
    for (var decision : outcome.plan().decisions()) {
      plans += decision instanceof Decision.Reserve ? 1 : 0;
    }
    heard.addLast(new Heard(outcome.snapshot().now(), plans));
    waits = outcome.waits();
    took = outcome.took();
  }

  public Scene scene(Snapshot snapshot) {
    var why = new TreeMap<GroupKey, String>();
    Pulse pulse;
    SortedMap<GroupKey, Reason> reasons;
    synchronized (this) {
      reasons = waits;
      pulse = pulse(snapshot.now());
    }
    reasons.forEach((group, reason) -> why.put(group, sentences.apply(reason)));
    return scenes.scene(snapshot, why, logbook.recent(), pulse);
  }

  private Pulse pulse(Instant now) {
    while (!heard.isEmpty() && heard.getFirst().when().isBefore(now.minus(REMEMBERED))) {
      heard.removeFirst();
    }
    int plans = heard.stream().mapToInt(Heard::plans).sum();
    var up = Duration.between(began, now);
    var span = up.compareTo(REMEMBERED) < 0 ? up : REMEMBERED;
    return new Pulse(span.isPositive() ? plans * 1000.0 / Math.max(1, span.toMillis()) : 0, took);
  }
}
