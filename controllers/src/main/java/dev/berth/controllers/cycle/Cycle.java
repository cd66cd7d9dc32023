package dev.berth.controllers.cycle;

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
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import dev.berth.engine.replay.LoggedPlanner;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One planning cycle: gives back what lapsed, plans where anything calls for it, assumes, hands
/// over. When it comes is up to [CycleLoop]. Of the planning thread, but for what says otherwise.
public final class Cycle {
  private static final Logger LOG = LoggerFactory.getLogger(Cycle.class);

  /// Where decisions go. Called by the planning thread: must not block.
  public interface DecisionSink {
    /// Places are assumed; the pods may be lifted when their room is clear.
    void reserved(Decision.Reserve decision, List<Assumed> plans);

    void evict(List<Decision.Victim> victims);

    /// These were given back: their deadline passed, or others took their room.
    void lapsed(List<Assumed> plans);
  }

  /// What one cycle came to, and what follows from it.
  sealed interface Result {
    /// A change came meanwhile, which is planned first.
    record Dropped() implements Result {}

    /// Nothing called for a plan.
    record Unneeded() implements Result {}

    /// @param nextLook when time alone changes something; `MAX` = never
    /// @param movedOn whether the cluster changed meanwhile, and the plan was not assumed as a
    ///   whole
    /// @param searches whether wide searches go on
    record CarriedOut(Instant nextLook, boolean movedOn, boolean searches) implements Result {}
  }

