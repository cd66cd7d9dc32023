package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.engine.SearchEffort;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.ClaimKey;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Usage;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

final class CycleTest {
  private static final GroupKey TRAIN = new GroupKey("default", "train");

  private final World world = new World().node("n1", 8);
  private final Instant start = world.workers.time().instant();
  private final TreeSet<GroupKey> stale = new TreeSet<>();
  private final List<SortedMap<GroupKey, Instant>> since = new ArrayList<>();
  private final List<SortedMap<GroupKey, RuntimeEnd>> endings = new ArrayList<>();
  private final List<Instant> planned = new ArrayList<>();
  private final List<SearchEffort> efforts = new ArrayList<>();
  private final ArrayDeque<Runnable> changes = new ArrayDeque<>(); // one in each slice
  private int slices; // that a search still takes
  private Duration sliceTime = Duration.ZERO;
  private List<Withdrawn> excess = List.of();
  private Instant nextLook = Instant.MAX;
  private boolean fails;
  private final CycleLoop cycle =
      new CycleLoop(
          new Cycle(
              world.ledger,
              new StalePolicy(),
              new IgnoredDecisions(),
              new Listener(),
              world.workers.time(),
              CycleSettings.DEFAULT),
          world,
          world.workers,
          CycleSettings.DEFAULT);

