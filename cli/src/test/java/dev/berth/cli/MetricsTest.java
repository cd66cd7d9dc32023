package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.config.Config;
import dev.berth.cli.demo.DemoStage;
import dev.berth.cli.gauges.ClusterGauge;
import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.client.OwnerClient;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// `/metrics` of the product that ships, on the demo's cluster in virtual time.
class MetricsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final VirtualTime time = new VirtualTime(START);
  private final DemoStage stage = new DemoStage(time, 7);
  private final Metrics metrics = new Metrics();
  private final ArrayDeque<CycleOutcome> outcomes = new ArrayDeque<>();
  private Accounts accounts = Accounts.NONE;

  private Wiring start() {
    var counters = metrics.counters();
    var product =
        Wiring.of(
            Config.defaults(),
            new Wiring.ApiClients(stage.clients(), stage.events(), OwnerClient.BARRED),
            new TimeWorkers(time, new Chance(7, "controllers")),
            new Wiring.Counters(
                counters.controllers(),
                counters.verbs(),
                counters.gangs(),
                counters.cycles().andThen(this::heard),
                new ClusterListener() {
                  @Override
                  public void kept(Accounts told, Usage usage) {
                    accounts = told;
                    metrics.kept(told, usage);
                  }

                  @Override
                  public void bound(QueueName queue, Duration waited) {
                    metrics.bound(queue, waited);
                  }

                  @Override
                  public void evicted(Eviction eviction) {
                    metrics.evicted(eviction);
                  }

                  @Override
                  public void lapsed(int plans) {
                    metrics.lapsed(plans);
                  }
                }));
    stage.open(product.watcher(), product.verbs());
    product.start(Freshness.always());
    return product;
  }

  private void heard(CycleOutcome outcome) {
    outcomes.clear();
    outcomes.add(outcome);
  }

  /// Name and labels → value.
  private static TreeMap<String, Double> read(Metrics metrics) {
    var values = new TreeMap<String, Double>();
    for (var family : Collections.list(metrics.registry().metricFamilySamples())) {
      for (Sample sample : family.samples) {
        var labels = new TreeMap<String, String>();
        for (int i = 0; i < sample.labelNames.size(); i++) {
          labels.put(sample.labelNames.get(i), sample.labelValues.get(i));
        }
        values.put(sample.name + labels, sample.value);
      }
    }
    return values;
  }

  private static double sum(TreeMap<String, Double> values, String name, String with) {
    return values.entrySet().stream()
        .filter(e -> e.getKey().startsWith(name + "{") && e.getKey().contains(with))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  @Test
  void whatIsBroughtUpToDateIsWhatACountFromScratchSays() {
    var product = start();
    int compared = 0;
    for (int i = 0; i < 12; i++) {
      time.runFor(Duration.ofSeconds(7));
      var anew = new Metrics();
      anew.planned(outcomes.getFirst());
      anew.kept(accounts, Usage.NONE);
      var expected = read(anew);
      var told = read(metrics);
      for (var metric : ClusterGauge.values()) {
        assertThat(of(told, metric.metric()))
            .as("%s after %s", metric, Duration.between(START, time.instant()))
            .isEqualTo(of(expected, metric.metric()));
        compared += of(told, metric.metric()).size();
      }
    }
    assertThat(compared).as("series compared").isGreaterThan(500);
    isWhatBecameOfPods(product);
    readingAgainSaysTheSame();
  }

  private static TreeMap<String, Double> of(TreeMap<String, Double> values, String name) {
    var some = new TreeMap<String, Double>();
    values.forEach((key, value) -> {
      if (key.startsWith(name + "{") && value != 0) {
        some.put(key, value);
      }
    });
    return some;
  }

  private void isWhatBecameOfPods(Wiring product) {
    var values = read(metrics);
    int gpus = 0;
    for (NodeView node : product.snapshot().nodes()) {
      gpus += node.node().accelerator().capacity();
    }
    assertThat(gpus).isPositive();
    assertThat(sum(values, "berth_gpus", "")).as("each GPU is in one state").isEqualTo(gpus);
    var done = stage.logbook().tally();
    assertThat(sum(values, "berth_pod_wait_seconds_count", ""))
        .as("Bindings")
        .isGreaterThanOrEqualTo(done.pods());
    assertThat(sum(values, "berth_evictions_total", "")).isPositive();
    assertThat(sum(values, "berth_evictions_gained_total", "")).isPositive();
    assertThat(sum(values, "berth_evicted_gpu_seconds_total", "")).isPositive();
    assertThat(sum(values, "berth_evictions_total", "_unknown")).isZero();
    assertThat(sum(values, "berth_queue_allocated", "resource=gpu")).isPositive();
    assertThat(sum(values, "berth_ready", "")).isEqualTo(1);
  }

  private void readingAgainSaysTheSame() {
    var first = read(metrics);
    var second = read(metrics);
    first.keySet().removeIf(key -> !key.startsWith("berth_"));
    second.keySet().removeIf(key -> !key.startsWith("berth_"));
    assertThat(second).isEqualTo(first);
  }

  @Test
  void seriesOfAQueueEndWithItAndCannotGrowWithoutBound() {
    for (int i = 0; i < 600; i++) {
      var queue = Queue.implied(new QueueName("made-" + i), true);
      metrics.kept(accountsOf(List.of(queue)), Usage.NONE);
      metrics.bound(queue.name(), Duration.ofSeconds(1));
      metrics.evicted(
          new ClusterListener.Eviction(
              new Victim(PodUid.NONE, PodKey.NONE, Cause.RECLAIM, GroupKey.NONE),
              new GroupSummary(GroupKey.NONE, queue.name(), 0),
              new GroupSummary(GroupKey.NONE, queue.name(), 0),
              100));
      metrics.bound(new QueueName("no-such-" + i), Duration.ofSeconds(1));
      read(metrics);
    }
    var values = read(metrics);
    assertThat(values.keySet())
        .as("of queues that are gone, or never were")
        .noneMatch(key -> key.contains("made-1,") || key.contains("no-such"))
        .anyMatch(key -> key.contains("queue=made-599"))
        .anyMatch(key -> key.contains("queue=_unknown"))
        .hasSizeLessThan(500);
  }

  private static Accounts accountsOf(List<Queue> queues) {
    var none = new TreeMap<Resource, Long>();
    var accounts = new ArrayList<Account>();
    for (Queue queue : queues) {
      accounts.add(new Account(queue, none, none, none, none, Amounts.NONE, 0, 0, List.of()));
    }
    return new Accounts(none, accounts, new TreeMap<>());
  }
}
