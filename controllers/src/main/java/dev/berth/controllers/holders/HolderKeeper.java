package dev.berth.controllers.holders;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.Holders;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.Ledger.SlotKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/// Creates the holders that planned slots lack and deletes those that nobody uses.
///
/// A slot is retired in the ledger before its holder is deleted, so no plan can count on a holder
/// that is on its way out; and a holder's name follows from node and slot, so a repeated creation
/// collides.
public final class HolderKeeper {
  /// Changes of the ledger that come within this time are looked at together.
  private static final Duration SOON = Duration.ofMillis(20);

  /// Until the watch shows its holder, a slot still looks as if it had none.
  private static final Duration UNTIL_SEEN = Duration.ofMillis(500);

  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(5));

  private final Ledger ledger;
  private final Holders holders;
  private final Function<SlotKey, Resource> deviceOf;
  private final Freshness fresh;
  private final Workers workers;
  private final HolderSettings settings;
  private final KeyedLoop<SlotKey> slots;
  private final AtomicBoolean due = new AtomicBoolean();

  /// Guarded by this.
  private TreeMap<SlotKey, Instant> idleSince = new TreeMap<>();

  /// @param deviceOf the device resource of a slot's node
  public HolderKeeper(
      Ledger ledger,
      Holders holders,
      Function<SlotKey, Resource> deviceOf,
      Freshness fresh,
      Workers workers,
      HolderSettings settings) {
    this.ledger = ledger;
    this.holders = holders;
    this.deviceOf = deviceOf;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
    this.slots = new KeyedLoop<>("holders", workers, PACE, this::keep);
  }

  /// The ledger changed.
  public void changed() {
    if (due.compareAndSet(false, true)) {
      workers.at(workers.time().instant().plus(SOON), this::look);
    }
  }

  private void look() {
    due.set(false);
    ledger.missingHolders().forEach(slots::add);
    lookForIdle();
  }

  /// A slot that has been idle before has its date in the loop already, unless its holder died.
  private synchronized void lookForIdle() {
    Instant now = workers.time().instant();
    var before = idleSince;
    idleSince = new TreeMap<>();
    for (var idle : ledger.idleHolders()) {
      idleSince.put(idle.slot(), before.getOrDefault(idle.slot(), now));
      if (!before.containsKey(idle.slot()) || idle.holder().isOver()) {
        slots.add(idle.slot());
      }
    }
  }

  private Next keep(SlotKey slot) throws DoorException {
    Instant now = workers.time().instant();
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    if (ledger.lacksHolder(slot)) {
      holders.create(slot.node(), slot.slot(), deviceOf.apply(slot));
      return Next.notBefore(now.plus(UNTIL_SEEN));
    }
    var idle = ledger.idleHolder(slot);
    if (idle.isEmpty()) {
      return Next.done();
    }
    Instant leave = idle.get().isOver() ? now : idleSince(slot, now).plus(settings.keepIdle());
    if (leave.isAfter(now)) {
      return Next.at(leave);
    }
    if (ledger.retire(slot)) {
      delete(slot, idle.get());
    }
    return Next.done();
  }

  private synchronized Instant idleSince(SlotKey slot, Instant otherwise) {
    return idleSince.getOrDefault(slot, otherwise);
  }

  private void delete(SlotKey slot, Pod holder) throws DoorException {
    try {
      holders.delete(holder.key(), holder.uid());
    } catch (DoorException failed) {
      ledger.reopen(slot);
      throw failed;
    }
  }
}
