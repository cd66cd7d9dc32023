package dev.berth.extender.rest;

import dev.berth.engine.Planner;
import dev.berth.engine.forecast.StartForecasts;
import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import dev.berth.extender.rest.state.EvictionHistory;
import dev.berth.extender.rest.state.PlanFound;
import dev.berth.extender.rest.state.QueueSamples;
import dev.berth.extender.rest.state.Revisions;
import dev.berth.extender.rest.state.Timelines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/// What the REST API hears: the planner's outcomes, how queues stand, evictions. Called by the
/// planning thread and others; does not block and leaves the work to a later moment.
public final class ClusterFeed {
  /// What pods did is looked at so often while cycles plan.
  private static final Duration LOOK = Duration.ofSeconds(1);

  /// A look rests for so many times as long as it took, if that is longer: with pods that leave all
  /// the time it takes a quarter of a processor at most.
  private static final int REST = 3;

  /// Runs something later, on a thread that may take a while.
  public interface DelayedExecutor {
    void at(Instant when, Runnable what);
  }

  private final Revisions revisions;
  private final Timelines timelines = new Timelines();
  private final QueueSamples history = new QueueSamples();
  private final StartForecasts forecasts;
  private final EvictionHistory evictions;
  private final InstantSource time;
  private final DelayedExecutor later;
  private volatile Snapshot latest;
  private final AtomicBoolean isToLook = new AtomicBoolean();
  private volatile Duration pause = LOOK;

  /// @param planner by which receipts tell how queues stand
  /// @param forecasts when workloads are likely to start; only read
  public ClusterFeed(
      LedgerReader ledger,
      Planner planner,
      StartForecasts forecasts,
      InstantSource time,
      DelayedExecutor later) {
    this.revisions = new Revisions(ledger, time);
    this.evictions = new EvictionHistory(planner, time.instant());
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

  EvictionHistory evictions() {
    return evictions;
  }

  /// A cycle has planned. Of the planning thread.
  ///
  /// @param snapshot that it planned
  public void planned(Snapshot snapshot, PlanFound plan) {
    revisions.planned(plan);
    timelines.planned(plan.plan());
    evictions.planned(snapshot, plan.plan());
    latest = snapshot;
    lookLater();
  }

  private void lookLater() {
    if (isToLook.compareAndSet(false, true)) {
      later.at(time.instant().plus(pause), this::look);
    }
  }

  private void look() {
    isToLook.set(false); // first: a cycle that ends meanwhile is looked at again
    long start = System.nanoTime();
    var last = latest;
    timelines.look(last);
    boolean again = evictions.look(last);
    var rest = Duration.ofNanos(REST * (System.nanoTime() - start));
    pause = rest.compareTo(LOOK) > 0 ? rest : LOOK;
    if (again) {
      lookLater();
    }
  }

  /// How queues stand.
  public void kept(Accounts accounts, Usage usage) {
    revisions.kept(accounts, usage);
    history.take(accounts, time.instant());
  }

  /// A pod was asked to leave, with success.
  ///
  /// @param loser its workload; none = it is not known any more
  /// @param gainer the workload for which it leaves; none = for no other
  public void evicted(Victim victim, GroupSummary loser, GroupSummary gainer) {
    var now = time.instant();
    if (!loser.isNone()) {
      timelines.evicted(loser.key(), now, victim.cause().name().toLowerCase(Locale.ROOT));
    }
    evictions.asked(now, victim, loser, gainer);
    lookLater();
  }
}
