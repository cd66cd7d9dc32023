package dev.berth.extender.rest;

import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import dev.berth.extender.rest.state.PlanFound;
import dev.berth.extender.rest.state.QueueSamples;
import dev.berth.extender.rest.state.Revisions;
import dev.berth.extender.rest.state.Timelines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;

/// What the REST API hears: the planner's outcomes, how queues stand, evictions. Called by the
/// planning thread and others; does not block and leaves the work to a later moment.
public final class ClusterFeed {
  /// What pods did is looked at so often while cycles plan.
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// Runs something later, on a thread that may take a while.
  public interface DelayedExecutor {
    void at(Instant when, Runnable what);
  }

  private final Revisions revisions;
  private final Timelines timelines = new Timelines();
  private final QueueSamples history = new QueueSamples();
  private final StartForecasts forecasts;
  private final InstantSource time;
  private final DelayedExecutor later;
  private volatile Snapshot latest;
  private final AtomicBoolean isToLook = new AtomicBoolean();

  /// @param forecasts when workloads are likely to start; only read
  public ClusterFeed(
      LedgerReader ledger, StartForecasts forecasts, InstantSource time, DelayedExecutor later) {
    this.revisions = new Revisions(ledger, time);
    this.forecasts = forecasts;
    this.time = time;
    this.later = later;
    this.latest = Snapshot.empty(time.instant());
  }

  Revisions revisions() {
    return revisions;
  }

  Timelines timelines() {
    return timelines;
  }

  QueueSamples history() {
    return history;
  }

  StartForecasts forecasts() {
    return forecasts;
  }

  /// A cycle has planned. Of the planning thread.
  ///
  /// @param snapshot that it planned
  public void planned(Snapshot snapshot, PlanFound plan) {
    revisions.planned(plan);
    timelines.planned(plan.plan());
    latest = snapshot;
    if (isToLook.compareAndSet(false, true)) {
      later.at(time.instant().plus(LOOK), this::look);
    }
  }

  private void look() {
    isToLook.set(false); // first: a cycle that ends meanwhile is looked at again
    timelines.look(latest);
  }

  /// How queues stand.
  public void kept(Accounts accounts, Usage usage) {
    revisions.kept(accounts, usage);
    history.take(accounts, time.instant());
  }

  /// A pod was evicted.
  ///
  /// @param cause `reclaim`
  public void evicted(GroupKey group, String cause) {
    timelines.evicted(group, time.instant(), cause);
  }
}
