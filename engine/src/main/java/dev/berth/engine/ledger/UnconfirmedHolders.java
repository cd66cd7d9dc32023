package dev.berth.engine.ledger;

import dev.berth.engine.ledger.view.SlotKey;
import java.time.Instant;
import java.util.TreeMap;

/// Slots for which a holder was to be created, with unknown outcome. A holder that appears and goes
/// again ends nothing: it may have been created by another try. And slots for which one is being
/// created, or was: there the watch ends it, as soon as it shows one.
final class UnconfirmedHolders {
  private final TreeMap<SlotKey, Instant> until = new TreeMap<>();
  private final TreeMap<SlotKey, Instant> unseen = new TreeMap<>();
  private final NodeUsageTable rooms;

  UnconfirmedHolders(NodeUsageTable rooms) {
    this.rooms = rooms;
  }

  void begin(SlotKey slot, Instant end) {
    until.merge(slot, end, (one, other) -> one.isAfter(other) ? one : other);
    rooms.expect(slot, true);
  }

  /// @return whether none was awaited there before, and none is there
  boolean await(SlotKey slot, Instant end) {
    boolean first = rooms.await(slot, true);
    if (first || unseen.containsKey(slot)) {
      unseen.put(slot, end);
    }
    return first;
  }

  boolean awaitNoMore(SlotKey slot) {
    return unseen.remove(slot) != null && rooms.await(slot, false);
  }

  boolean endAllUntil(Instant now) {
    boolean any = false;
    for (SlotKey slot : unseen.keySet().toArray(SlotKey[]::new)) {
      if (!unseen.getOrDefault(slot, Instant.MAX).isAfter(now)) {
        any |= awaitNoMore(slot);
      }
    }
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
