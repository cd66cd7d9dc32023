package dev.berth.controllers.cycle;

import dev.berth.controllers.client.Freshness;
import dev.berth.controllers.loop.Workers;
import dev.berth.engine.MaxRuntimes;
import dev.berth.engine.Planner;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.Staleness;
import dev.berth.engine.ledger.LedgerPlans;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Waits for a change, plans, assumes, hands over.
///
/// [#changed] may be called by any thread and any number of times: changes that come while a cycle
/// runs or is due are taken by the next one. Nothing happens before the watches are fresh.
///
/// What fits now never waits for a search: a change is followed by a plan that leaves wide searches
/// for those who might leave where they stand ([SearchEffort#AT_ONCE]). These go on between such
/// plans, a slice at a time, each over what is known when it begins.
public final class Cycle {
  private static final Logger LOG = LoggerFactory.getLogger(Cycle.class);

  /// How often a blind cycle looks whether its eyes are back, and an idle one for lapsed plans.
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  /// Changes that belong together, such as a pod's end and its successor, come within 2 ms.
  private static final int PART_WHEN_QUIET = 2;

  /// So many slices in a row are dropped for changes; the next one comes to its end.
  private static final int MOST_DROPPED = 4;

  /// After a slice of a search the next one rests so many times as long: searches use a fifth of
  /// one core.
  private static final int SEARCH_REST = 4;

  /// Where decisions go. Called by the planning thread: must not block.
  public interface DecisionSink {
    /// Places are assumed; the pods may be lifted when their room is clear.
    void reserved(Decision.Reserve decision, List<Assumed> plans);

    void evict(List<Decision.Victim> victims);

    /// These were given back: their deadline passed, or others took their room.
    void lapsed(List<Assumed> plans);
  }

  private final LedgerPlans ledger;
  private final PlanningPolicy policy;
  private final Freshness fresh;
  private final DecisionSink sink;
  private final CycleListener listener;
  private final UsageAccounting accounting;
  private final Workers workers;
  private final CycleSettings settings;
  private final PlanningAllowance allowance;
  private final MoveHistory moves; // of the planning thread
  private final AtomicBoolean due = new AtomicBoolean();
  private final AtomicBoolean searchDue = new AtomicBoolean();
  private final AtomicBoolean besides = new AtomicBoolean();
  private final ReentrantLock planning = new ReentrantLock();
  private final TreeMap<GroupKey, Instant> staleSince = new TreeMap<>();
  private final WatchedGroups roll; // of the planning thread
  private volatile long plannedVersion = -1;
  private Instant nextLook = Instant.MAX; // of the planning thread
  private boolean somebodyWaited; // the same: in the last plan
  private volatile Instant rested = Instant.MIN;
  private volatile Instant ended = Instant.MAX; // the last cycle; MAX = not started
  private Instant searchFrom = Instant.MIN; // of the planning thread
  private boolean searches; // of the planning thread: in the last plan
  private boolean searchesOn; // of the planning thread: after the last slice
  private int dropped; // of the planning thread: slices in a row
  private volatile boolean stopped;
  private long failures;
  private List<Queue> queues = List.of(); // of the planning thread: in the last plan
  private boolean blind = true; // of the planning thread
  private volatile boolean settled; // what is beyond what queues may have was given back once
  private boolean watchful; // the same: staleness has been looked at before

  /// The planner, and which groups run below their minimum.
  public interface PlanningPolicy {
    /// @param due whether something else is due by now, and the plan may be dropped; asked often
    /// @param staleSince groups that run below their minimum, and since when
    /// @return empty where it was dropped
    Optional<Plan> plan(
        BooleanSupplier due,
        Snapshot snapshot,
        SortedMap<GroupKey, Instant> staleSince,
        SearchEffort effort);

    boolean isStale(PodGroup group);

    /// Plans beyond what their queues may have now.
    List<Withdrawn> excess(Snapshot snapshot);

    /// How queues stand, before anything is planned.
    Accounts accounts(Snapshot snapshot);

    /// The planner that ships. For one cycle: it plans on one thread at a time.
    static PlanningPolicy by(Planner planner) {
      var incremental = planner.incremental();
      return new PlanningPolicy() {
        @Override
        public Optional<Plan> plan(
            BooleanSupplier due,
            Snapshot snapshot,
            SortedMap<GroupKey, Instant> staleSince,
            SearchEffort effort) {
          return incremental.planUnless(due, snapshot, staleSince, effort);
        }

        @Override
        public boolean isStale(PodGroup group) {
          return Staleness.isStale(group);
        }

        @Override
        public List<Withdrawn> excess(Snapshot snapshot) {
          return planner.excess(snapshot);
        }

        @Override
        public Accounts accounts(Snapshot snapshot) {
          return incremental.accounts(snapshot);
        }
      };
    }
  }

