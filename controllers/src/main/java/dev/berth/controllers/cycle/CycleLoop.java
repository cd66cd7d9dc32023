package dev.berth.controllers.cycle;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.SearchEffort;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for a change and runs a [Cycle], one at a time.
///
/// [#changed] may be called by any thread and any number of times: changes that come while a cycle
/// runs or is due are taken by the next one. Nothing happens before the watches are fresh.
///
/// What fits now never waits for a search: a change is followed by a plan that leaves wide searches
/// for victims where they stand ([SearchEffort#AT_ONCE]). These go on between such plans, a slice
/// at a time, each over what is known when it begins.
public final class CycleLoop {
  private static final Logger LOG = LoggerFactory.getLogger(CycleLoop.class);

  /// How often a blind cycle looks whether its eyes are back, and an idle one for lapsed plans.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /// Changes that belong together, such as a pod's end and its successor, come within 2 ms.
  private static final int PART_WHEN_QUIET = 2;

  /// So many slices in a row are dropped for changes; the next one comes to its end.
  private static final int MOST_DROPPED = 4;

  /// After a slice of a search the next one rests so many times as long: searches use a fifth of
  /// one core.
  private static final int SEARCH_REST = 4;

  private final Cycle cycle;
  private final Freshness fresh;
  private final Workers workers;
  private final CycleSettings settings;
  private final PlanningAllowance allowance;
  private final AtomicBoolean due = new AtomicBoolean();
  private final AtomicBoolean searchDue = new AtomicBoolean();
  private final AtomicLong failures = new AtomicLong();
  private final ReentrantLock planning = new ReentrantLock();
  private volatile Instant rested = Instant.MIN;
  private volatile Instant ended = Instant.MAX; // the last cycle; MAX = not started
  private volatile boolean stopped;

  // Of the planning thread.
  private Instant nextLook = Instant.MAX;
  private Instant searchFrom = Instant.MIN;
  private boolean searches; // in the last plan
  private boolean searchesOn; // after the last slice
  private int dropped; // slices in a row
  private boolean blind = true;

  public CycleLoop(Cycle cycle, Freshness fresh, Workers workers, CycleSettings settings) {
    this.cycle = cycle;
    this.fresh = fresh;
    this.workers = workers;
    this.settings = settings;
    this.allowance = new PlanningAllowance(settings.longestPause());
  }

  /// Starts the heartbeat that looks for lapsed plans and passed graces when nothing changes.
  public void start() {
    ended = workers.time().instant();
    changed();
    heartbeat();
  }

  public void stop() {
    stopped = true;
  }

  /// How long ago a cycle came to its end last, even if there was nothing to plan: about a second
  /// at the most where all is well. A planner that hangs, or fails each time, shows here. Empty =
  /// not started.
  public Optional<Duration> age() {
    var last = ended;
    return last.equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(Duration.between(last, workers.time().instant()));
  }

  /// How many cycles were dropped for internal errors.
  public long failures() {
    return failures.get();
  }

  private void heartbeat() {
    if (!stopped) {
      changed();
      workers.at(workers.time().instant().plus(LOOK_AGAIN), this::heartbeat);
    }
  }

  /// Something changed: a cycle comes soon.
  public void changed() {
    if (!stopped && due.compareAndSet(false, true)) {
      workers.at(next(), this::run);
    }
  }

  /// Something changed that the ledger does not show, and it is to be reported: a cycle plans soon,
  /// though nothing else changed.
  public void changedBesides() {
    cycle.planBesides();
    changed();
  }

  /// A change after a quiet time is planned after a part of the pause, with the changes that come
  /// with it. In a stream of changes cycles begin a whole pause after the last one ended.
  private Instant next() {
    var soon = workers.time().instant().plus(settings.pause().dividedBy(PART_WHEN_QUIET));
    return rested.isAfter(soon) ? rested : soon;
  }

  private void rest(Instant since) {
    var now = workers.time().instant();
    var rest = allowance.rest(since, now);
    rested = now.plus(rest.compareTo(settings.pause()) > 0 ? rest : settings.pause());
  }

