package dev.berth.extender.barrier;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// [Timer] that moves only when a test says so.
public final class VirtualLater implements Timer {
  private final TreeMap<Instant, List<Runnable>> alarms = new TreeMap<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public synchronized Instant instant() {
    return now;
  }

  @Override
  public synchronized void at(Instant when, Runnable what) {
    alarms.computeIfAbsent(when.isBefore(now) ? now : when, _ -> new ArrayList<>()).add(what);
  }

  /// Everything that is due until then happens, in order, on the caller's thread.
  public void pass(Duration duration) {
    Instant until = instant().plus(duration);
    while (true) {
      List<Runnable> due;
      synchronized (this) {
        if (alarms.isEmpty() || alarms.firstKey().isAfter(until)) {
          now = until;
          return;
        }
        var first = alarms.pollFirstEntry();
        now = first.getKey().isAfter(now) ? first.getKey() : now;
        due = first.getValue();
      }
      due.forEach(Runnable::run);
    }
  }
}
