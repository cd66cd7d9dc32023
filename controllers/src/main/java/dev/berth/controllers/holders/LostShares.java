package dev.berth.controllers.holders;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.KeyedLoop;
import dev.berth.controllers.loop.KeyedLoopSettings;
import dev.berth.controllers.loop.Next;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerHolders;
import dev.berth.engine.ledger.view.LostShare;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Stops shares whose GPU no holder holds any more: the kubelet may give it to a whole-GPU pod, and
/// nothing takes it out of a running container.
///
/// | the GPU of the share | stopped |
/// |---|---|
/// | is another pod's, as the kubelet says | at once |
/// | is not the one that the new holder of the slot got | at once |
/// | has no holder | after `holders.lossGrace`: a new holder may get the same one |
/// | has a holder that has not told its GPU | after `holders.readyTimeout` |
///
/// A share whose GPU is held by the holder of another slot goes on. Until a share has ended, its
/// GPU counts as in use.
public final class LostShares {
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);
  private static final KeyedLoopSettings PACE =
      new KeyedLoopSettings(8, Duration.ofMillis(500), Duration.ofSeconds(5));

  private final LedgerHolders ledger;
  private final ShareTermination termination;
  private final Freshness fresh;
  private final Workers workers;
  private final HolderSettings settings;
  private final KeyedLoop<PodUid> loop;

  /// Since when a share has been without its GPU. Guarded by this.
  private Map<PodUid, Instant> since = new TreeMap<>();

  public LostShares(
      LedgerHolders ledger,
      ShareTermination termination,
      Freshness fresh,
      Workers workers,
      HolderSettings settings) {
    this.ledger = ledger;
    this.termination = termination;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
    this.loop = new KeyedLoop<>("lost shares", workers, PACE, this::look);
  }

  /// After every change of the ledger. Costs nothing where no share is lost.
  void look() {
    var lost = ledger.lostShares();
    Instant now = workers.time().instant();
    synchronized (this) {
      if (lost.isEmpty() && since.isEmpty()) {
        return;
      }
      var before = since;
      since = new TreeMap<>();
      lost.forEach(
          share -> since.put(share.pod().uid(), before.getOrDefault(share.pod().uid(), now)));
    }
    lost.forEach(share -> loop.add(share.pod().uid()));
  }

  private Next look(PodUid uid) throws ClientException {
    Instant now = workers.time().instant();
    if (!fresh.isFresh()) {
      return Next.at(now.plus(UNTIL_FRESH));
    }
    var found = lost(uid);
    if (found.isEmpty() || termination.isStopped(uid)) {
      return Next.done();
    }
    Instant stop = since(uid, now).plus(wait(found.get()));
    if (stop.isAfter(now)) {
      return Next.at(stop);
    }
    termination.stop(found.get());
    return Next.done();
  }

  /// Of several GPUs the one that is stopped for first.
  private Optional<LostShare> lost(PodUid uid) {
    return ledger.lostShares().stream()
        .filter(share -> share.pod().uid().equals(uid))
        .filter(share -> !share.pod().life().leaving() && !share.pod().isOver())
        .min((a, b) -> wait(a).compareTo(wait(b)));
  }

  private synchronized Instant since(PodUid uid, Instant otherwise) {
    return since.getOrDefault(uid, otherwise);
  }

  private Duration wait(LostShare share) {
    if (share.takenBy().isPresent() || !share.heldNow().isEmpty()) {
      return Duration.ZERO;
    }
    return share.held() ? settings.readyTimeout() : settings.lossGrace();
  }
}
