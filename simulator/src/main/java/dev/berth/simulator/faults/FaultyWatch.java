package dev.berth.simulator.faults;

import dev.berth.controllers.client.Watcher;
import dev.berth.simulator.world.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.BooleanSupplier;

/// Stands before a watcher and delivers late, twice, or out of order.
///
/// Late: the whole kind waits, as when a connection stalls. Out of order: one event alone is held
/// back, so it is overtaken, as when a watch is relisted while old events are still on their way;
/// nothing overtakes the first list. What a standby hears comes late at most: it keeps what one
/// connection delivers, which is in order.
public final class FaultyWatch implements Watcher {
  private static final Duration LATEST = Duration.ofSeconds(5);
  private static final Duration OVERTAKEN = Duration.ofMillis(300);

  private final Watcher inner;
  private final Time time;
  private final FaultInjector faultInjector;
  private final BooleanSupplier inOrder;
  private final EnumMap<Kind, Instant> notBefore = new EnumMap<>(Kind.class);
  private final EnumSet<Kind> synced = EnumSet.noneOf(Kind.class);

  public FaultyWatch(Watcher inner, Time time, FaultInjector faultInjector) {
    this(inner, time, faultInjector, () -> false);
  }

  /// @param inOrder whether nothing is repeated or overtaken now
  public FaultyWatch(
      Watcher inner, Time time, FaultInjector faultInjector, BooleanSupplier inOrder) {
    this.inOrder = inOrder;
    this.inner = inner;
    this.time = time;
    this.faultInjector = faultInjector;
  }

  @Override
  public void seen(Kind kind, Map<String, ?> object) {
    deliver(kind, () -> inner.seen(kind, object));
  }

  @Override
  public void gone(Kind kind, Map<String, ?> object) {
    deliver(kind, () -> inner.gone(kind, object));
  }

  @Override
  public void synced(Kind kind) {
    synced.add(kind);
    inOrder(kind, () -> inner.synced(kind));
  }

  @Override
  public void reached(Kind kind, String version) {
    if (inOrder.getAsBoolean()) { // else it is not asked for
      inOrder(kind, () -> inner.reached(kind, version));
    }
  }

  private void deliver(Kind kind, Runnable event) {
    if (inOrder.getAsBoolean()) {
      inOrder(kind, event);
      return;
    }
    if (synced.contains(kind) && faultInjector.strikes(Fault.REORDERED_WATCH)) {
      time.after(faultInjector.chance().between(Duration.ofMillis(1), OVERTAKEN), event);
    } else {
      inOrder(kind, event);
    }
    if (faultInjector.strikes(Fault.REPEATED_WATCH)) {
      time.after(faultInjector.chance().between(Duration.ofMillis(1), OVERTAKEN), event);
    }
  }

  private void inOrder(Kind kind, Runnable event) {
    Instant now = time.instant();
    Instant earliest = notBefore.getOrDefault(kind, now);
    if (faultInjector.strikes(Fault.LATE_WATCH)) {
      Instant late = now.plus(faultInjector.chance().between(Duration.ofMillis(100), LATEST));
      earliest = late.isAfter(earliest) ? late : earliest;
      notBefore.put(kind, earliest);
    }
    if (earliest.isAfter(now)) {
      time.at(earliest, event);
    } else {
      event.run();
    }
  }
}
