package dev.berth.controllers.holders;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.HolderClient;
import dev.berth.controllers.client.PodClient;
import dev.berth.controllers.loop.Backoff;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.IdleHolder;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/// Creates the holders that planned slots lack and deletes those that nobody uses: after a while,
/// or at once where they are in the way (of a node that has given out more devices than it has, or
/// of a plan that waits for their room) or of a node that is gone.
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
  private static final Backoff AFTER_DEATHS = new Backoff(PACE.first(), PACE.longest());

  private final LedgerHolders ledger;
  private final HolderClient holders;
  private final Function<SlotKey, Resource> deviceOf;
  private final Freshness fresh;
  private final Workers workers;
  private final HolderSettings settings;
  private final KeyedLoop<SlotKey> slots;
  private final HolderTimeouts timeouts;
  private final LostShares lost;
  private final AtomicBoolean due = new AtomicBoolean();

  /// Holders in a row that died on a slot before they told their device.
  private final ConcurrentSkipListMap<SlotKey, Integer> deaths = new ConcurrentSkipListMap<>();

  /// Holders that were asked to go, and nobody knows whether they do.
  private final ConcurrentSkipListMap<SlotKey, Pod> unsure = new ConcurrentSkipListMap<>();

  // Both: guarded by this.
  private TreeMap<SlotKey, Instant> idleSince = new TreeMap<>();
  private Instant nextLook = Instant.MAX;

  /// @param deviceOf the device resource of a slot's node
  /// @param pods stops shares whose GPU is not held any more
  public HolderKeeper(
      LedgerHolders ledger,
      HolderClient holders,
      PodClient pods,
      EventRecorder events,
      Metrics metrics,
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
    this.timeouts = new HolderTimeouts(ledger, events, settings.patience());
    this.lost =
        new LostShares(
            ledger,
            new ShareTermination(pods, events, metrics, settings.lossTermination()),
            fresh,
            workers,
            settings);
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
    lookForCold();
    lost.look();
    Instant now = workers.time().instant();
    if (fresh.isFresh()) {
      lookAgain(timeouts.look(now));
    } else {
      timeouts.forget(); // they may have told it long ago
      lookAgain(now.plus(UNTIL_FRESH));
    }
  }

  private void lookForCold() {
    if (settings.warm() > 0) {
      ledger.coldSlots(settings.warm()).forEach(slots::add);
    }
  }

  private synchronized void lookAgain(Instant when) {
    boolean news = !when.equals(nextLook);
    nextLook = when;
    if (news && when.isBefore(Instant.MAX)) {
      workers.at(when, this::changed);
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
        slots.add(idle.slot());
      }
    }
  }

  private Next keep(SlotKey slot) throws ClientException {
    if (!fresh.isFresh()) {
      return Next.at(now().plus(UNTIL_FRESH));
    }
    var asked = unsure.get(slot);
    if (asked != null && isThere(asked)) {
      delete(slot, asked);
      return Next.done();
    }
    unsure.remove(slot);
    var warmth = ledger.warmth(slot.node(), settings.warm());
    if (ledger.lacksHolder(slot) || warmth.missing().contains(slot)) {
      Instant now = now();
      create(slot, now);
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
    var retired = ledger.retire(slot); // somebody may have taken the slot since we looked
    if (retired.isPresent()) {
      delete(slot, retired.get());
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

  private void create(SlotKey slot, Instant now) throws ClientException {
    boolean first = ledger.await(slot, now.plus(settings.doubt()));
    try {
      holders.create(slot.node(), slot.slot(), deviceOf.apply(slot));
    } catch (ClientException failed) {
      timeouts.notCreated(slot, String.valueOf(failed.getMessage()));
      if (failed.kind() == ClientException.Kind.UNREACHABLE) {
        ledger.doubt(slot, now.plus(settings.doubt()));
      }
      if (first) { // else an earlier one was created
        ledger.awaitNoMore(slot);
      }
      throw failed;
    }
    timeouts.created(slot);
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

  private boolean isThere(Pod holder) {
    return ledger.pod(holder.uid()).filter(pod -> !pod.life().leaving()).isPresent();
  }

  /// A slot whose holder may be gone, whatever the watch says yet, stays closed: it is asked again,
  /// until somebody has heard it. That a later try did not happen says nothing of the first.
  private void delete(SlotKey slot, Pod holder) throws ClientException {
    try {
      holders.delete(holder.key(), holder.uid());
      unsure.remove(slot);
    } catch (ClientException failed) {
      if (failed.kind() == ClientException.Kind.UNREACHABLE) {
        unsure.put(slot, holder);
      } else if (!unsure.containsKey(slot)) {
        ledger.reopen(slot);
      }
      throw failed;
    }
  }
}
