package dev.berth.controllers.audit;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.EventRecorder;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerHolders;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares what the ledger believes with what holders and pods say, once in a while.
///
/// What is wrong in two looks in a row is counted by kind, logged, and told by an event on the
/// object: at once, and again after an hour if it is so still. Nothing is changed: pods that run on
/// a device go on running, and what can be mended is mended by other controllers.
public final class Auditor {
  private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);
  private static final Duration TELL_AGAIN = Duration.ofHours(1);

  private final LedgerHolders ledger;
  private final EventRecorder events;
  private final Metrics metrics;
  private final Freshness fresh;
  private final Workers workers;
  private final AuditSettings settings;

  /// When each was told last; `MIN` = seen once, not told yet. Guarded by this.
  private TreeMap<String, Instant> known = new TreeMap<>();

  private volatile boolean stopped;

  public Auditor(
      LedgerHolders ledger,
      EventRecorder events,
      Metrics metrics,
      Freshness fresh,
      Workers workers,
      AuditSettings settings) {
    this.ledger = ledger;
    this.events = events;
    this.metrics = metrics;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
  }

  public void start() {
    if (!stopped) {
      workers.at(workers.time().instant().plus(settings.period()), this::round);
    }
  }

  public void stop() {
    stopped = true;
  }

  private void round() {
    try {
      if (!stopped && fresh.isFresh()) {
        look();
      }
    } finally {
      start();
    }
  }

  private synchronized void look() {
    Instant now = workers.time().instant();
    var drifts = Drifts.in(ledger.snapshot(now), ledger.overfull(), ledger.idleHolders());
    var before = known;
    known = new TreeMap<>();
    var counts = new EnumMap<Drift.Kind, Integer>(Drift.Kind.class);
    for (Drift drift : drifts) {
      Instant told = before.getOrDefault(drift.key(), Instant.MAX);
      if (told.equals(Instant.MAX)) {
        known.putIfAbsent(drift.key(), Instant.MIN);
        continue; // it may pass
      }
      counts.merge(drift.kind(), 1, Integer::sum);
      if (told.isBefore(now.minus(TELL_AGAIN))) {
        tell(drift);
        told = now;
      }
      known.put(drift.key(), told);
    }
    for (Drift.Kind kind : Drift.Kind.values()) {
      metrics.drifts(kind, counts.getOrDefault(kind, 0));
    }
  }

  private void tell(Drift drift) {
    LOG.atWarn()
        .addKeyValue("kind", drift.kind().code())
        .addKeyValue("object", drift.object().kind() + " " + drift.object().name())
        .addKeyValue("what", drift.sentence())
        .log("devices are not as believed");
    events.tell(drift.object(), true, drift.kind().code(), "Audit", drift.sentence());
  }
}
