package dev.berth.controllers;

import dev.berth.engine.forecast.Calibration;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.Gauge;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Histogram;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/// What the controllers count. Labels come from enums only.
public final class Metrics {
  private static final double NANOS = 1e9;

  /// Writes to the API server, by what they are for.
  public enum Write {
    LIFT,
    NOMINATE,
    MARK_PREEMPTOR,
    POD_CONDITION,
    REQUEUE,
    BIND,
    EVICT,
    STOP,
    CREATE_HOLDER,
    DELETE_HOLDER,
    CREATE_PROBE,
    DELETE_PROBE,
    SHARE_SETTINGS,
    CREATE_GROUP,
    GROUP_STATUS,
    DELETE_GROUP,
    QUEUE_STATUS,
    ASK_CAPACITY,
    CREATE_CLAIM_TEMPLATE,
    EVENT;

    private String label() {
      return lower(this);
    }
  }

  /// Why a kind was listed anew.
  public enum Cause {
    START,
    /// Berth's place in the history is gone (410), or ahead of it (an etcd restore, 504).
    EXPIRED,
    /// The stream failed again and again from the same place.
    BROKEN,
    /// The kind is not installed; Berth looks whether it is by now.
    ABSENT
  }

  private final Counter writes;
  private final Histogram writeSeconds;
  private final Counter watchEvents;
  private final Counter relists;
  private final Counter unreadable;
  private final Counter eventsLost;
  private final Gauge leader;
  private final Gauge transitions;
  private final Gauge failover;
  private final Gauge drifts;
  private final Counter lostShares;
  private final Counter idleQueries;

  private volatile Supplier<List<Share>> shares = List::of;
  private volatile Supplier<Calibration> calibration = () -> Calibration.NONE;
  private volatile Supplier<Optional<Duration>> planAge = Optional::empty;
  private volatile LongSupplier cycleFailures = () -> 0;
  private volatile BooleanSupplier answers = () -> false;
  private volatile Supplier<SortedMap<String, Duration>> silences = Collections::emptySortedMap;
  private final Map<Work, IntSupplier> underWay = new ConcurrentHashMap<>();

  /// What is begun and not ended.
  public enum Work {
    /// Writes to the API server.
    WRITES,
    /// Patches that lift gates, those that wait in line included.
    GATE_REMOVALS,
    /// Pods that are to leave, or were asked to and are there still.
    EVICTIONS
  }

  /// A share that a bound pod has of one GPU.
  ///
  /// @param uuid of the GPU, as dcgm-exporter's label `UUID`
  /// @param part more than 0, at most 1
  public record Share(
      String node, String uuid, String namespace, String pod, String container, double part) {}

