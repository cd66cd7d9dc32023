package dev.berth.engine.ledger;

import dev.berth.engine.ledger.Ledger.SlotKey;
import java.time.Instant;
import java.util.TreeMap;

/// Slots for which a holder was to be created, and nobody knows whether it was. One that comes, and
/// goes again, ends nothing: it may have been made by another try.
final class Unanswered {
  private final TreeMap<SlotKey, Instant> until = new TreeMap<>();
  private final Rooms rooms;

  Unanswered(Rooms rooms) {
    this.rooms = rooms;
  }

  void begin(SlotKey slot, Instant end) {
    until.merge(slot, end, (one, other) -> one.isAfter(other) ? one : other);
    rooms.expect(slot, true);
  }

  boolean endAllUntil(Instant now) {
    boolean any = false;
    for (SlotKey slot : until.keySet().toArray(SlotKey[]::new)) {
      if (!until.getOrDefault(slot, Instant.MAX).isAfter(now)) {
        until.remove(slot);
        rooms.expect(slot, false);
        any = true;
      }
    }
    return any;
  }
}
