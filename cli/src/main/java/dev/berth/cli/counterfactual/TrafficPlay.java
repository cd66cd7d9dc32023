package dev.berth.cli.counterfactual;

import dev.berth.controllers.cycle.MoveHistory;
import dev.berth.controllers.cycle.MoveSettings;
import dev.berth.engine.IncrementalPlanner;
import dev.berth.engine.Planner;
import dev.berth.engine.Staleness;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Plays the traffic of a log on virtual time with the planner that ships.
///
/// Workloads come when the log shows them, run for as long as they ran in the log, and end in the
/// same way; nodes and pods of other schedulers are as the log says. A plan is made after each
/// change, and when time alone changes something. What it decides is carried out in that moment: no
/// pod takes time to start or to leave. A pod that is evicted comes again, if its owner makes
/// another, and runs from its start.
final class TrafficPlay {
  /// How often a plan is made by time alone while a gang is stale, or while past use counts and a
  /// group waits.
  private static final Duration WATCH = Duration.ofSeconds(10);

  private static final Duration SHARES = Duration.ofMinutes(1);

  /// When the pods of evicted ones are planned.
  private static final Duration AGAIN = Duration.ofSeconds(1);

  private final LoggedTraffic traffic;
  private final PlayedCluster cluster;
  private final IncrementalPlanner planner;
  private final Consumer<Supplier<Snapshot>> onlooker;
  private final MoveHistory moves = new MoveHistory(MoveSettings.DEFAULT);
  private final TreeMap<GroupKey, Instant> staleSince = new TreeMap<>();
  private SortedMap<QueueName, SortedMap<Resource, Double>> use = new TreeMap<>();
  private Usage usage;
  private Instant look = Instant.MAX;

  private TrafficPlay(
      LoggedTraffic traffic,
      SortedMap<QueueName, Queue> others,
      Consumer<Supplier<Snapshot>> onlooker) {
    this.traffic = traffic;
    this.onlooker = onlooker;
    this.cluster = new PlayedCluster(traffic, others);
    this.planner = new Planner(traffic.settings()).incremental();
    this.usage = traffic.usage();
  }

  /// @param others queues that are so from beginning to end, whatever the log says of them; the
  ///   rest is as in the log
  /// @return in the order of the traffic
  static List<PlayedWorkload> play(LoggedTraffic traffic, SortedMap<QueueName, Queue> others) {
    return play(traffic, others, _ -> {});
  }

  /// The same.
  ///
  /// @param onlooker may ask for the cluster after each plan, once that is carried out
  static List<PlayedWorkload> play(
      LoggedTraffic traffic,
      SortedMap<QueueName, Queue> others,
      Consumer<Supplier<Snapshot>> onlooker) {
    return new TrafficPlay(traffic, others, onlooker).run();
  }

  private List<PlayedWorkload> run() {
    var end = traffic.span().end();
    var next = cluster.next();
    while (!next.isAfter(end) || !look.isAfter(end)) {
      var now = next.isAfter(look) ? look : next;
      look = Instant.MAX;
      cluster.passUntil(now);
      plan(now);
      onlooker.accept(() -> cluster.snapshot(now));
      next = cluster.next();
    }
    return cluster.played(end);
  }

  private void plan(Instant now) {
    boolean goesOn = true;
    while (goesOn) {
      var snapshot = snapshot(now);
      watchStaleness(snapshot);
      var plan = planner.plan(snapshot, staleSince);
      boolean anyCameAgain = carryOut(plan, now);
      if (timeCounts()) {
        use = planner.accounts(snapshot(now)).use();
      }
      goesOn = plan.searches();
      lookAt(plan.nextLook());
      lookAt(anyCameAgain ? now.plus(AGAIN) : Instant.MAX);
      lookAt(staleSince.isEmpty() ? Instant.MAX : now.plus(WATCH));
      lookAt(timeCounts() && anyWaits(plan) ? now.plus(SHARES) : Instant.MAX);
    }
  }

  private void lookAt(Instant at) {
    look = at.isBefore(look) ? at : look;
  }

  private boolean timeCounts() {
    return traffic.settings().fairShare().k() > 0;
  }

  private static boolean anyWaits(Plan plan) {
    return plan.decisions().stream().anyMatch(Decision.Wait.class::isInstance);
  }

  private Snapshot snapshot(Instant now) {
    var snapshot = cluster.snapshot(now).with(moves.at(now));
    if (!timeCounts()) {
      return snapshot;
    }
    usage = usage.advance(now, use, traffic.settings().fairShare().halfLife());
    return snapshot.with(usage);
  }

  private void watchStaleness(Snapshot snapshot) {
    var stale = new TreeMap<GroupKey, Instant>();
    for (PodGroup group : snapshot.groups()) {
      if (Staleness.isStale(group)) {
        stale.put(group.key(), staleSince.getOrDefault(group.key(), snapshot.now()));
      }
    }
    staleSince.clear();
    staleSince.putAll(stale);
  }

  /// @return whether pods come in the stead of others
  private boolean carryOut(Plan plan, Instant now) {
    boolean anyCameAgain = false;
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Decision.Reserve reserve -> {
          anyCameAgain |= evict(reserve.victims(), now);
          reserve.block().forEach(each -> cluster.starts(each.uid(), each.placement(), now));
          reserve.surplus().forEach(each -> cluster.starts(each.uid(), each.placement(), now));
        }
        case Decision.Evict(_, var victims) -> anyCameAgain |= evict(victims, now);
        case Decision.Wait _, Decision.Withdraw _ -> {} // no plan is open
      }
    }
    return anyCameAgain;
  }

  private boolean evict(List<Decision.Victim> victims, Instant now) {
    boolean anyCameAgain = false;
    for (Decision.Victim victim : victims) {
      boolean isMove = victim.cause() == Decision.Cause.CONSOLIDATE;
      if (isMove) {
        cluster.workload(victim.uid()).ifPresent(each -> moves.add(now, each));
      }
      anyCameAgain |= cluster.evict(victim.uid(), isMove, now);
    }
    return anyCameAgain;
  }
}