  /// Who hears what cycles come to. Called by the planning thread: must not block.
  public interface CycleListener {
    void planned(CycleOutcome outcome);

    /// How queues stand; now and then, and only where something moved.
    ///
    /// @param usage up to now; [Usage#NONE] = time does not count
    void kept(Accounts accounts, Usage usage);
  }

  public Cycle(
      LedgerPlans ledger,
      PlanningPolicy policy,
      Freshness fresh,
      DecisionSink sink,
      CycleListener listener,
      Workers workers,
      CycleSettings settings) {
    this.ledger = ledger;
    this.policy = policy;
    this.roll = new WatchedGroups(policy::isStale);
    this.fresh = fresh;
    this.sink = sink;
    this.listener = listener;
    this.accounting =
        new UsageAccounting(ledger, policy::accounts, listener::kept, settings.accounting());
    this.workers = workers;
    this.settings = settings;
    this.moves = new MoveHistory(settings.moves());
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

  /// Whether all has been looked at once since the start, and plans were given back that queues may
  /// not have any more: others made them, and nobody may be bound by them before.
  public boolean isSettled() {
    return settled;
  }

  /// How long ago a cycle came to its end last, be it that there was nothing to plan: about a
  /// second at the most where all is well. A planner that hangs, or fails each time, shows here.
  /// Empty = not started.
  public Optional<Duration> age() {
    var last = ended;
    return last.equals(Instant.MAX)
        ? Optional.empty()
        : Optional.of(Duration.between(last, workers.time().instant()));
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
      workers.at(next(), this::cycle);
    }
  }

