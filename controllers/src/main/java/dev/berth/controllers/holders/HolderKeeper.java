package dev.berth.controllers.holders;

import dev.berth.controllers.door.DoorException;
import dev.berth.controllers.door.Freshness;
import dev.berth.controllers.door.Holders;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.Ledger.IdleHolder;
import dev.berth.engine.ledger.Ledger.SlotKey;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Creates the holders that planned slots lack and deletes those that nobody uses.
///
/// A slot is retired in the ledger before its holder is deleted, so no plan can count on a holder
/// that is on its way out; and a holder's name follows from node and slot, so a repeated creation
/// collides.
public final class HolderKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(HolderKeeper.class);
  private static final Duration RETRY = Duration.ofMillis(500);
  private static final Duration SOON = Duration.ofMillis(20);

  private final Ledger ledger;
  private final Holders holders;
  private final Function<SlotKey, Resource> deviceOf;
  private final Freshness fresh;
  private final Workers workers;
  private final HolderSettings settings;
  private final AtomicBoolean due = new AtomicBoolean();

  // All below: guarded by this.
  private final TreeSet<SlotKey> atWork = new TreeSet<>();
  private final TreeMap<SlotKey, Instant> notBefore = new TreeMap<>();
  private final TreeMap<SlotKey, Instant> idleSince = new TreeMap<>();

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
  }

  /// The ledger changed.
  public void changed() {
    lookAt(workers.time().instant().plus(SOON));
  }

  private void lookAt(Instant when) {
    if (due.compareAndSet(false, true)) {
      workers.at(when, this::look);
    }
  }

  private void look() {
    due.set(false);
    if (!fresh.isFresh()) {
      return; // the next change or heartbeat comes again
    }
    Instant now = workers.time().instant();
    var next = createMissing(now);
    next = earlier(next, collectIdle(now));
    if (next.isBefore(Instant.MAX)) {
      workers.at(next, this::changed);
    }
  }

  private synchronized Instant createMissing(Instant now) {
    Instant next = Instant.MAX;
    for (var slot : ledger.missingHolders()) {
      Instant earliest = notBefore.getOrDefault(slot, Instant.MIN);
      if (atWork.contains(slot)) {
        continue;
      }
      if (earliest.isAfter(now)) {
        next = earlier(next, earliest);
        continue;
      }
      atWork.add(slot);
      workers.run(() -> create(slot));
    }
    notBefore.values().removeIf(when -> !when.isAfter(now));
    return next;
  }

  private void create(SlotKey slot) {
    try {
      holders.create(slot.node(), slot.slot(), deviceOf.apply(slot));
      finished(slot, RETRY); // until the watch shows it, it still looks missing
    } catch (DoorException failed) {
      if (!failed.isPassing() && failed.kind() != DoorException.Kind.CONFLICT) {
        LOG.atError()
            .addKeyValue("node", slot.node())
            .addKeyValue("slot", slot.slot())
            .addKeyValue("why", failed.getMessage())
            .log("holder not created");
        finished(slot, RETRY.multipliedBy(10));
      } else {
        finished(slot, RETRY);
      }
    }
  }

  private synchronized Instant collectIdle(Instant now) {
    Instant next = Instant.MAX;
    var idleNow = new TreeMap<SlotKey, Instant>();
    for (var idle : ledger.idleHolders()) {
      Instant since = idleSince.getOrDefault(idle.slot(), now);
      idleNow.put(idle.slot(), since);
      if (atWork.contains(idle.slot())) {
        continue;
      }
      Instant leave = idle.holder().isOver() ? now : since.plus(settings.keepIdle());
      if (leave.isAfter(now)) {
        next = earlier(next, leave);
      } else if (ledger.retire(idle.slot())) {
        atWork.add(idle.slot());
        workers.run(() -> delete(idle));
      }
    }
    idleSince.clear();
    idleSince.putAll(idleNow);
    return next;
  }

  private void delete(IdleHolder idle) {
    try {
      holders.delete(idle.holder().key(), idle.holder().uid());
    } catch (DoorException failed) {
      ledger.reopen(idle.slot());
      LOG.atWarn()
          .addKeyValue("holder", idle.holder().key())
          .addKeyValue("why", failed.getMessage())
          .log("holder not deleted");
    } finally {
      finished(idle.slot(), RETRY);
    }
  }

  private void finished(SlotKey slot, Duration pause) {
    Instant when = workers.time().instant().plus(pause);
    synchronized (this) {
      atWork.remove(slot);
      notBefore.put(slot, when);
    }
    workers.at(when, this::changed);
  }

  private static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
