package dev.berth.cli;

import dev.berth.cli.decisions.DecisionLogger;
import dev.berth.cli.gauges.ClusterGauge;
import dev.berth.cli.gauges.ClusterGauges;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Usage;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Histogram;
import io.prometheus.client.hotspot.GarbageCollectorExports;
import io.prometheus.client.hotspot.MemoryPoolsExports;
import io.prometheus.client.hotspot.StandardExports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What the planning cycle counts, and what becomes of queues and pods; and the one registry in
/// which all modules count. Labels come from enums, codes of reasons, and names of queues and GPU
/// models, of which [ClusterGauges] bounds the number.
final class Metrics implements ClusterListener {
  private static final double NANOS = 1e9;

  private final CollectorRegistry registry = new CollectorRegistry();
  private final ClusterGauges cluster = new ClusterGauges();
  private final dev.berth.extender.Metrics verbs = new dev.berth.extender.Metrics(registry);
  private final dev.berth.controllers.Metrics controllers =
      new dev.berth.controllers.Metrics(registry);

  private final Histogram seconds;
  private final Counter decisions;
  private final Counter trials;
  private final Histogram waits;
  private final Counter lapsed;
  private final Counter evictions;
  private final Counter gains;
  private final Counter lostGpuSeconds;
  private final Counter logged;
  private final Counter notLogged;

  Metrics() {
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
    waits =
        Histogram.build(
                "berth_pod_wait_seconds", "From the creation of a pod to its Binding, by queue.")
            .labelNames("queue")
            .buckets(.5, 1, 2.5, 5, 15, 60, 300, 900, 3600, 14_400, 43_200, 86_400, 259_200)
            .register(registry);
    lapsed =
        Counter.build(
                "berth_plans_lapsed_total",
                "Plans of pods that were given back: the deadline passed, others took the room, or"
                    + " the queue may not have it any more.")
            .register(registry);
    evictions =
        Counter.build(
                "berth_evictions_total", "Pods that were evicted, by the queue that loses them.")
            .labelNames("cause", "queue")
            .register(registry);
    gains =
        Counter.build(
                "berth_evictions_gained_total",
                "The same evictions, by the queue for which the pods leave; none for stale and"
                    + " max_runtime.")
            .labelNames("cause", "queue")
            .register(registry);
    lostGpuSeconds =
        Counter.build(
                "berth_evicted_gpu_seconds_total",
                "GPUs of evicted pods × the time that they ran: the most that was lost. MIG"
                    + " instances and DRA claims are not counted.")
            .labelNames("cause", "queue")
            .register(registry);
    logged =
        Counter.build(
                "berth_decision_log_bytes_total", "Bytes that were written to the decision log.")
            .register(registry);
    notLogged =
        Counter.build(
                "berth_decision_log_dropped_total",
                "Calls of the planner that are not in the decision log: its disk was too slow, or"
                    + " full.")
            .register(registry);
    Gauge.build("berth_build_info", "1, with the version.")
        .labelNames("version")
        .register(registry)
        .labels(Main.Version.number())
        .set(1);
    new Cluster().register(registry);
    registry.register(new StandardExports());
    registry.register(new MemoryPoolsExports());
    registry.register(new GarbageCollectorExports());
  }

  dev.berth.extender.Metrics verbs() {
    return verbs;
  }

  dev.berth.controllers.Metrics controllers() {
    return controllers;
  }

  CollectorRegistry registry() {
    return registry;
  }

  Wiring.Counters counters() {
    return new Wiring.Counters(controllers, verbs, verbs::gang, this::planned, this);
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
    cluster.planned(outcome);
  }

  @Override
  public void kept(Accounts accounts, Usage usage) {
    cluster.kept(accounts, usage);
  }

  @Override
  public void bound(QueueName queue, Duration waited) {
    waits.labels(cluster.label(queue)).observe(waited.toNanos() / NANOS);
  }

  @Override
  public void evicted(Eviction eviction) {
    String cause = lower(eviction.cause());
    String from = cluster.label(eviction.loser().queue());
    evictions.labels(cause, from).inc();
    lostGpuSeconds.labels(cause, from).inc(eviction.gpuSeconds());
    if (!eviction.gainer().queue().isNone()) {
      gains.labels(cause, cluster.label(eviction.gainer().queue())).inc();
    }
  }

  @Override
  public void lapsed(int plans) {
    lapsed.inc(plans);
  }

  /// A queue that is no more takes its series with it: queues come and go, and series would not.
  private void forget(String queue) {
    waits.remove(queue);
    for (var cause : Decision.Cause.values()) {
      evictions.remove(lower(cause), queue);
      gains.remove(lower(cause), queue);
      lostGpuSeconds.remove(lower(cause), queue);
    }
  }

  private final class Cluster extends Collector {
    @Override
    public List<MetricFamilySamples> collect() {
      cluster.refresh().forEach(Metrics.this::forget);
      var families = new ArrayList<MetricFamilySamples>();
      for (ClusterGauge gauge : ClusterGauge.values()) {
        var family = new GaugeMetricFamily(gauge.metric(), gauge.help(), gauge.labels());
        cluster.of(gauge).forEach(sample -> family.addMetric(sample.labels(), sample.value()));
        families.add(family);
      }
      return families;
    }
  }

  /// What becomes of the entries of the decision log.
  DecisionLogger.Listener decisionLog() {
    return new DecisionLogger.Listener() {
      @Override
      public void written(long bytes) {
        logged.inc(bytes);
      }

      @Override
      public void dropped() {
        notLogged.inc();
      }
    };
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(Locale.ROOT);
  }
}