  private final LedgerPlans ledger;
  private final PlanningPolicy policy;
  private final DecisionSink sink;
  private final CycleListener listener;
  private final InstantSource time;
  private final CycleSettings settings;
  private final UsageAccounting accounting;
  private final MoveHistory moves;
  private final MinRuntimeHistory minRuntimes = new MinRuntimeHistory();
  private final WatchedGroups roll;
  private final AtomicBoolean besides = new AtomicBoolean();
  private final TreeMap<GroupKey, Instant> staleSince = new TreeMap<>();
  private long plannedVersion = -1;
  private Instant nextLook = Instant.MAX;
  private boolean anyGroupWaited; // in the last plan
  private List<?> queues = List.of(); // in the last plan
  private List<?> claims = List.of();
  private volatile boolean settled; // what is beyond what queues may have was given back once
  private boolean watchful; // staleness has been looked at before

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
      return by(planner, incremental::planUnless, incremental::accounts);
    }

    /// The same, of which each call is logged.
    static PlanningPolicy by(Planner planner, LoggedPlanner logged) {
      return by(planner, logged::planUnless, logged::accounts);
    }

    private static PlanningPolicy by(
        Planner planner, Plans plans, Function<Snapshot, Accounts> accounts) {
      return new PlanningPolicy() {
        @Override
        public Optional<Plan> plan(
            BooleanSupplier due,
            Snapshot snapshot,
            SortedMap<GroupKey, Instant> staleSince,
            SearchEffort effort) {
          return plans.plan(due, snapshot, staleSince, effort);
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
          return accounts.apply(snapshot);
        }
      };
    }
  }

  /// As [PlanningPolicy#plan].
  private interface Plans {
    Optional<Plan> plan(
        BooleanSupplier due,
        Snapshot snapshot,
        SortedMap<GroupKey, Instant> staleSince,
        SearchEffort effort);
  }

  /// Is told the outcome of cycles. Called by the planning thread: must not block.
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
      DecisionSink sink,
      CycleListener listener,
      InstantSource time,
      CycleSettings settings) {
    this.ledger = ledger;
    this.policy = policy;
    this.roll = new WatchedGroups(policy::isStale, settings.maxRuntimeWarning());
    this.sink = sink;
    this.listener = listener;
    this.accounting =
        new UsageAccounting(ledger, policy::accounts, listener::kept, settings.accounting());
    this.time = time;
    this.settings = settings;
    this.moves = new MoveHistory(settings.moves());
  }

  /// Whether all has been looked at once since the start, and plans were given back that queues may
  /// not have any more: another process made them, and no pod may be bound by them before. Any
  /// thread.
  public boolean isSettled() {
    return settled;
  }

  /// Something changed that the ledger does not show, and it is to be reported: the next cycle
  /// plans, though nothing else changed. Any thread.
  void planBesides() {
    besides.set(true);
  }

  /// The next cycle plans, whatever the last one came to.
  void planAnew() {
    plannedVersion = -1;
  }

  /// Whether the ledger changed since the last plan.
  boolean isOutdated() {
    return ledger.version() != plannedVersion;
  }

  /// Gives back what lapsed and plans if anything calls for it.
  ///
  /// @param due whether something else is due by now, and the plan may be dropped; asked often
  Result plan(Instant now, SearchEffort effort, BooleanSupplier due) {
    giveBackLapsed(now);
    giveBackCollapsed();
    if (!watchful) {
      giveBackIncomplete();
      ledger.resumePreemptors(now.plus(settings.deadline()));
    }
    long version = ledger.version();
    boolean timeIsUp = !now.isBefore(nextLook) || anyGroupWaited && accounting.areOutdated(now);
    boolean toBeTold = besides.getAndSet(false);
    boolean somethingChanged =
        toBeTold || version != plannedVersion || !staleSince.isEmpty() || timeIsUp;
    if (!somethingChanged && effort != SearchEffort.A_SLICE) {
      return new Result.Unneeded();
    }
    var found = plan(now, timeIsUp, effort, due);
    if (found.isEmpty()) {
      if (toBeTold) {
        besides.set(true);
      }
      return new Result.Dropped();
    }
    return carryOut(found.get(), version, now);
  }

  /// Sees to the books, at their pace.
  void keepAccounts(Instant now) {
    accounting.keep(now);
  }

  /// A plan, and the snapshot that it is made for.
  private record Found(Plan plan, Snapshot snapshot) {}

  /// @return empty where it was dropped
  private Optional<Found> plan(
      Instant now, boolean timeIsUp, SearchEffort effort, BooleanSupplier due) {
    var snapshot =
        accounting
            .open(withoutExcess(ledger.snapshot(now), now))
            .with(moves.at(now))
            .with(minRuntimes.waits(now));
    settled = true;
    roll.turn(snapshot);
    watchStaleness(snapshot.now());
    // Most changes of a busy cluster are bindings and ends: nothing to decide while no group waits.
    anyGroupWaited = roll.anyGroupWaits();
    var plan =
        timeIsUp || anyGroupWaited || !staleSince.isEmpty()
            ? policy.plan(due, snapshot, staleSince, effort)
            : Optional.of(nothingToDecide(snapshot));
    return plan.map(made -> new Found(made, snapshot));
  }

  private Result carryOut(Found found, long version, Instant now) {
    var plan = found.plan();
    nextLook = plan.nextLook();
    minRuntimes.planned(found.snapshot(), plan);
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
    boolean movedOn = !reserve(withdrawn, reserves, found.snapshot());
    plannedVersion = movedOn ? -1 : version;
    listener.planned(
        new CycleOutcome(
            found.snapshot(),
            plan,
            waits,
            new TreeMap<>(staleSince),
            roll.near(found.snapshot().now()),
            roll.idle(found.snapshot().now()),
            Duration.between(now, time.instant())));
    return new Result.CarriedOut(plan.nextLook(), movedOn, plan.searches());
  }

  private Plan nothingToDecide(Snapshot snapshot) {
    return new Plan(snapshot.version(), snapshot.now(), List.of(), roll.nextEnd(snapshot.now()));
  }

  /// In line for room in the order of the plan: a deadline is a place in it.
  ///
  /// @return whether all could be assumed
  private boolean reserve(
      List<Decision.Withdraw> withdrawn, List<Decision.Reserve> reserves, Snapshot of) {
    var until = of.now().plus(settings.deadline()).truncatedTo(ChronoUnit.MILLIS);
    var assumed = ledger.assume(withdrawn, reserves, until, of.version());
    boolean all = true;
    for (int i = 0; i < reserves.size(); i++) {
      var reserve = reserves.get(i);
      assumed
          .get(i)
          .ifPresent(plans -> {
            sink.reserved(reserve, plans);
            if (!reserve.victims().isEmpty()) {
              evict(reserve.victims(), of.now());
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

  /// Room that another scheduler took between Berth's plan and its binding.
  private void giveBackCollapsed() {
    tellGivenBack(ledger.collapse(), "room taken by others");
  }

  /// What a predecessor did not finish.
  private void giveBackIncomplete() {
    tellGivenBack(ledger.giveBackIncomplete(), "blocks written in part before our start");
  }

  /// Without what a predecessor gave back, or was planned before a queue was changed or a claim of
  /// devices allocated. Asked until there is none: the next user of a claim is charged.
  private Snapshot withoutExcess(Snapshot seen, Instant now) {
    var snapshot = seen;
    while (snapshot.queues() != queues || snapshot.devices().claims() != claims) {
      var excess = ledger.giveBack(policy.excess(snapshot), snapshot.version());
      tellGivenBack(excess, "beyond what their queues may have");
      if (excess.isEmpty()) {
        queues = snapshot.queues();
        claims = snapshot.devices().claims();
      } else {
        snapshot = ledger.snapshot(now);
      }
    }
    return snapshot;
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

  /// The first cycle goes on with the grace that runs since before Berth's start. Later ones trust
  /// their own eyes: a group that fell again has a new grace, whatever is written on it yet.
  private static Instant sinceBefore(PodGroup group, Instant now) {
    Instant told = group.spec().staleSince();
    return told.equals(Instant.EPOCH) || told.isAfter(now) ? now : told;
  }
}
