package dev.berth.controllers;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import java.time.Duration;

/// What the controllers count. Labels come from enums only.
public final class Metrics {
  private static final double NANOS = 1e9;

  /// Writes to the API server, by what they are for.
  public enum Write {
    LIFT,
    NOMINATE,
    BIND,
    EVICT,
    CREATE_HOLDER,
    DELETE_HOLDER,
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
    /// Our place in the history is gone (410), or ahead of it (an etcd restore, 504).
    EXPIRED,
    /// The stream failed again and again from the same place.
    BROKEN,
    /// The kind is not installed; we look whether it is by now.
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

  public Metrics(CollectorRegistry registry) {
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
        Gauge.build("berth_lease_transitions", "How often the lease was taken, when we took it.")
            .register(registry);
    failover =
        Gauge.build(
                "berth_failover_seconds",
                "From the last sign of the leader before us until we answered.")
            .register(registry);
    drifts =
        Gauge.build("berth_device_drifts", "Devices that are not as believed, by kind.")
            .labelNames("kind")
            .register(registry);
  }

  /// For tests and rehearsals: counted, and seen by nobody.
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

  /// An object did not become a fact. Above zero is a mistake of ours or a kind of object we do not
  /// know yet.
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

  public void leads(int term) {
    leader.set(1);
    transitions.set(term);
  }

  public void leadsNoMore() {
    leader.set(0);
  }

  public void tookOver(Duration silence) {
    failover.set(silence.toNanos() / NANOS);
  }

  private static String lower(Enum<?> word) {
    return word.name().toLowerCase(java.util.Locale.ROOT);
  }
}
