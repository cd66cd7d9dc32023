package dev.berth.controllers.holders;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// Creates the holders that planned slots lack and deletes unused ones: after a while, or at once
/// where they are in the way (of a node that has given out more devices than it has, or of a plan
/// that waits for their room) or of a node that is gone.
///
/// A slot is retired in the ledger before its holder is deleted, so no plan can count on a holder
/// that is on its way out; and a holder's name follows from node and slot, so a repeated creation
/// collides.
public final class HolderSlots {
  /// Until the watch shows its holder, a slot still looks as if it had none.
  private static final Duration UNTIL_SEEN = Duration.ofMillis(500);

  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(5));
  private static final Backoff AFTER_DEATHS = new Backoff(PACE.first(), PACE.longest());

  private final LedgerHolders ledger;
  private final HolderWrites writes;
  private final Freshness fresh;
  private final Workers workers;
  private final HolderSettings settings;
  private final KeyedLoop<SlotKey> loop;

  /// Holders in a row that died on a slot before they told their device.
  private final ConcurrentSkipListMap<SlotKey, Integer> deaths = new ConcurrentSkipListMap<>();

  /// Guarded by this.
  private TreeMap<SlotKey, Instant> idleSince = new TreeMap<>();

  public HolderSlots(
      LedgerHolders ledger,
      HolderWrites writes,
      Freshness fresh,
      Workers workers,
      HolderSettings settings) {
    this.ledger = ledger;
    this.writes = writes;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
    this.loop = new KeyedLoop<>("holders", workers, PACE, this::keep);
  }

  /// Finds slots that lack a holder, and those whose holder is unused.
  void look() {
    ledger.missingHolders().forEach(loop::add);
    lookForIdle();
    lookForCold();
  }

  private void lookForCold() {
    if (settings.warm() > 0) {
      ledger.coldSlots(settings.warm()).forEach(loop::add);
    }
  }

  /// A slot that has been idle before has its date in the loop already, unless it has to go now.
  private synchronized void lookForIdle() {
    Instant now = workers.time().instant();
    var before = idleSince;
    idleSince = new TreeMap<>();
    for (var idle : ledger.idleHolders()) {
      idleSince.put(idle.slot(), before.getOrDefault(idle.slot(), now));
      if (!before.containsKey(idle.slot()) || idle.inTheWay() || settings.warm() > 0) {
        loop.add(idle.slot());
      }
    }
  }

  private Next keep(SlotKey slot) throws ClientException {
    if (!fresh.isFresh()) {
      return Next.at(now().plus(UNTIL_FRESH));
    }
    var unsure = writes.unsure(slot);
    if (unsure.isPresent()) {
      writes.delete(slot, unsure.get());
      return Next.done();
    }
    var warmth = ledger.warmth(slot.node(), settings.warm());
    if (ledger.lacksHolder(slot) || warmth.missing().contains(slot)) {
      Instant now = now();
      writes.create(slot, now);
      return Next.notBefore(now.plus(UNTIL_SEEN));
    }
    var idle = idle(slot);
    if (idle.isEmpty()) {
      return Next.done();
    }
    if (warmth.kept().contains(slot) && !idle.get().inTheWay()) {
      return Next.done();
    }
    Instant now = now();
    Instant leave = idle.get().inTheWay() ? now : idleSince(slot, now).plus(settings.keepIdle());
    if (leave.isAfter(now)) {
      return Next.at(leave);
    }
    var retired = ledger.retire(slot); // the slot may have been taken since Berth looked
    if (retired.isPresent()) {
      writes.delete(slot, retired.get());
    }
    return afterDeath(slot, idle.get().holder(), now);
  }

  private Instant now() {
    return workers.time().instant();
  }

  /// Where it is not idle the loop is done with it: when it is idle again it gets a new date.
  private synchronized Optional<IdleHolder> idle(SlotKey slot) {
    var idle = ledger.idleHolder(slot);
    if (idle.isEmpty()) {
      idleSince.remove(slot);
    }
    return idle;
  }

  /// A kubelet that refused one holder refuses the next one as well, as long as nothing changes:
  /// each comes later than the one before it.
  private Next afterDeath(SlotKey slot, Pod holder, Instant now) {
    if (!holder.isOver()) {
      deaths.remove(slot);
      return Next.done();
    }
    int died = deaths.merge(slot, 1, Integer::sum);
    return Next.notBefore(now.plus(AFTER_DEATHS.after(died)));
  }

  private synchronized Instant idleSince(SlotKey slot, Instant otherwise) {
    return idleSince.getOrDefault(slot, otherwise);
  }
}
