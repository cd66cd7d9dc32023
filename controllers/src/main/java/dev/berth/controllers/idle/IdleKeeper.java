package dev.berth.controllers.idle;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.MetricSeries;
import dev.berth.controllers.client.MetricsClient;
import dev.berth.controllers.client.MetricsException;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.ledger.LedgerFacts;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Idleness;
import dev.berth.engine.model.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tells the ledger which groups do nothing with their GPUs, for the idle rules of queues: asks
/// Prometheus once in a while, one question for each time that rules look at. An answer is of the
/// whole time, so another leader goes on at once.
///
/// An answer that fails leaves what was known by it until that is too old; then no group is idle by
/// rules that look at this time. Other rules hold: one question may be too much for the server.
public final class IdleKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(IdleKeeper.class);
  private static final Duration UNTIL_FRESH = Duration.ofSeconds(1);

  private final LedgerFacts ledger;
  private final Optional<MetricsClient> server;
  private final Freshness fresh;
  private final Metrics metrics;
  private final Workers workers;
  private final MeasurementSettings settings;

  // Guarded by this.
  private Instant answered = Instant.MAX; // or since when it asks
  private final TreeMap<Duration, Instant> answers = new TreeMap<>(); // the last of each question
  private SortedMap<GroupKey, Idleness> known = Collections.emptySortedMap();
  private boolean isFailing;
  private boolean isWarned;

  private volatile boolean stopped;

  /// @param server empty = none is named, and no rule holds
  public IdleKeeper(
      LedgerFacts ledger,
      Optional<MetricsClient> server,
      Freshness fresh,
      Metrics metrics,
      Workers workers,
      MeasurementSettings settings) {
    this.ledger = ledger;
    this.server = server;
    this.fresh = fresh;
    this.metrics = metrics;
    this.workers = workers;
    this.settings = settings;
  }

  /// Everything is delivered, and this process leads.
  public void start() {
    synchronized (this) {
      answered = workers.time().instant();
    }
    workers.run(this::round);
  }

  public void stop() {
    stopped = true;
  }

  private void round() {
    if (stopped) {
      return;
    }
    boolean isFresh = fresh.isFresh();
    try {
      if (isFresh) {
        look();
      }
    } finally {
      var pause = isFresh ? settings.period() : UNTIL_FRESH;
      workers.at(workers.time().instant().plus(pause), this::round);
    }
  }

  private synchronized void look() {
    var times = times();
    if (times.isEmpty()) {
      ledger.record(Fact.IdleSeen.NOTHING);
      return;
    }
    if (server.isEmpty()) {
      ledger.record(Fact.IdleSeen.NOTHING);
      if (!isWarned) {
        isWarned = true;
        LOG.atWarn()
            .addKeyValue("setting", "idle.prometheus.url")
            .log("queues have idle rules, and no Prometheus is named: no rule holds");
      }
      return;
    }
    var series = new TreeMap<Duration, List<MetricSeries>>();
    Optional<MetricsException> failure = Optional.empty();
    for (Duration after : times) {
      try {
        series.put(after, server.get().ask(settings.expression(after)));
      } catch (MetricsException failed) {
        failure = Optional.of(failed);
      }
    }
    if (!series.isEmpty()) {
      record(series);
    }
    failure.ifPresentOrElse(this::failed, () -> isFailing = false);
    metrics.askedWhatGpusDo(failure.isEmpty());
  }

  /// What rules look at, each once.
  private TreeSet<Duration> times() {
    var times = new TreeSet<Duration>();
    for (Queue queue : ledger.snapshot(workers.time().instant()).queues()) {
      if (!queue.idle().isNone()) {
        times.add(queue.idle().after());
      }
    }
    return times;
  }

  private void record(TreeMap<Duration, List<MetricSeries>> series) {
    if (stopped) {
      return;
    }
    var now = workers.time().instant();
    answered = now;
    answers.values().removeIf(at -> !now.isBefore(at.plus(settings.validity())));
    var idle = new TreeMap<>(IdleGroupsMeasured.of(ledger.snapshot(now), series, settings));
    known.forEach((group, idleness) -> {
      var after = idleness.rule().after();
      if (!series.containsKey(after) && answers.containsKey(after)) {
        idle.putIfAbsent(group, idleness);
      }
    });
    series.keySet().forEach(after -> answers.put(after, now));
    known = idle;
    ledger.record(new Fact.IdleSeen(now.plus(settings.validity()), idle));
  }

  private void failed(MetricsException failed) {
    if (!isFailing) {
      isFailing = true;
      LOG.atWarn()
          .addKeyValue("why", failed.getMessage())
          .log("what GPUs do is not known: no idle rule that needs it holds until it is");
    }
    if (!workers.time().instant().isBefore(answered.plus(settings.validity()))) {
      known = Collections.emptySortedMap();
      ledger.record(Fact.IdleSeen.NOTHING); // also what the leader before said
    }
  }
}
