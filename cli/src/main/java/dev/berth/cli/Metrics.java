package dev.berth.cli;

import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Decision;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.util.TreeMap;

/// What the planning cycle counts; and the one registry in which all modules count.
final class Metrics {
  private static final double NANOS = 1e9;

  private final dev.berth.extender.Metrics verbs;
  private final dev.berth.controllers.Metrics controllers;

  private final Histogram seconds;
  private final Counter decisions;
  private final Counter trials;
  private final Gauge waiting;

  Metrics() {
    var registry = new CollectorRegistry();
    verbs = new dev.berth.extender.Metrics(registry);
    controllers = new dev.berth.controllers.Metrics(registry);
    seconds =
        Histogram.build("berth_cycle_seconds", "From the snapshot to the last assumption.")
            .buckets(.0005, .001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 5)
            .register(registry);
    decisions =
        Counter.build("berth_decisions_total", "Groups that were given places or told to leave.")
            .labelNames("decision")
            .register(registry);
    trials =
        Counter.build("berth_search_trials_total", "Sets of pods that might leave, each tried.")
            .register(registry);
    waiting =
        Gauge.build("berth_waiting_groups", "Groups that wait now, by reason.")
            .labelNames("reason")
            .register(registry);
  }

  dev.berth.extender.Metrics verbs() {
    return verbs;
  }

  dev.berth.controllers.Metrics controllers() {
    return controllers;
  }

  Wiring.Counters counters() {
    return new Wiring.Counters(controllers, verbs, verbs::gang, this::planned);
  }

  void planned(CycleOutcome outcome) {
    seconds.observe(outcome.took().toNanos() / NANOS);
    trials.inc(outcome.plan().trials());
    for (var decision : outcome.plan().decisions()) {
      switch (decision) {
        case Decision.Reserve _ -> decisions.labels("reserve").inc();
        case Decision.Evict _ -> decisions.labels("evict").inc();
        case Decision.Withdraw _ -> decisions.labels("withdraw").inc();
        case Decision.Wait _ -> {}
      }
    }
    var byReason = new TreeMap<String, Integer>();
    outcome.waits().values().forEach(reason -> byReason.merge(reason.code(), 1, Integer::sum));
    waiting.clear();
    byReason.forEach((reason, count) -> waiting.labels(reason).set(count));
  }
}