  public Metrics(CollectorRegistry registry) {
    new SharesOfGpus().register(registry);
    new AskedAtEachScrape().register(registry);
    writes =
        Counter.build("berth_api_writes_total", "Writes to the API server, by outcome.")
            .labelNames("write", "outcome")
            .register(registry);
    writeSeconds =
        Histogram.build("berth_api_write_seconds", "Duration of a write, its retries included.")
            .labelNames("write")
            .buckets(.002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
            .register(registry);
    watchEvents =
        Counter.build("berth_watch_events_total", "Objects that lists and watches delivered.")
            .labelNames("kind")
            .register(registry);
    relists =
        Counter.build("berth_watch_lists_total", "Full lists, by cause.")
            .labelNames("kind", "cause")
            .register(registry);
    unreadable =
        Counter.build(
                "berth_unreadable_objects_total",
                "Objects that failed to become a fact. Each is logged once.")
            .labelNames("kind")
            .register(registry);
    eventsLost =
        Counter.build("berth_events_lost_total", "Kubernetes events that were not written.")
            .register(registry);
    leader = Gauge.build("berth_leader", "1 = this process leads.").register(registry);
    transitions =
        Gauge.build("berth_lease_transitions", "How often the lease was taken, up to this process.")
            .register(registry);
    failover =
        Gauge.build(
                "berth_failover_seconds",
                "From the last renewal of the leader before until this process answered.")
            .register(registry);
    idleQueries =
        Counter.build(
                "berth_idle_queries_total",
                "Questions to Prometheus for idle rules of queues, by outcome: answered or failed.")
            .labelNames("outcome")
            .register(registry);
    lostShares =
        Counter.build(
                "berth_shares_stopped_total",
                "Shares that were stopped, as no holder held their GPU any more.")
            .register(registry);
    drifts =
        Gauge.build("berth_device_drifts", "Devices that are not as the ledger has them, by kind.")
            .labelNames("kind")
            .register(registry);
  }

  /// For tests and simulations: counted, and not exported.
  public static Metrics unseen() {
    return new Metrics(new CollectorRegistry());
  }

  /// @param outcome `DONE`, or the kind of its failure
  public void wrote(Write write, Enum<?> outcome, long nanos) {
    writes.labels(write.label(), lower(outcome)).inc();
    writeSeconds.labels(write.label()).observe(nanos / NANOS);
  }

  public void delivered(Enum<?> kind) {
    watchEvents.labels(lower(kind)).inc();
  }

  public void listed(Enum<?> kind, Cause cause) {
    relists.labels(lower(kind), lower(cause)).inc();
  }

  /// An object did not become a fact. Above zero is a mistake of Berth or a kind of object Berth
  /// does not know yet.
  public void unreadable(Enum<?> kind) {
    unreadable.labels(lower(kind)).inc();
  }

  public void eventLost() {
    eventsLost.inc();
  }

  /// How many of a kind the last audit found. Above zero a person should look at the events.
  public void drifts(Enum<?> kind, int count) {
    drifts.labels(lower(kind)).set(count);
  }

  /// Prometheus was asked what GPUs do.
  public void askedWhatGpusDo(boolean isAnswered) {
    idleQueries.labels(isAnswered ? "answered" : "failed").inc();
  }

  /// A share was stopped, as its GPU was not held any more.
  public void shareStopped() {
    lostShares.inc();
  }

  /// @param current the shares of all bound pods, asked at each scrape
  public void shares(Supplier<List<Share>> current) {
    shares = current;
  }

  /// `berth_share_gpu_ratio`: one sample a share and GPU, so that metrics of a GPU (which
  /// dcgm-exporter gives to the holder) can be joined with the pods that use it.
  private final class SharesOfGpus extends Collector {
    @Override
    public List<MetricFamilySamples> collect() {
      var family =
          new GaugeMetricFamily(
              "berth_share_gpu_ratio",
              "Part of a GPU that a pod has, by the UUID of the GPU.",
              List.of("node", "uuid", "namespace", "pod", "container"));
      for (Share share : shares.get()) {
        family.addMetric(
            List.of(share.node(), share.uuid(), share.namespace(), share.pod(), share.container()),
            share.part());
      }
      return List.of(family);
    }
  }

  /// @param current how far forecasts of starts have held so far, asked at each scrape
  public void forecasts(Supplier<Calibration> current) {
    calibration = current;
  }

  /// What is asked of the planning loop at each scrape.
  ///
  /// @param age since a planning cycle came to its end last; empty = it has not begun
  /// @param failures cycles that were dropped for internal errors
  public void planning(Supplier<Optional<Duration>> age, LongSupplier failures) {
    planAge = age;
    cycleFailures = failures;
  }

  /// @param now whether the verbs are answered, asked at each scrape
  public void answering(BooleanSupplier now) {
    answers = now;
  }

  /// @param count asked at each scrape
  public void underWay(Work work, IntSupplier count) {
    underWay.put(work, count);
  }

  /// @param current since the server was heard of each kind last, by the plural of the kind; asked
  ///   at each scrape
  public void watchSilences(Supplier<SortedMap<String, Duration>> current) {
    silences = current;
  }

  /// Values that other components know at any time, so that no counter is kept.
  private final class AskedAtEachScrape extends Collector {
    @Override
    public List<MetricFamilySamples> collect() {
      var now = calibration.get();
      return List.of(age(), failures(), answering(), work(), silence(), judged(now), held(now));
    }

    /// Of a leader alone.
    private MetricFamilySamples age() {
      var family =
          new GaugeMetricFamily(
              "berth_plan_age_seconds",
              "Since a planning cycle came to its end last; it grows while one is under way.",
              List.of());
      planAge.get().ifPresent(age -> family.addMetric(List.of(), age.toNanos() / NANOS));
      return family;
    }

    private MetricFamilySamples failures() {
      return new CounterMetricFamily(
          "berth_cycle_failures_total",
          "Planning cycles that were dropped for internal errors.",
          cycleFailures.getAsLong());
    }

    private MetricFamilySamples judged(Calibration calibration) {
      return byQuantile(
          "berth_forecast_judged_total",
          "Forecasts of starts that came true or passed, by quantile.",
          calibration.median().judged(),
          calibration.p90().judged());
    }

    private MetricFamilySamples held(Calibration calibration) {
      return byQuantile(
          "berth_forecast_held_total",
          "Those of berth_forecast_judged_total by which the group had started.",
          calibration.median().held(),
          calibration.p90().held());
    }

    private MetricFamilySamples byQuantile(String name, String help, long median, long p90) {
      var family = new CounterMetricFamily(name, help, List.of("quantile"));
      family.addMetric(List.of("0.5"), median);
      family.addMetric(List.of("0.9"), p90);
      return family;
    }

    private MetricFamilySamples answering() {
      return new GaugeMetricFamily(
          "berth_ready",
          "1 = this process answers kube-scheduler: it leads and has caught up.",
          answers.getAsBoolean() ? 1 : 0);
    }

    private MetricFamilySamples work() {
      var family =
          new GaugeMetricFamily(
              "berth_inflight_operations",
              "What is begun and not ended: writes, removals of gates, evictions.",
              List.of("operation"));
      for (Work work : Work.values()) {
        var count = underWay.get(work);
        family.addMetric(List.of(lower(work)), count == null ? 0 : count.getAsInt());
      }
      return family;
    }

    private MetricFamilySamples silence() {
      var family =
          new GaugeMetricFamily(
              "berth_watch_idle_seconds",
              "Since the API server was heard of the kind last: an answer, an event or a bookmark.",
              List.of("kind"));
      silences
          .get()
          .forEach((kind, since) -> family.addMetric(List.of(kind), since.toNanos() / NANOS));
      return family;
    }
  }

  public void leads(int term) {
    leader.set(1);
    transitions.set(term);
  }

  public void leadsNoMore() {
    leader.set(0);
  }

  public void tookOver(Duration outage) {
    failover.set(outage.toNanos() / NANOS);
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(java.util.Locale.ROOT);
  }
}
