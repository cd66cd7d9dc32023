package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.controllers.World;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.Staleness;
import dev.berth.engine.fairness.FairShareSettings;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// A cycle keeps what queues used, with the planner's own numbers.
final class UsageOverTimeTest {
  private static final QueueName Q = new QueueName("q");
  private static final Offset<Double> ALMOST = within(0.001);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final FairShareSettings OVER_TIME = new FairShareSettings(1, HOUR);
  private static final String GATED = "schedulingGates: [{name: 'berth.dev/queued'}]";
  private static final String FOUR =
      "containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '4'}}}]";
  private static final String OF_Q = "labels: {'berth.dev/queue': 'q'}";

  private final World world = new World().node("n1", 8);
  private final Instant start = world.workers.time().instant();
  private final List<Usage> planned = new ArrayList<>();
  private final List<Usage> told = new ArrayList<>();
  private final List<Accounts> accounts = new ArrayList<>();
  private int looks;

  @Test
  void usageDecaysByHalfInAHalfLife() {
    world.queue("q", "quota: {gpu: 8}", "");
    begin(OVER_TIME);
    assertThat(last(told)).isZero();
    runs("a");
    turn(Duration.ofHours(20));
    assertThat(last(told)).as("half of the devices, for long").isCloseTo(0.5, ALMOST);
    world.podGone("a");
    turn(Duration.ofSeconds(10));
    double before = last(told);
    turn(HOUR);
    assertThat(last(told)).isCloseTo(before / 2, ALMOST);
  }

  @Test
  void aRestartForgetsNothing() {
    world.queue("q", "", "usage: {gpu: '0.5'}, usageUntil: '%s'".formatted(start));
    runs("a");
    begin(OVER_TIME);
    assertThat(last(told)).isCloseTo(0.5, ALMOST);
    turn(HOUR);
    assertThat(last(told)).as("what it has keeps it up").isCloseTo(0.5, ALMOST);
  }

  @Test
  void aStatusOfLongAgoHasDecayedSince() {
    world.queue("q", "", "usage: {gpu: '0.5'}, usageUntil: '%s'".formatted(start.minus(HOUR)));
    begin(OVER_TIME);
    assertThat(last(told)).isCloseTo(0.25, ALMOST);
    world.queue("q", "", "usage: {gpu: '0.9'}, usageUntil: '%s'".formatted(start));
    turn(Duration.ofSeconds(10));
    assertThat(last(told)).as("who has begun knows better").isCloseTo(0.25, ALMOST);
  }

  @Test
  void thePlannerHearsOfItAndPlansAgainWhenItMovedForWaitingGroups() {
    world.queue("q", "", "usage: {gpu: '0.5'}, usageUntil: '%s'".formatted(start));
    world.pod("w", OF_Q, GATED + ", nodeSelector: {zone: 'none'}, " + FOUR, "phase: 'Pending'");
    begin(OVER_TIME);
    assertThat(planned).hasSize(1);
    assertThat(last(planned)).isCloseTo(0.5, ALMOST);
    turn(HOUR);
    assertThat(last(planned)).isCloseTo(0.25, within(0.01));
    assertThat(planned).as("once for each step of a hundredth").hasSizeBetween(20, 30);
  }

  @Test
  void usageThatMovesPlansNothingWhereNoGroupWaits() {
    world.queue("q", "", "usage: {gpu: '0.9'}, usageUntil: '%s'".formatted(start));
    runs("a");
    begin(OVER_TIME);
    turn(Duration.ofHours(10));
    assertThat(planned).isEmpty();
    assertThat(last(told)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void whereTimeDoesNotCountNothingIsComputed() {
    world.queue("q", "", "usage: {gpu: '0.5'}, usageUntil: '%s'".formatted(start));
    runs("a");
    world.pod("w", OF_Q, GATED + ", nodeSelector: {zone: 'none'}, " + FOUR, "phase: 'Pending'");
    begin(FairShareSettings.DEFAULT);
    turn(Duration.ofHours(10));
    assertThat(planned).containsOnly(Usage.NONE);
    assertThat(told).containsOnly(Usage.NONE);
  }

  @Test
  void whereNothingChangesNoLookFollows() {
    world.queue("q", "", "");
    runs("a");
    begin(FairShareSettings.DEFAULT);
    int before = looks;
    turn(Duration.ofHours(1));
    assertThat(looks).isEqualTo(before);
    assertThat(told).hasSize(looks);
  }

  @Test
  void manyChangesAreLookedAtOnceInAPause() {
    world.queue("q", "quota: {gpu: 8}", "");
    begin(FairShareSettings.DEFAULT);
    int before = looks;
    for (int i = 0; i < 40; i++) {
      runs("a" + i);
      turn(Duration.ofMillis(100));
    }
    assertThat(looks).isBetween(before, before + 1);
    turn(Duration.ofSeconds(6));
    assertThat(looks).isBetween(before + 1, before + 2);
    assertThat(accounts.getLast().queues().getLast().allocated())
        .as("and the last state wins")
        .containsEntry(Resource.GPU, 160_000L);
  }

  private static double last(List<Usage> usages) {
    return usages.getLast().of(Q, Resource.GPU);
  }

  /// A pod of four devices.
  private void runs(String name) {
    world.pod(name, OF_Q, "nodeName: 'n1', " + FOUR, "phase: 'Running'");
  }

  private void turn(Duration time) {
    world.workers.turn(time);
  }

  private void begin(FairShareSettings fairShare) {
    var defaults = CycleSettings.DEFAULT;
    var accounting = UsageSettings.DEFAULT;
    var settings =
        new CycleSettings(
            defaults.pause(),
            defaults.longestPause(),
            defaults.deadline(),
            defaults.veto(),
            defaults.maxRuntimeWarning(),
            defaults.moves(),
            new UsageSettings(fairShare, accounting.queuePause(), accounting.usageStep()));
    var planner = PlannerSettings.DEFAULT;
    var incremental =
        new Planner(
                new PlannerSettings(
                    planner.strategy(),
                    planner.stalenessGracePeriod(),
                    planner.defaultQueue(),
                    fairShare,
                    planner.actions(),
                    planner.backfill(),
                    planner.maxRuntimeWarning(),
                    planner.poolLabel()))
            .incremental();
    var policy =
        new Cycle.PlanningPolicy() {
          @Override
          public Optional<Plan> plan(
              BooleanSupplier due,
              Snapshot snapshot,
              SortedMap<GroupKey, Instant> staleSince,
              SearchEffort effort) {
            planned.add(snapshot.usage());
            return Optional.of(incremental.plan(snapshot, staleSince, effort));
          }

          @Override
          public boolean isStale(PodGroup group) {
            return Staleness.isStale(group);
          }

          @Override
          public List<Withdrawn> excess(Snapshot snapshot) {
            return List.of();
          }

          @Override
          public Accounts accounts(Snapshot snapshot) {
            looks++;
            return incremental.accounts(snapshot);
          }
        };
    var listener =
        new Cycle.CycleListener() {
          @Override
          public void planned(CycleOutcome outcome) {}

          @Override
          public void kept(Accounts queues, Usage usage) {
            accounts.add(queues);
            told.add(usage);
          }
        };
    var cycle =
        new CycleLoop(
            new Cycle(
                world.ledger,
                policy,
                new IgnoredDecisions(),
                listener,
                world.workers.time(),
                settings),
            world,
            world.workers,
            settings);
    world.changed.add(cycle::changed);
    cycle.start();
    turn(Duration.ofMillis(100));
  }
}