  private void run() {
    planning.lock();
    try {
      if (workers.time().instant().isBefore(rested)) { // it was called for by the last cycle itself
        workers.at(rested, this::run);
        return;
      }
      due.set(false);
      guarded(() -> {
        if (!stopped && canSee()) {
          var now = workers.time().instant();
          plan(now, SearchEffort.AT_ONCE);
          rest(now);
        }
      });
    } finally {
      planning.unlock();
    }
  }

  private void searchGoesOn() {
    if (!stopped && searchDue.compareAndSet(false, true)) {
      var now = workers.time().instant();
      workers.at(searchFrom.isAfter(now) ? searchFrom : now, this::search);
    }
  }

  /// One slice. What changed before it began is planned first, and a change that comes meanwhile
  /// does not wait for its end: the slice is dropped, and goes on later with what it came to.
  private void search() {
    planning.lock();
    try {
      searchesOn = false;
      guarded(() -> {
        if (!stopped && canSee()) {
          var began = workers.time().instant();
          slice(began);
          var end = workers.time().instant();
          var rest = Duration.between(began, end).multipliedBy(SEARCH_REST);
          searchFrom = end.plus(atMost(settings.longestPause(), rest));
          var changePlanned = end.plus(settings.pause()).plus(settings.pause());
          if (dropped > 0 && searchFrom.isBefore(changePlanned)) {
            searchFrom = changePlanned;
          }
          searchesOn = searches;
        }
      });
    } finally {
      // not before: the next slice is called for once the rest of this one is known
      searchDue.set(false);
      if (searchesOn) {
        searchGoesOn();
      }
      planning.unlock();
    }
  }

  private void slice(Instant now) {
    if (cycle.isOutdated()) {
      plan(now, SearchEffort.AT_ONCE);
    }
    boolean mayDrop = dropped < MOST_DROPPED;
    boolean comesToItsEnd = !(mayDrop && due.get()) && plan(now, SearchEffort.A_SLICE, mayDrop);
    dropped = comesToItsEnd ? 0 : dropped + 1;
  }

  private static Duration atMost(Duration most, Duration duration) {
    return duration.compareTo(most) > 0 ? most : duration;
  }

  private void guarded(Runnable work) {
    try {
      work.run();
      ended = workers.time().instant();
    } catch (RuntimeException ours) {
      cycle.planAnew();
      rested = workers.time().instant().plus(settings.longestPause()); // no hot loop over the same
      LOG.atError()
          .addKeyValue("failures", failures.incrementAndGet())
          .setCause(ours)
          .log("cycle dropped");
    }
  }

  /// Tells when sight is lost, and when it is back.
  private boolean canSee() {
    boolean sees = fresh.isFresh();
    if (sees == blind) {
      blind = !sees;
      if (blind) {
        LOG.atWarn()
            .addKeyValue("missing", fresh.whatIsMissing())
            .log("watches are not fresh: nothing is planned until they are");
      } else {
        LOG.atInfo().log("watches are fresh: plans");
      }
    }
    return sees;
  }

  private void plan(Instant now, SearchEffort effort) {
    boolean _ = plan(now, effort, false);
  }

  /// One cycle, and what follows from it.
  ///
  /// @param mayDrop whether a change that comes meanwhile ends it
  /// @return whether it came to its end
  private boolean plan(Instant now, SearchEffort effort, boolean mayDrop) {
    var result = cycle.plan(now, effort, () -> mayDrop && due.get());
    boolean comesToItsEnd =
        switch (result) {
          case Cycle.Result.Dropped() -> false;
          case Cycle.Result.Unneeded() -> true;
          case Cycle.Result.CarriedOut carriedOut -> {
            follow(carriedOut);
            yield true;
          }
        };
    cycle.keepAccounts(now);
    return comesToItsEnd;
  }

  private void follow(Cycle.Result.CarriedOut plan) {
    lookAgain(plan.nextLook());
    if (plan.movedOn()) {
      changed();
    }
    searches = plan.searches();
    if (searches) {
      searchGoesOn();
    }
  }

  /// A cycle comes when time alone changes something. What has passed already is looked at by the
  /// next heartbeat.
  private void lookAgain(Instant when) {
    boolean news = !when.equals(nextLook);
    nextLook = when;
    if (news && when.isAfter(workers.time().instant()) && !when.equals(Instant.MAX)) {
      workers.at(when, this::changed);
    }
  }
}
