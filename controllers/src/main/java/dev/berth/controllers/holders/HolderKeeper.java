package dev.berth.controllers.holders;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.CoalescedTask;
import dev.berth.controllers.loop.Workers;
import java.time.Duration;
import java.time.Instant;

/// Looks after each change of the ledger, and when time alone changes something, at the slots that
/// need a holder or need none, at holders that have not told their device, and at shares that lost
/// theirs. Any thread.
public final class HolderKeeper {
  /// Changes of the ledger that come within this time are looked at together.
  private static final Duration SOON = Duration.ofMillis(20);

  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);

  private final HolderSlots slots;
  private final HolderTimeouts timeouts;
  private final LostShares lost;
  private final Freshness fresh;
  private final Workers workers;
  private final CoalescedTask look;

  /// Guarded by this.
  private Instant nextLook = Instant.MAX;

  public HolderKeeper(
      HolderSlots slots,
      HolderTimeouts timeouts,
      LostShares lost,
      Freshness fresh,
      Workers workers) {
    this.slots = slots;
    this.timeouts = timeouts;
    this.lost = lost;
    this.fresh = fresh;
    this.workers = workers;
    this.look = new CoalescedTask(workers, this::look);
  }

  /// The ledger changed.
  public void changed() {
    look.trigger(SOON);
  }

  private void look() {
    slots.look();
    lost.look();
    Instant now = workers.time().instant();
    if (fresh.isFresh()) {
      lookAgain(timeouts.look(now));
    } else {
      timeouts.forget(); // they may have told it long ago
      lookAgain(now.plus(UNTIL_FRESH));
    }
  }

  private synchronized void lookAgain(Instant when) {
    boolean news = !when.equals(nextLook);
    nextLook = when;
    if (news && when.isBefore(Instant.MAX)) {
      workers.at(when, this::changed);
    }
  }
}
