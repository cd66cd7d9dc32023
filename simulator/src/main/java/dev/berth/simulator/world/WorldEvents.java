package dev.berth.simulator.world;

import dev.berth.controllers.client.EventRecorder;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/// Events of a world: the latest thousand, oldest first. Any thread may tell and read.
public final class WorldEvents implements EventRecorder {
  private static final int KEPT = 1000;

  /// One event and when it was told.
  public record Told(Instant when, Regarding object, boolean warning, String reason, String note) {}

  private final World world;
  private final Deque<Told> told = new ArrayDeque<>();

  public WorldEvents(World world) {
    this.world = world;
  }

  @Override
  public synchronized void tell(
      Regarding object, boolean warning, String reason, String action, String note) {
    if (told.size() == KEPT) {
      told.removeFirst();
    }
    told.addLast(new Told(world.time().instant(), object, warning, reason, note));
  }

  public synchronized List<Told> told() {
    return List.copyOf(told);
  }
}
