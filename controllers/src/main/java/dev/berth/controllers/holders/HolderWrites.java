package dev.berth.controllers.holders;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.HolderClient;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/// Creates and deletes the holder of a slot, and tells the ledger what came of it. After a write
/// that was not answered the slot's device stays taken. Any thread, one at a time per slot.
public final class HolderWrites {
  private final LedgerHolders ledger;
  private final HolderClient holders;
  private final Function<SlotKey, Resource> deviceOf;
  private final HolderTimeouts timeouts;
  private final Duration doubt;

  /// Holders whose deletion was requested, with unknown outcome.
  private final ConcurrentSkipListMap<SlotKey, Pod> unsure = new ConcurrentSkipListMap<>();

  /// @param deviceOf the device resource of a slot's node
  /// @param timeouts hears which holders could not be created
  /// @param doubt how long a holder may still come whose creation was not answered
  public HolderWrites(
      LedgerHolders ledger,
      HolderClient holders,
      Function<SlotKey, Resource> deviceOf,
      HolderTimeouts timeouts,
      Duration doubt) {
    this.ledger = ledger;
    this.holders = holders;
    this.deviceOf = deviceOf;
    this.timeouts = timeouts;
    this.doubt = doubt;
  }

  void create(SlotKey slot, Instant now) throws ClientException {
    boolean first = ledger.await(slot, now.plus(doubt));
    try {
      holders.create(slot.node(), slot.slot(), deviceOf.apply(slot));
    } catch (ClientException failed) {
      timeouts.notCreated(slot, String.valueOf(failed.getMessage()));
      if (failed.kind() == ClientException.Kind.UNREACHABLE) {
        ledger.doubt(slot, now.plus(doubt));
      }
      if (first) { // else an earlier one was created
        ledger.awaitNoMore(slot);
      }
      throw failed;
    }
    timeouts.created(slot);
  }

  /// A holder that was asked to go and is there still; none that is gone, or on its way out.
  Optional<Pod> unsure(SlotKey slot) {
    var asked = unsure.get(slot);
    if (asked != null && isThere(asked)) {
      return Optional.of(asked);
    }
    unsure.remove(slot);
    return Optional.empty();
  }

  private boolean isThere(Pod holder) {
    return ledger.pod(holder.uid()).filter(pod -> !pod.life().leaving()).isPresent();
  }

  /// A slot whose holder may be gone, whatever the watch says yet, stays closed: the deletion is
  /// repeated until it is answered. That a later try did not happen says nothing of the first.
  void delete(SlotKey slot, Pod holder) throws ClientException {
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