  /// Something changed that the ledger does not show, and somebody is to be told of: a cycle plans
  /// soon, though nothing else changed.
  public void changedBesides() {
    besides.set(true);
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

  private void cycle() {
    planning.lock();
    try {
      if (workers.time().instant().isBefore(rested)) { // it was called for by the last cycle itself
        workers.at(rested, this::cycle);
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
    if (ledger.version() != plannedVersion) {
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
      failures++;
      plannedVersion = -1;
      rested = workers.time().instant().plus(settings.longestPause()); // no hot loop over the same
      LOG.atError().addKeyValue("failures", failures).setCause(ours).log("cycle dropped");
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

  /// One cycle: give back what lapsed, plan if anything calls for it, see to the books.
  ///
  /// @param mayDrop whether a change that comes meanwhile ends it
  /// @return whether it came to its end
  private boolean plan(Instant now, SearchEffort effort, boolean mayDrop) {
    giveBackLapsed(now);
    giveBackCollapsed();
    if (!watchful) {
      giveBackIncomplete();
      ledger.resumePreemptors(now.plus(settings.deadline()));
    }
    long version = ledger.version();
    boolean timeIsUp = !now.isBefore(nextLook) || somebodyWaited && accounting.areOutdated(now);
    boolean toBeTold = besides.getAndSet(false);
    boolean somethingChanged =
        toBeTold || version != plannedVersion || !staleSince.isEmpty() || timeIsUp;
    boolean comesToItsEnd = true;
    if (somethingChanged || effort == SearchEffort.A_SLICE) {
      comesToItsEnd = plan(now, version, timeIsUp, effort, mayDrop);
    }
    if (toBeTold && !comesToItsEnd) {
      besides.set(true);
    }
    accounting.keep(now);
    return comesToItsEnd;
  }

  /// Snapshot, plan, assume, hand over.
  ///
  /// @return whether it came to its end
  private boolean plan(
      Instant now, long version, boolean timeIsUp, SearchEffort effort, boolean mayDrop) {
    var seen = ledger.snapshot(now);
    var snapshot =
        accounting.open(givesBackExcess(seen) ? ledger.snapshot(now) : seen).with(moves.at(now));
    settled = true;
    roll.turn(snapshot.groups());
    watchStaleness(snapshot.now());
    // Most changes of a busy cluster are bindings and ends: nothing to decide while nobody waits.
    somebodyWaited = roll.somebodyWaits();
    var found =
        timeIsUp || somebodyWaited || !staleSince.isEmpty()
            ? policy.plan(() -> mayDrop && due.get(), snapshot, staleSince, effort)
            : Optional.of(nothingToDecide(snapshot));
    found.ifPresent(plan -> carryOut(plan, snapshot, version, now));
    return found.isPresent();
  }

  private void carryOut(Plan plan, Snapshot snapshot, long version, Instant now) {
    lookAgain(plan.nextLook());
    var waits = new TreeMap<GroupKey, Reason>();
    var withdrawn = new ArrayList<Decision.Withdraw>();
    var reserves = new ArrayList<Decision.Reserve>();
    for (var decision : plan.decisions()) {
      switch (decision) {
        case Decision.Wait(var group, var reason, _) -> waits.put(group, reason);
        case Decision.Evict(_, var victims) -> evict(victims, now);
        case Decision.Withdraw withdraw -> withdrawn.add(withdraw);
        case Decision.Reserve reserve -> reserves.add(reserve);
      }
    }
    boolean movedOn = !reserve(withdrawn, reserves, now);
    plannedVersion = movedOn ? -1 : version;
    listener.planned(
        new CycleOutcome(
            snapshot,
            plan,
            waits,
            new TreeMap<>(staleSince),
            Duration.between(now, workers.time().instant())));
    if (movedOn) {
      changed();
    }
    searches = plan.searches();
    if (searches) {
      searchGoesOn();
    }
  }

  private Plan nothingToDecide(Snapshot snapshot) {
    var nextEnd = MaxRuntimes.nextEnd(roll.mortal(), snapshot.now());
    return new Plan(snapshot.version(), snapshot.now(), List.of(), nextEnd);
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

  /// In line for room in the order of the plan: a deadline is a place in it.
  ///
  /// @return whether all could be assumed
  private boolean reserve(
      List<Decision.Withdraw> withdrawn, List<Decision.Reserve> reserves, Instant now) {
    var until = now.plus(settings.deadline()).truncatedTo(ChronoUnit.MILLIS);
    var assumed = ledger.assume(withdrawn, reserves, until);
    boolean all = true;
    for (int i = 0; i < reserves.size(); i++) {
      var reserve = reserves.get(i);
      assumed
          .get(i)
          .ifPresent(plans -> {
            sink.reserved(reserve, plans);
            if (!reserve.victims().isEmpty()) {
              evict(reserve.victims(), now);
            }
          });
      all &= assumed.get(i).isPresent();
    }
    return all;
  }

  private void evict(List<Decision.Victim> victims, Instant now) {
    for (Decision.Victim victim : victims) {
      if (victim.cause() == Decision.Cause.CONSOLIDATE) {
        ledger.pod(victim.uid()).ifPresent(pod -> moves.add(now, pod.workload()));
      }
    }
    sink.evict(victims);
  }

  /// A released plan that lapses while kube-scheduler's refusal stands on the pod was refused in
  /// the same words as before, which kube-scheduler does not write twice: that node is left out.
  private void giveBackLapsed(Instant now) {
    var lapsed = ledger.expire(now);
    if (lapsed.isEmpty()) {
      return;
    }
    for (var plan : lapsed) {
      Pod pod = ledger.pod(plan.pod().uid()).orElse(plan.pod());
      if (!pod.isGated() && !SchedulerRefusals.foreignWords(pod.life().refusal()).isEmpty()) {
        ledger.veto(
            pod.uid(),
            plan.plan().placement().node(),
            SchedulerRefusals.foreignWords(pod.life().refusal()),
            now.plus(settings.veto()));
      }
    }
    LOG.atWarn().addKeyValue("plans", lapsed.size()).log("plans lapsed");
    sink.lapsed(lapsed);
  }

  /// Room that another scheduler took between our plan and its binding.
  private void giveBackCollapsed() {
    tellGivenBack(ledger.collapse(), "room taken by others");
  }

  /// What a predecessor did not finish.
  private void giveBackIncomplete() {
    tellGivenBack(ledger.giveBackIncomplete(), "blocks written in part before our start");
  }

  /// What a predecessor had given back, which stays written on pods whose gates are open; or what
  /// was planned before a queue was changed.
  ///
  /// @return whether there was any
  private boolean givesBackExcess(Snapshot snapshot) {
    if (snapshot.queues() == queues) {
      return false;
    }
    queues = snapshot.queues();
    var excess = ledger.giveBack(policy.excess(snapshot));
    tellGivenBack(excess, "beyond what their queues may have");
    return !excess.isEmpty();
  }

  private void tellGivenBack(List<Assumed> plans, String why) {
    if (!plans.isEmpty()) {
      LOG.atInfo().addKeyValue("plans", plans.size()).log(why + ": plans given back");
      sink.lapsed(plans);
    }
  }

  private void watchStaleness(Instant now) {
    var stillStale = new TreeMap<GroupKey, Instant>();
    roll.stale()
        .forEach((key, group) -> {
          Instant since = watchful ? now : sinceBefore(group, now);
          stillStale.put(key, staleSince.getOrDefault(key, since));
        });
    staleSince.clear();
    staleSince.putAll(stillStale);
    watchful = true;
  }

  /// The first cycle goes on with the grace that runs since before our start. Later ones trust
  /// their own eyes: a group that fell again has a new grace, whatever is written on it yet.
  private static Instant sinceBefore(PodGroup group, Instant now) {
    Instant told = group.spec().staleSince();
    return told.equals(Instant.EPOCH) || told.isAfter(now) ? now : told;
  }
}
