package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.cycle.CycleOutcome;
import dev.berth.engine.Staleness;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Snapshot;
import dev.berth.simulator.world.BerthExtender;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ClaimMaker;
import dev.berth.simulator.world.KubeScheduler;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.SchedulerSettings;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldClients;
import dev.berth.simulator.world.WorldEvents;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// One run of one scenario, on virtual time and on the calling thread.
///
/// It is at rest when no pod came, was bound, was asked to leave, ended or went for as long as any
/// deadline, veto, grace, protection or delay that stands could still make something happen. What
/// protects for longer than a run may take holds until the end. No pod ends by itself. A run that
/// has not come to rest after many rounds, or that evicts the same pod again and again, never will.
public final class ScenarioRun {
  private static final Duration MARGIN = Duration.ofSeconds(5);
  private static final Duration RESTLESS = Duration.ofHours(2);
  private static final Duration FOR_EVER = Duration.ofDays(3650);
  private static final int MOST_ROUNDS = 1000;
  private static final int MOST_EVICTIONS = 15;

  /// A pod that is evicted ends soon, and all together: one round sees it leaving, and the group
  /// that is planned next sees all the room there is. (Cycles come 5 ms apart.)
  private static final WorldSettings WORLD =
      new WorldSettings(1, Duration.ZERO, Duration.ofNanos(7_500_000), Duration.ofMillis(100));

  private final Scenario scenario;
  private final VirtualTime time;
  private final World world;
  private final PodHistory chronicle;
  private final Product product;
  private final List<DecidedCycle> rounds = new ArrayList<>();
  private final List<String> internalErrors = new ArrayList<>();
  private SortedMap<GroupKey, Decision.Wait> waits = Collections.emptySortedMap();

  /// When, within the run, a protection, a delay or a max-runtime ends at last.
  private Instant lastLook = Instant.MIN;

  private ScenarioRun(Scenario scenario, Product.Factory shipyard) throws ScenarioException {
    this.scenario = scenario;
    this.time = new VirtualTime(scenario.now());
    this.world = new World(time, WORLD);
    this.chronicle = new PodHistory(time);
    Opening.play(scenario, world);
    this.product =
        shipyard.build(
            scenario.settings(),
            new Product.Place(
                WorldClients.of(world),
                new WorldEvents(world),
                new GivenOwners(scenario.ignored()),
                new TimeWorkers(time, new Chance(WORLD.seed(), "controllers")),
                this::hear,
                internalError -> internalErrors.add(internalError.toString())));
  }

  /// @throws ScenarioException where its settings cannot be used
  public static Ending play(Scenario scenario, Product.Factory shipyard) throws ScenarioException {
    return new ScenarioRun(scenario, shipyard).play();
  }

  /// What the product believes of a scenario before anything happens in it.
  ///
  /// @throws ScenarioException where its settings cannot be used
  public static Snapshot look(Scenario scenario, Product.Factory shipyard)
      throws ScenarioException {
    var run = new ScenarioRun(scenario, shipyard);
    run.world.watch(EnumSet.allOf(Kind.class), run.product.watcher());
    run.time.runFor(WORLD.watchDelay().plusMillis(1));
    return run.product.snapshot();
  }

  private void hear(CycleOutcome outcome) {
    waits = outcome.plan().waits();
    var look = outcome.plan().nextLook();
    if (look.isAfter(lastLook) && look.isBefore(scenario.now().plus(RESTLESS))) {
      lastLook = look;
    }
    if (DecidedCycle.isOne(outcome)) {
      rounds.add(new DecidedCycle(rounds.size() + 1, outcome.snapshot(), outcome.plan(), waits));
    }
  }

  private Ending play() {
    world.watch(EnumSet.of(Kind.POD), chronicle);
    world.watch(EnumSet.of(Kind.POD), new WorkloadControllers(world));
    world.watch(EnumSet.allOf(Kind.class), product.watcher());
    new Kubelet(world).start();
    new KubeScheduler(
            world, SchedulerSettings.BERTH, Optional.of(new BerthExtender(product.verbs())))
        .start();
    for (String other : Opening.otherSchedulers(scenario, SchedulerSettings.BERTH.name())) {
      new KubeScheduler(world, SchedulerSettings.named(other), Optional.empty()).start();
    }
    new ClaimMaker(world, templates()).start();
    product.start();
    boolean ends = time.runUntil(() -> isAtRest() || goesRound(), FOR_EVER);
    return new Ending(
        scenario,
        ends && !goesRound() ? "" : Oscillation.among(rounds),
        internalErrors,
        Duration.between(scenario.now(), chronicle.lastChange()),
        rounds,
        pods(),
        chronicle.evictions(),
        product.snapshot(),
        waits);
  }

  private List<Map<String, Object>> templates() {
    return scenario.ignored().stream()
        .filter(item -> item.kind().equals("ResourceClaimTemplate"))
        .map(Scenario.Item::object)
        .toList();
  }

  private boolean isAtRest() {
    Instant quiescence = chronicle.lastChange().plus(MARGIN).plus(product.patience());
    return time.instant().minus(MARGIN).isAfter(lastLook)
        && !time.instant().isBefore(quiescence)
        && !time.instant().isBefore(quiescence.plus(ownGraces()));
  }

  /// What stale gangs that set a grace of their own may take longer than others.
  private Duration ownGraces() {
    var longest = Duration.ZERO;
    for (var group : product.snapshot().groups()) {
      var grace = group.spec().patience().stalenessGrace();
      if (grace.compareTo(longest) > 0 && !group.single() && Staleness.isStale(group)) {
        longest = grace;
      }
    }
    return longest;
  }

  private boolean goesRound() {
    return rounds.size() > MOST_ROUNDS
        || chronicle.mostEvictionsOfOnePod() > MOST_EVICTIONS
        || chronicle.lastChange().isAfter(scenario.now().plus(RESTLESS));
  }

  private SortedMap<String, PodView> pods() {
    var pods = new TreeMap<String, PodView>();
    for (var tree : world.list(Kind.POD)) {
      var pod = PodView.of(tree);
      if (!pod.isHolder()) {
        pods.put(pod.name(), pod);
      }
    }
    return pods;
  }
}
