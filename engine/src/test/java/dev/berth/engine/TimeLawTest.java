package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.action.BackfillSettings;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.Decision.Wait;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.Patience;
import dev.berth.engine.model.GroupSpec.Run;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason.WouldDelay;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.RuntimeEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What holds of time, over random worlds with min-runtimes, delays and max-runtimes.
class TimeLawTest {
  private static final Duration LATER = Duration.ofMinutes(40);

  static LongStream seeds() {
    return Seeds.worlds(500);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void timeAloneChangesNothingBeforeTheNextLook(long seed) {
    var settings = Settings.of(seed);
    changesNothing(
        seed, settings.backfill().reservations() ? withoutReservations(settings) : settings);
  }

  /// Where a head has a reservation the ends of groups that would start now move with the clock,
  /// and so do the places where they do not block it.
  @ParameterizedTest
  @MethodSource("seeds")
  void withReservationsTheSameStartAndTheSameWait(long seed) {
    changesNothing(seed, Settings.of(seed));
  }

  private static void changesNothing(long seed, PlannerSettings settings) {
    var snapshot = impatient(seed);
    var planner = new Planner(settings);
    var plan = planner.plan(snapshot);
    var end = Cluster.NOW.plus(LATER);
    var until = plan.nextLook().isBefore(end) ? plan.nextLook().minusNanos(1) : end;
    if (until.isAfter(Cluster.NOW)) {
      boolean places = !settings.backfill().reservations();
      assertThat(decided(planner.plan(at(snapshot, until)), places))
          .isEqualTo(decided(plan, places));
    }
  }

  private static PlannerSettings withoutReservations(PlannerSettings settings) {
    var backfill = settings.backfill();
    return new PlannerSettings(
        settings.strategy(),
        settings.stalenessGracePeriod(),
        settings.defaultQueue(),
        settings.fairShare(),
        settings.actions(),
        new BackfillSettings(false, backfill.after(), backfill.hold(), backfill.most()),
        settings.maxRuntimeWarning(),
        settings.poolLabel());
  }

  /// By group, without the moment by which a head starts: where it waits for one that has not
  /// begun, that moves with the clock, and with it the turn in which another group finds its place.
  private static List<Object> decided(Plan plan, boolean places) {
    var decided = new ArrayList<Object>();
    plan.decisions().stream()
        .sorted(Comparator.comparing(Decision::group))
        .forEach(decision -> {
          if (decision instanceof Wait(var group, WouldDelay(var head, _, var time), var ahead)) {
            decided.add(new Wait(group, new WouldDelay(head, Instant.MAX, time), ahead));
          } else {
            decided.add(decision instanceof Reserve && !places ? decision.group() : decision);
          }
        });
    return decided;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void planningOnlyWhileAPodWaitsMissesNoEnd(long seed) {
    var snapshot = impatient(seed);
    var plan = Settings.planner(seed).plan(snapshot);
    boolean spared = // a victim has no end to wait for
        plan.decisions().stream()
            .noneMatch(each -> each instanceof Reserve reserve && !reserve.victims().isEmpty());
    var end = RuntimeEnds.next(snapshot, Settings.of(seed).maxRuntimeWarning());
    assertThat(!spared || !plan.nextLook().isAfter(end)).as(() -> "an end at " + end).isTrue();
  }

  /// By its own rule, or by that of its queue or of a queue above it.
  @ParameterizedTest
  @MethodSource("seeds")
  void noGroupIsEvictedBeforeItHasRunForItsMaxRuntimeAndWasWarned(long seed) {
    var snapshot = impatient(seed);
    for (Decision decision : Settings.planner(seed).plan(snapshot).decisions()) {
      for (Victim victim : decision.victims()) {
        if (victim.cause() == Cause.MAX_RUNTIME) {
          var group = snapshot.group(victim.beneficiary()).orElseThrow();
          var runs = Group.outside(group).runsSince(snapshot.now());
          var most = smallest(group, snapshot);
          assertThat(runs.plus(most)).isBeforeOrEqualTo(snapshot.now());
          var byDefault = Settings.of(seed).maxRuntimeWarning();
          if (!byDefault.isZero()) {
            var warned = group.spec().run().warned();
            assertThat(warned).isNotEqualTo(Instant.EPOCH);
            assertThat(warned.plus(victim.most().warningOr(byDefault)))
                .isBeforeOrEqualTo(snapshot.now());
          }
        }
      }
    }
  }

  /// Looked up by hand.
  private static Duration smallest(PodGroup group, Snapshot snapshot) {
    var all = new ArrayList<Duration>(List.of(group.spec().patience().maxRuntime()));
    var seen = new HashSet<QueueName>();
    for (var at = snapshot.queue(group.queue());
        at.isPresent() && seen.add(at.get().name());
        at = snapshot.queue(at.get().parent())) {
      all.add(at.get().maxRuntime());
    }
    return all.stream().filter(each -> !each.isZero()).min(Duration::compareTo).orElseThrow();
  }

  @Test
  void queuesEndGroupsInTheseWorlds() {
    long ended =
        LongStream.range(0, 500)
            .filter(seed ->
                Settings.planner(seed).plan(impatient(seed)).decisions().stream()
                    .flatMap(decision -> decision.victims().stream())
                    .anyMatch(victim -> !victim.most().queue().isNone()))
            .count();
    assertThat(ended).as("worlds in which the rule of a queue ends a group").isGreaterThan(25);
  }

  /// A rule that no group has reached changes nothing but when to look again.
  @ParameterizedTest
  @MethodSource("seeds")
  void aMaxRuntimeThatIsNotReachedChangesNothing(long seed) {
    var world = Worlds.random(seed).snapshot();
    var bounded = new ArrayList<Queue>();
    world.queues().forEach(queue -> bounded.add(bounded(queue)));
    var with =
        new Snapshot(
            world.version(),
            world.now(),
            world.nodes(),
            bounded,
            world.groups(),
            world.topologies());
    var planner = Settings.planner(seed);
    assertThat(planner.plan(with).decisions())
        .isEqualTo(planner.plan(at(world, world.now())).decisions());
  }

  private static Queue bounded(Queue queue) {
    return with(queue, queue.preemptMinRuntime(), queue.reclaimMinRuntime(), Duration.ofDays(3650));
  }

  @Test
  void theseWorldsAreChangedByTime() {
    long changed =
        LongStream.range(0, 500)
            .filter(seed -> {
              var snapshot = impatient(seed);
              var later = at(snapshot, Cluster.NOW.plus(LATER));
              var planner = Settings.planner(seed);
              return !planner.plan(snapshot).decisions().equals(planner.plan(later).decisions());
            })
            .count();
    assertThat(changed > 50).as(() -> "only " + changed + " of 500 worlds say anything").isTrue();
  }

  private static Snapshot impatient(long seed) {
    var world = Worlds.random(seed).snapshot();
    var random = new Random(seed);
    var queues = new ArrayList<Queue>();
    world.queues().forEach(queue -> queues.add(withMinRuntimes(queue, random)));
    var groups = new ArrayList<PodGroup>();
    world.groups().forEach(group -> groups.add(impatient(group, random)));
    return new Snapshot(
        world.version(), world.now(), world.nodes(), queues, groups, world.topologies());
  }

  private static Snapshot at(Snapshot world, Instant now) {
    return new Snapshot(
        world.version(), now, world.nodes(), world.queues(), world.groups(), world.topologies());
  }

  /// Pods of these worlds run for an hour.
  private static Queue withMinRuntimes(Queue queue, Random random) {
    return with(
        queue,
        random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(55 + random.nextInt(30)),
        random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(55 + random.nextInt(30)),
        random.nextInt(4) > 0 ? Duration.ZERO : Duration.ofMinutes(55 + random.nextInt(30)));
  }

  private static Queue with(
      Queue queue, Duration preemptMinRuntime, Duration reclaimMinRuntime, Duration maxRuntime) {
    return new Queue(
        queue.name(),
        queue.version(),
        queue.generation(),
        queue.created(),
        queue.parent(),
        queue.priority(),
        queue.quota(),
        queue.zeroQuota(),
        queue.limit(),
        queue.weight(),
        queue.pools(),
        preemptMinRuntime,
        reclaimMinRuntime,
        maxRuntime,
        queue.maxRuntimeWarning(),
        queue.idle(),
        queue.namespaces(),
        queue.problems());
  }

  private static Run warned(Run run, Random random) {
    var warned = Cluster.NOW.minus(Duration.ofMinutes(random.nextInt(20)));
    return new Run(
        run.since(),
        run.completed(),
        run.awaited(),
        random.nextInt(4) == 0 ? Instant.EPOCH : warned);
  }

  private static PodGroup impatient(PodGroup group, Random random) {
    var spec = group.spec();
    var delay = random.nextBoolean() ? Duration.ZERO : Duration.ofMinutes(random.nextInt(20));
    var most = random.nextInt(4) > 0 ? Duration.ZERO : Duration.ofMinutes(55 + random.nextInt(30));
    var expected = Duration.ofMinutes(group.members().size() % 3 * 40L);
    return new PodGroup(
        group.key(),
        new GroupSpec(
                spec.key(),
                spec.uid(),
                spec.version(),
                spec.created(),
                spec.queue(),
                spec.minMember(),
                spec.minSubGroup(),
                spec.subGroups(),
                spec.topology(),
                spec.priorityClass(),
                spec.preemptibility(),
                new Patience(delay, Duration.ZERO, expected, most),
                spec.staleSince(),
                spec.problems())
            .with(warned(spec.run(), random)),
        group.queue(),
        group.priority(),
        group.preemptibility(),
        group.preemptibilitySource(),
        group.created(),
        group.members(),
        group.single(),
        group.origin(),
        group.takesVictims(),
        group.standsFast(),
        group.resumed(),
        group.namespaceLabels(),
        group.namespaceTerminates());
  }
}