  @Test
  void aGraceThatRanBeforeTheStartGoesOn() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.minusSeconds(30)));
    stale.add(TRAIN);
    begin();
    assertThat(since.getLast()).containsEntry(TRAIN, start.minusSeconds(30));
    seconds(5);
    assertThat(since.getLast()).containsEntry(TRAIN, start.minusSeconds(30));
  }

  @Test
  void aGroupThatFallsLaterHasItsWholeGrace() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.minusSeconds(30)));
    begin();
    seconds(5);
    stale.add(TRAIN);
    world.group("train", 3, "staleSince: '%s'".formatted(start.minusSeconds(30)));
    seconds(1);
    assertThat(since.getLast().getOrDefault(TRAIN, Instant.EPOCH))
        .isAfterOrEqualTo(start.plusSeconds(5));
  }

  @Test
  void aTimeToComeOrNoTimeAtAllBeginsTheGraceNow() {
    world.group("train", 2, "staleSince: '%s'".formatted(start.plusSeconds(3600)));
    world.group("other", 2, "staleSince: 'yesterday'");
    stale.add(TRAIN);
    stale.add(new GroupKey("default", "other"));
    begin();
    assertThat(since.getFirst().values())
        .hasSize(2)
        .allSatisfy(when -> assertThat(when).isBetween(start, start.plusSeconds(1)));
  }

  @Test
  void aCycleComesByItselfWhenTimeAloneChangesSomething() {
    waitingPod();
    nextLook = start.plusSeconds(300);
    begin();
    int before = planned.size();
    seconds(290);
    assertThat(planned).as("nothing changed, nothing is due").hasSize(before);
    nextLook = Instant.MAX;
    seconds(10);
    assertThat(planned).hasSize(before + 1);
    assertThat(planned.getLast()).isBetween(start.plusSeconds(300), start.plusSeconds(301));
    seconds(300);
    assertThat(planned).as("looked once").hasSize(before + 1);
  }

  @Test
  void aPlannerThatComesToNoEndShowsInItsAge() {
    waitingPod();
    assertThat(cycle.age()).as("not started").isEmpty();
    begin();
    seconds(600);
    assertThat(cycle.age().orElseThrow())
        .as("nothing is to plan, and it looks")
        .isLessThan(Duration.ofSeconds(2));
    fails = true;
    world.pod("more", "", "schedulingGates: [{name: 'berth.dev/queued'}]", "");
    seconds(90);
    assertThat(cycle.age().orElseThrow()).isBetween(Duration.ofSeconds(89), Duration.ofSeconds(92));
    fails = false;
    seconds(2);
    assertThat(cycle.age().orElseThrow()).isLessThan(Duration.ofSeconds(2));
  }

  private void night(String conditions) {
    world.pod(
        "night",
        "annotations: {'berth.dev/max-runtime': '10m'}",
        "nodeName: 'n1'",
        "phase: 'Running', startTime: '%s'%s".formatted(start, conditions));
  }

  @Test
  void theEndOfAMaxRuntimeAndItsWarningArePlannedThoughNoPodWaits() {
    night("");
    begin();
    assertThat(planned).as("nobody waits").isEmpty();
    nextLook = Instant.MAX;
    seconds(400);
    assertThat(planned).as("when it is to be warned").hasSize(1);
    assertThat(planned.getFirst()).isBetween(start.plusSeconds(300), start.plusSeconds(301));
    assertThat(endings.getLast().firstKey()).isEqualTo(new GroupKey("default", "night"));
    night(
        ", conditions: [{type: 'berth.dev/EndsSoon', status: 'True', lastTransitionTime: '%s'}]"
            .formatted(start.plusSeconds(330)));
    seconds(300);
    assertThat(planned).as("half a minute late, as it was warned late").hasSize(2);
    assertThat(planned.getLast()).isBetween(start.plusSeconds(630), start.plusSeconds(631));
  }

  @Test
  void aPlanBeyondWhatItsQueueMayHaveIsGivenBackWhenTheProcessBegins() {
    var plan = new WrittenPlan(Placement.on(new NodeName("n1")), "", 1, start.plusSeconds(600));
    var uid = new PodUid("uid-late");
    world.pod("late", "annotations: {'berth.dev/plan': '%s'}".formatted(plan.text()), "", "");
    assertThat(world.ledger.standing(uid).orElseThrow()).isInstanceOf(Standing.Planned.class);
    excess = List.of(new Withdrawn(uid, new PodKey("default", "late"), plan));
    begin();
    assertThat(world.ledger.standing(uid).orElseThrow()).isInstanceOf(Standing.Waiting.class);
  }

  /// More may be allocated than its plan was charged.
  @Test
  void queuesAreAskedAgainWhenAClaimIsAllocated() {
    begin();
    var plan = new WrittenPlan(Placement.on(new NodeName("n1")), "", 1, start.plusSeconds(600));
    var uid = new PodUid("uid-late");
    world.pod("late", "annotations: {'berth.dev/plan': '%s'}".formatted(plan.text()), "", "");
    excess = List.of(new Withdrawn(uid, new PodKey("default", "late"), plan));
    seconds(5);
    assertThat(world.ledger.standing(uid).orElseThrow()).isInstanceOf(Standing.Planned.class);
    var gpu = new DeviceClaim.DeviceId("gpu.nvidia.com", "n1", "gpu-0");
    var allocation =
        new DeviceClaim.Allocation(new NodeName("n1"), List.of(DeviceClaim.Result.whole(gpu)));
    var key = new ClaimKey("default", "c");
    world.ledger.record(
        new Fact.ClaimSeen(new DeviceClaim(key, 7, QueueName.NONE, List.of(), allocation)));
    seconds(5);
    assertThat(world.ledger.standing(uid).orElseThrow()).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void aPreemptorOfTheLeaderBeforeIsResumedUntilTheDeadlineOfPlans() {
    String mark = "annotations: {'berth.dev/preemptor': 'uid-p'}";
    String gated = "schedulingGates: [{name: 'berth.dev/queued'}]";
    world.pod("p", mark, gated, "");
    begin();
    world.pod("q", mark.replace("uid-p", "uid-q"), gated, "");
    seconds(5);
    assertThat(isResumed("p")).as("p is resumed").isTrue();
    assertThat(isResumed("q")).as("it came later").isFalse();
    seconds(60);
    assertThat(isResumed("p")).as("p is resumed").isFalse();
  }

  private boolean isResumed(String pod) {
    return world.ledger.groupOf(new PodUid("uid-" + pod)).orElseThrow().resumed();
  }

  @Test
  void aSearchGoesOnInSlicesUntilItEnds() {
    waitingPod();
    slices = 3;
    begin();
    assertThat(efforts)
        .containsExactly(
            SearchEffort.AT_ONCE, SearchEffort.A_SLICE, SearchEffort.A_SLICE, SearchEffort.A_SLICE);
    seconds(5);
    assertThat(efforts).as("nothing changed, and nothing is searched").hasSize(4);
  }

  @Test
  void aChangeDropsTheSliceAndIsPlannedBeforeTheNextOne() {
    waitingPod();
    slices = 2;
    changes.add(this::otherPod);
    begin();
    assertThat(efforts)
        .containsExactly(
            SearchEffort.AT_ONCE,
            SearchEffort.A_SLICE,
            SearchEffort.AT_ONCE,
            SearchEffort.A_SLICE,
            SearchEffort.A_SLICE);
  }

  @Test
  void afterFourDroppedSlicesOneComesToItsEndWhateverChanges() {
    waitingPod();
    slices = 1;
    for (int i = 0; i < 5; i++) {
      changes.add(this::otherPod);
    }
    begin();
    assertThat(efforts.stream().filter(SearchEffort.A_SLICE::equals)).hasSize(5);
    assertThat(slices).isZero();
    assertThat(efforts.getLast()).as("the last change").isEqualTo(SearchEffort.AT_ONCE);
  }

  @Test
  void searchesUseAFifthOfACore() {
    waitingPod();
    slices = 1_000;
    sliceTime = Duration.ofMillis(20);
    begin();
    efforts.clear();
    seconds(10);
    assertThat(efforts.stream().filter(SearchEffort.A_SLICE::equals).count()).isBetween(90L, 100L);
  }

  @Test
  void aChangeAfterAQuietTimeIsPlannedSoonAndAStreamOfChangesTogether() {
    waitingPod();
    begin();
    world.workers.turn(Duration.ofMillis(500)); // between two heartbeats
    planned.clear();
    var quiet = world.workers.time().instant();
    for (int i = 1; i <= 18; i++) {
      world.pod("train-" + i, "", "schedulingGates: [{name: 'berth.dev/queued'}]", "");
      world.workers.turn(Duration.ofMillis(1));
    }
    assertThat(planned)
        .containsExactly(
            quiet.plusNanos(2_500_000),
            quiet.plusNanos(7_500_000),
            quiet.plusNanos(12_500_000),
            quiet.plusNanos(17_500_000));
  }

  private void waitingPod() {
    world.pod("train-0", "", "schedulingGates: [{name: 'berth.dev/queued'}]", "phase: 'Pending'");
  }

  private void otherPod() {
    world.pod("other-" + changes.size(), "", "schedulingGates: [{name: 'berth.dev/queued'}]", "");
  }

  private void begin() {
    world.changed.add(cycle::changed);
    cycle.start();
    seconds(1);
  }

  private void seconds(int seconds) {
    world.workers.turn(Duration.ofSeconds(seconds));
  }

  private final class StalePolicy implements Cycle.PlanningPolicy {
    @Override
    public Optional<Plan> plan(
        BooleanSupplier due,
        Snapshot snapshot,
        SortedMap<GroupKey, Instant> staleSince,
        SearchEffort effort) {
      if (fails) {
        throw new IllegalStateException("as the test wants it");
      }
      planned.add(snapshot.now());
      efforts.add(effort);
      if (effort == SearchEffort.A_SLICE) {
        world.workers.takes(sliceTime);
        Optional.ofNullable(changes.poll()).ifPresent(Runnable::run);
      }
      if (due.getAsBoolean()) {
        return Optional.empty();
      }
      slices -= effort == SearchEffort.A_SLICE ? 1 : 0;
      return Optional.of(
          new Plan(
              snapshot.version(),
              snapshot.now(),
              List.of(),
              nextLook,
              slices > 0,
              0,
              new TreeSet<>()));
    }

    @Override
    public boolean isStale(PodGroup group) {
      return stale.contains(group.key());
    }

    @Override
    public List<Withdrawn> excess(Snapshot snapshot) {
      return excess;
    }

    @Override
    public Accounts accounts(Snapshot snapshot) {
      return Accounts.NONE;
    }
  }

  private final class Listener implements Cycle.CycleListener {
    @Override
    public void planned(CycleOutcome outcome) {
      since.add(outcome.staleSince());
      endings.add(outcome.endings());
    }

    @Override
    public void kept(Accounts accounts, Usage usage) {}
  }
}
