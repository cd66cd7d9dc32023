package dev.berth.controllers.evictions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.UntouchedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.DisruptionBudget;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EvictionsTest {
  private static final String EIGHT =
      "containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '8'}}}]";

  private static final EvictionSettings SETTINGS =
      new EvictionSettings(
          1,
          2,
          Duration.ofSeconds(30),
          Duration.ofMinutes(5),
          Duration.ofSeconds(10),
          Duration.ofMinutes(1));

  private final World world = new World().node("n1", 8);
  private final EvictingPods pods = new EvictingPods();
  private final List<String> guarded = new ArrayList<>();
  private final InMemoryEvents events = new InMemoryEvents();
  private Placement place = Placement.on(new NodeName("n1")); // of the beneficiary
  private int news;
  private final EvictionRefusals refusals =
      new EvictionRefusals(world.ledger, SETTINGS.budgetTimeout(), () -> news++);
  private Evictions evictions = evictions(SETTINGS);

  @Test
  void noMoreAreAskedThanTheBudgetAllows() {
    for (String name : List.of("a", "b", "c", "d")) {
      running(name);
      evictions.take(List.of(victim(name)));
    }
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a", "b");
    seconds(1);
    assertThat(pods.evicted).containsExactly("a", "b", "c");
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b", "c", "d");
    assertThat(events.told).hasSize(4);
  }

  @Test
  void askedVictimIsLeftOut() {
    pods.failures.add(ClientException.Kind.NOT_NOW);
    running("a");
    evictions.take(List.of(victim("a"), victim("a")));
    seconds(0.1);
    evictions.take(List.of(victim("a")));
    seconds(0.5);
    assertThat(pods.evicted).containsExactly("a");
    seconds(5);
    assertThat(pods.evicted).containsExactly("a", "a");
    assertThat(events.told).as("once it has come to pass").hasSize(1);
  }

  @Test
  void anEvictionWhoseAnswerWasLostIsToldOnceItIsSeen() {
    pods.failures.add(ClientException.Kind.UNREACHABLE);
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(0.1);
    assertThat(events.told).as("nobody knows").isEmpty();
    leaving("a");
    seconds(60);
    assertThat(pods.evicted).containsExactly("a");
    assertThat(events.told).filteredOn(told -> told.contains("Evicted")).hasSize(1);
  }

  @Test
  void victimGoneAfterAnEvictionWithoutAnswerEmitsAnEvent() {
    pods.failures.add(ClientException.Kind.UNREACHABLE);
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(0.1);
    world.podGone("a");
    seconds(60);
    assertThat(events.told).hasSize(1);
  }

  /// An answer that is no is an answer.
  @Test
  void victimThatLeavesByItselfAfterARefusalEmitsNoEvent() {
    pods.failures.add(ClientException.Kind.NOT_NOW);
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(0.1);
    world.podGone("a");
    seconds(60);
    assertThat(events.told).isEmpty();
  }

  @Test
  void victimThatOwesItsRoomIsDeletedOnceItsBudgetHadItsTime() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.NOT_NOW);
    }
    running("a");
    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    seconds(29);
    assertThat(pods.stopped).as("the budget has its time").isEmpty();
    seconds(7);
    assertThat(pods.stopped).containsExactly("a after PT10S");
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith("uid-a EvictedAgainstBudget: Is deleted (max_runtime) though that was refused")
        .endsWith("and what it has is owed (reclaim.overrideBudgets).");
    seconds(300);
    assertThat(pods.stopped).as("once").hasSize(1);
  }

  @Test
  void aDeletionThatFailsComesAgain() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.NOT_NOW);
    }
    pods.stopFailures.add(ClientException.Kind.UNREACHABLE);
    running("a");
    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    seconds(60);
    assertThat(pods.stopped).containsExactly("a after PT10S", "a after PT10S");
    assertThat(events.told).hasSize(1);
  }

  /// A webhook that says no says so to a deletion as well.
  @Test
  void victimRefusedForAnythingButABudgetIsGivenUp() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.REFUSED);
    }
    running("a");
    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    seconds(60);
    assertThat(pods.stopped).isEmpty();
    assertThat(events.told).singleElement(STRING).startsWith("uid-a EvictionGivenUp");
  }

  @Test
  void aLongerGraceOfAVictimIsCutOnceItLeaves() {
    pods.stopFailures.add(ClientException.Kind.UNREACHABLE);
    running("a"); // 30 s of his own
    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    seconds(0.1);
    leaving("a");
    seconds(5);
    assertThat(pods.evicted).containsExactly("a");
    assertThat(pods.stopped).containsExactly("a after PT10S", "a after PT10S");
    seconds(300);
    assertThat(pods.stopped).hasSize(2);
  }

  /// A higher priority asked him, with the grace of a year that is his own; now he owes it.
  @Test
  void askedVictimThatRunsOnIsAskedAgainToEndSooner() {
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    world.pod(
        "a",
        "deletionTimestamp: '2027-01-01T00:00:00Z', deletionGracePeriodSeconds: 31536000",
        EIGHT + ", nodeName: 'n1', terminationGracePeriodSeconds: 31536000",
        "phase: 'Running'");
    evictions.take(List.of(victim("a")));
    seconds(1);
    assertThat(pods.stopped).isEmpty();

    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    evictions.take(List.of(against(Cause.MAX_RUNTIME)));
    seconds(1);

    assertThat(pods.stopped).containsExactly("a after PT10S");
  }

  @Test
  void aBudgetThatNeverGivesInOutlastsOurPatienceOnce() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.NOT_NOW);
    }
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(60);
    int asked = pods.evicted.size();
    assertThat(asked).isBetween(6, 12);
    seconds(200);
    evictions.take(List.of(victim("a"))); // the planner goes on to ask for it
    assertThat(pods.evicted).as("given up").hasSize(asked);
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith("uid-a EvictionGivenUp: Was to leave (max_runtime) and may not for 3")
        .contains(": a budget keeps a. It is not asked again before ");
    seconds(100);
    assertThat(pods.evicted).as("asked anew").hasSizeGreaterThan(asked);
  }

  @Test
  void victimThatMayNotLeaveCostsItsPreemptorThePlanAndIsNotChosenAgainForAWhile() {
    refusing();
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(20);
    assertThat(standing("heir")).isInstanceOf(Standing.Planned.class);
    assertThat(world.snapshot().budgets()).isEmpty();
    seconds(16);
    assertThat(standing("heir")).isInstanceOf(Standing.Waiting.class);
    assertThat(standing("a")).as("it stays").isInstanceOf(Standing.Bound.class);
    assertThat(world.snapshot().budgets()).as("nobody plans onto its room").hasSize(1);
    assertThat(events.told)
        .satisfiesExactly(
            note ->
                assertThat(note)
                    .startsWith("uid-a EvictionGivenUp: Was to leave for default/heir (reclaim) ")
                    .contains("a budget"),
            note ->
                assertThat(note)
                    .startsWith("uid-heir VictimStays: Pod default/a was to leave for it ")
                    .endsWith(" Another plan is made."));
    int asked = pods.evicted.size();
    seconds(290);
    assertThat(pods.evicted).as("asked for nobody").hasSize(asked);
    assertThat(world.snapshot().budgets()).isNotEmpty();
    seconds(15);
    assertThat(world.snapshot().budgets()).as("its time is over").isEmpty();
  }

  @Test
  void whyTheApiServerDoesNotEvictAPodIsKnownAsLongAsThatIsSo() {
    var uid = new PodUid("uid-a");
    budget("quorum", "a");
    pods.failures.add(ClientException.Kind.NOT_NOW);
    pods.failures.add(ClientException.Kind.NOT_NOW);
    pods.failures.add(ClientException.Kind.REFUSED);
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(0.1);
    assertThat(refusals.refusal(uid))
        .contains(
            new EvictionRefusals.Refusal(
                "a budget keeps a",
                "disruption budget default/quorum allowing a disruption, or time; another plan is"
                    + " made after 30s"));
    assertThat(news).isEqualTo(1);
    seconds(1.2);
    assertThat(pods.evicted).hasSize(2);
    assertThat(news).as("the same answer").isEqualTo(1);
    seconds(3);
    assertThat(refusals.refusal(uid).orElseThrow().wayOut())
        .startsWith("the webhook, policy or role that this answer names");
    seconds(10);
    assertThat(refusals.refusal(uid)).as("it leaves").isEmpty();
    assertThat(news).isEqualTo(3);
  }

  @Test
  void aVictimThatWillBeDeletedAgainstItsBudgetIsToldOfThat() {
    budget("quorum", "a");
    pods.failures.add(ClientException.Kind.NOT_NOW);
    running("a");
    beneficiaryWaits();
    var owed = planned().getFirst();
    evictions.take(
        List.of(
            new Victim(
                owed.uid(),
                owed.pod(),
                owed.cause(),
                owed.beneficiary(),
                owed.grace(),
                owed.again(),
                true,
                MaxRuntime.NONE)));
    seconds(0.1);
    assertThat(refusals.refusal(owed.uid()).orElseThrow().wayOut())
        .isEqualTo(
            "disruption budget default/quorum allowing a disruption, or time; what is owed is"
                + " taken: the pod is deleted against it after 30s");
  }

  /// An eviction is created, and nothing can be where a namespace is being deleted.
  @Test
  void aVictimInANamespaceThatIsBeingDeletedLeavesByItself() {
    pods.answer =
        "pods \"a\" is forbidden: unable to create new content in namespace default because it is"
            + " being terminated: ";
    pods.failures.add(ClientException.Kind.REFUSED);
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(0.1);
    assertThat(refusals.refusal(new PodUid("uid-a")).orElseThrow().wayOut())
        .isEqualTo(
            "nothing to do: namespace default is being deleted, and its pods leave with it; another"
                + " plan is made after 30s");
  }

  @Test
  void patienceDoesNotBeginAnewWithEveryPlan() {
    refusing();
    running("a");
    beneficiaryWaits();
    for (int i = 0; i < 3; i++) {
      var victims = planned();
      evictions.take(victims);
      seconds(11);
      world.ledger.expire(Instant.MAX);
      seconds(2);
    }
    assertThat(events.told).as("given up, though each plan lived for 11 s").hasSize(2);
  }

  @Test
  void victimAndBeneficiaryAreToldOfEachOther() {
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(0.1);
    assertThat(events.told)
        .containsExactly(
            "uid-a Evicted: Leaves for default/heir of queue default: the queue that gains takes"
                + " back what it is owed, and queue default, or one above it, has more than that"
                + " (reclaim).",
            "uid-heir RoomIsMade: Pod default/a of queue default leaves for it: the queue that"
                + " gains takes back what it is owed, and queue default, or one above it, has more"
                + " than that (reclaim).");
  }

  @Test
  void aVictimOfAHigherPriorityIsToldBoth() {
    running("a");
    beneficiaryWaits();
    var planned = planned().getFirst();
    evictions.take(
        List.of(
            new Victim(
                planned.uid(),
                planned.pod(),
                Cause.PREEMPT,
                planned.beneficiary(),
                planned.grace(),
                planned.again())));
    seconds(0.1);
    assertThat(events.told.getFirst())
        .startsWith("uid-a Evicted: Leaves for default/heir of queue default: ")
        .contains("its priority is higher, ")
        .contains(" against ");
  }

  @Test
  void askedVictimIsNotAskedAgainThoughTheWatchIsSlow() {
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    evictions.take(List.of(victim("a")));
    seconds(30);
    assertThat(pods.evicted).containsExactly("a");
    seconds(11);
    evictions.take(List.of(victim("a")));
    seconds(1);
    assertThat(pods.evicted).as("the API server forgot it").containsExactly("a", "a");
  }

  @Test
  void victimThatDoesNotLeaveEmitsOneEvent() {
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(1);
    leaving("a");
    seconds(38);
    assertThat(events.told).as("its grace, and some slack").hasSize(2);
    seconds(300);
    assertThat(pods.evicted).as("more asking does not help").containsExactly("a");
    assertThat(events.told)
        .hasSize(4)
        .endsWith(
            "uid-a StillTerminating: It was asked to leave 40s ago, had 30s to do so, and is there"
                + " still: its containers do not end, or a finalizer of it is not taken away. Look"
                + " at metadata.finalizers and at the kubelet of node n1.",
            "uid-heir VictimIsThereStill: Pod default/a leaves for it, was asked to leave 40s ago,"
                + " had 30s to do so, and is there still: its containers do not end, or a finalizer"
                + " of it is not taken away. Look at metadata.finalizers and at the kubelet of node"
                + " n1.");
  }

  @Test
  void aDeadNodeIsNamedAsTheCause() {
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    leaving("a");
    world.nodeGone("n1");
    seconds(60);
    assertThat(events.told)
        .hasSize(2)
        .last(STRING)
        .contains("and is there still: node n1 is not ready or gone, so no kubelet ends");
  }

  @Test
  void victimThatLeavesInTimeEmitsNoMoreEvents() {
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    leaving("a");
    seconds(20);
    world.podGone("a");
    seconds(300);
    assertThat(events.told).hasSize(1);
  }

  @Test
  void goneVictimIsForgotten() {
    pods.failures.add(ClientException.Kind.GONE);
    running("a");
    evictions.take(List.of(victim("a"), victim("never-seen")));
    seconds(60);
    assertThat(pods.evicted).containsExactly("a");
    evictions.take(List.of(victim("a")));
    seconds(1);
    assertThat(pods.evicted).as("asked, were it still there").containsExactly("a", "a");
  }

  @Test
  void aStaleWatchEvictsNoPod() {
    world.fresh = false;
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(10);
    assertThat(pods.evicted).isEmpty();
    world.fresh = true;
    seconds(1);
    assertThat(pods.evicted).containsExactly("a");
  }

  @Test
  void victimOfALapsedPlanIsSpared() {
    running("a");
    evictions.take(List.of(victim("a", Cause.PREEMPT)));
    seconds(60);
    assertThat(pods.evicted).as("no plan counts on it").isEmpty();
  }

  /// `a`, of a stale gang, was not let go of at once, and is then chosen for a plan.
  private void staleAndThenToLeaveForAPlan() {
    refusing();
    gangOfTwo();
    member("a", "nodeName: 'n1'", "phase: 'Running'");
    beneficiaryWaits();
    evictions.take(List.of(victim("a", Cause.STALE)));
    seconds(0.1);
    evictions.take(planned());
  }

  @Test
  void victimChosenForAnotherReasonBeforeItIsAskedLeavesForThatOne() {
    staleAndThenToLeaveForAPlan();
    pods.failures.clear();
    seconds(5);
    assertThat(pods.evicted).containsExactly("a", "a");
    assertThat(events.told)
        .as("both are told of each other")
        .satisfiesExactly(
            note -> assertThat(note).contains("Leaves for default/heir of queue"),
            note -> assertThat(note).startsWith("uid-heir RoomIsMade"));
  }

  /// The gang's grace begins anew: it did not count while he was to leave for the plan.
  @Test
  void staleVictimOfALaterPlanIsSparedWhenThatPlanEnds() {
    staleAndThenToLeaveForAPlan();
    world.ledger.expire(Instant.MAX);
    seconds(60);
    assertThat(pods.evicted).as("asked before the plan alone").containsExactly("a");
    evictions.take(List.of(victim("a", Cause.STALE)));
    seconds(0.1);
    assertThat(pods.evicted).as("stale again").containsExactly("a", "a");
  }

  @Test
  void noPodIsAskedToLeaveAGangThatIsStaleNoMore() {
    refusing();
    gangOfTwo();
    member("a", "nodeName: 'n1'", "phase: 'Running'");
    member("b", "", "phase: 'Pending'");
    evictions.take(List.of(victim("a", Cause.STALE)));
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a");
    member("b", "nodeName: 'n2'", "phase: 'Running'");
    pods.failures.clear();
    seconds(60);
    assertThat(pods.evicted).as("asked once its gang was whole").containsExactly("a");
  }

  /// The planner names it again once the ledger does not spare it any more: it is asked then, not
  /// only when that would have ended by itself.
  @Test
  void aMemberOfAStaleGangIsAskedAgainOnceItsBudgetIsGone() {
    refusing();
    gangOfTwo();
    budget("guard", "a");
    member("a", "nodeName: 'n1'", "phase: 'Running'");
    evictions.take(List.of(victim("a", Cause.STALE)));
    seconds(40);
    int asked = pods.evicted.size();
    seconds(10);
    assertThat(pods.evicted).as("given up").hasSize(asked);
    world.ledger.record(new Fact.BudgetGone(new DisruptionBudget.Key("default", "guard"), 2));
    pods.failures.clear();
    evictions.take(List.of(victim("a", Cause.STALE)));
    seconds(1);
    assertThat(pods.evicted).as("asked again").hasSize(asked + 1);
  }

  /// The planner names it in every cycle.
  @Test
  void aPodBeyondItsMaxRuntimeIsAskedAgainOnceItsBudgetIsGone() {
    refusing();
    budget("guard", "a");
    running("a");
    evictions.take(List.of(victim("a")));
    seconds(40);
    int asked = pods.evicted.size();
    seconds(100);
    assertThat(pods.evicted).as("given up").hasSize(asked);
    world.ledger.record(new Fact.BudgetGone(new DisruptionBudget.Key("default", "guard"), 2));
    pods.failures.clear();
    seconds(61);
    assertThat(pods.evicted).as("asked again").hasSize(asked + 1);
  }

  /// Of a gang of two one member was evicted for a plan, which is made again without the other.
  private void gangIsBegun() {
    beneficiaryWaits();
    gangIsBegun(List.of(victim("a", Cause.RECLAIM), victim("b", Cause.RECLAIM)));
    pods.failures.clear();
  }

  /// And the API server refuses to evict the other.
  private void gangIsBegun(List<Victim> both) {
    gangIsToLeave(both);
    evictions.take(both.subList(0, 1));
    seconds(0.1);
    refusing();
    evictions.take(both.subList(1, 2));
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a", "b");
    planIsMadeAgain();
  }

  private void gangIsToLeave(List<Victim> both) {
    member("a", "nodeName: 'n1'", "phase: 'Running'");
    member("b", "nodeName: 'n2'", "phase: 'Running'");
    plan(both);
  }

  /// While the first leaves, and without the other.
  private void planIsMadeAgain() {
    world.pod(
        "a",
        "labels: {'berth.dev/pod-group': 'gang'}, deletionTimestamp: '2026-01-01T00:00:00Z'",
        EIGHT + ", nodeName: 'n1'",
        "phase: 'Running'");
    world.ledger.expire(Instant.MAX);
    plan(List.of());
  }

  @Test
  void whatIsLeftOfAGangThatHasBegunToLeaveLeavesWithIt() {
    gangOfTwo();
    gangIsBegun();
    seconds(5);
    assertThat(pods.evicted).containsExactly("a", "b", "b");
  }

  @Test
  void whatIsLeftOfAGangStaysOnceTheGroupForWhichItLeftHasNoPlan() {
    gangOfTwo();
    gangIsBegun();
    giveBack("heir");
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b");
  }

  @Test
  void podWhoseGangIsWholeWithoutVictimsOfAPlanIsSparedWhenItEnds() {
    world.node("n2", 8).group("gang", 1, "");
    gangIsBegun();
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b");
  }

  /// The plan that might override its budget is made again without it.
  @Test
  void whatIsLeftOfAGangIsNotDeletedAgainstItsBudget() {
    gangOfTwo();
    beneficiaryWaits();
    var both = List.of(victim("a", Cause.RECLAIM), against("b", Cause.RECLAIM));
    gangIsToLeave(both);
    refusing();
    evictions.take(both.subList(1, 2));
    seconds(20);
    pods.failures.clear();
    evictions.take(both.subList(0, 1));
    seconds(0.1);
    assertThat(pods.evicted).endsWith("b", "a");
    refusing();
    planIsMadeAgain();
    int asked = pods.evicted.size();
    seconds(9);
    assertThat(pods.evicted).as("asked as long as its budget has time").hasSizeGreaterThan(asked);
    seconds(60);
    assertThat(pods.stopped).isEmpty();
    assertThat(events.told).anyMatch(told -> told.startsWith("uid-b EvictionGivenUp"));
  }

  /// One that waits for a device holder, say, takes no room from what is left.
  @Test
  void whatIsLeftOfAGangStaysWhereTheNextPlanIsOnFreeRoom() {
    gangOfTwo();
    world.node("n3", 8);
    world.pod(
        "heir",
        "annotations: {'gpu-fraction': '0.3'}",
        "schedulingGates: [{name: 'berth.dev/queued'}]",
        "phase: 'Pending'");
    place = new Placement(new NodeName("n1"), List.of(0), 300);
    gangIsBegun(List.of(victim("a", Cause.RECLAIM), victim("b", Cause.RECLAIM)));
    world.ledger.expire(Instant.MAX);
    place = new Placement(new NodeName("n3"), List.of(0), 300);
    plan(List.of());
    pods.failures.clear();
    assertThat(world.ledger.isClear(new PodUid("uid-heir"))).as("its GPU is held").isFalse();
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b");
  }

  @Test
  void whatIsLeftOfAGangThatMayRunBelowItsMinimumForEverStays() {
    world
        .node("n2", 8)
        .seen(
            Watcher.Kind.POD_GROUP,
            "{metadata: {name: 'gang', namespace: 'default', uid: 'uid-gang'},"
                + " spec: {minMember: 2, stalenessGracePeriod: '-1s'}}");
    gangIsBegun();
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b");
  }

  @Test
  void whatIsLeftOfAGangStaysWhereGangsThatSayNothingMayRunBelowTheirMinimumForEver() {
    evictions =
        evictions(
            new EvictionSettings(
                SETTINGS.perSecond(),
                SETTINGS.burst(),
                SETTINGS.budgetTimeout(),
                SETTINGS.blockedCooldown(),
                SETTINGS.graceMargin(),
                Duration.ofSeconds(-1)));
    gangOfTwo();
    gangIsBegun();
    seconds(60);
    assertThat(pods.evicted).containsExactly("a", "b");
  }

  private Evictions evictions(EvictionSettings settings) {
    return new Evictions(
        world.ledger,
        pods,
        new EvictionReports(new EvictionEvents(world.ledger, events), refusals),
        world,
        world.workers,
        settings);
  }

  private void gangOfTwo() {
    world.node("n2", 8).group("gang", 2, "");
  }

  private void member(String name, String spec, String status) {
    String bound = spec.isEmpty() ? "" : ", " + spec;
    String app = guarded.contains(name) ? ", app: 'guarded'" : "";
    world.pod(name, "labels: {'berth.dev/pod-group': 'gang'" + app + "}", EIGHT + bound, status);
  }

  /// kube-apiserver lets those wait for half a second that come at once.
  @Test
  void thoseUnderOneBudgetAreAskedOneAfterTheOther() {
    budget("guard", "a-1", "a-2", "a-3");
    var all = List.of("a-1", "a-2", "a-3", "free");
    all.forEach(this::running);
    var many = new EvictingPods();
    var unhurried =
        new Evictions(
            world.ledger,
            many,
            new EvictionReports(
                new EvictionEvents(world.ledger, events),
                new EvictionRefusals(
                    world.ledger, EvictionSettings.DEFAULT.budgetTimeout(), () -> {})),
            world,
            world.workers,
            EvictionSettings.DEFAULT);
    many.whileAsking =
        () -> {
          many.whileAsking = () -> {};
          all.forEach(name -> unhurried.take(List.of(victim(name))));
          seconds(0.2);
          assertThat(many.evicted)
              .as("while the first is under way")
              .containsExactly("a-1", "free");
        };
    unhurried.take(List.of(victim("a-1")));
    seconds(0.3);
    assertThat(many.evicted).containsExactly("a-1", "free", "a-2", "a-3");
  }

  @Test
  void victimThatWaitsForItsTurnHasItWhenTheOneBeforeMayNotLeave() {
    budget("guard", "a-1", "a-2");
    running("a-1");
    running("a-2");
    pods.failures.add(ClientException.Kind.NOT_NOW);
    evictions.take(List.of(victim("a-1"), victim("a-2")));
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a-1", "a-2");
  }

  private void refusing() {
    for (int i = 0; i < 100; i++) {
      pods.failures.add(ClientException.Kind.NOT_NOW);
    }
  }

  @Test
  void thePreemptorIsMarkedBeforeTheFirstEviction() {
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(1);
    assertThat(pods.marks).containsExactly("heir on after 0");
    assertThat(pods.evicted).containsExactly("a");
    evictions.planned();
    seconds(1);
    assertThat(pods.marks).as("its plan stands").hasSize(1);
  }

  @Test
  void noEvictionIsRequestedBeforeTheMarkIsAnswered() {
    pods.markFailures.add(ClientException.Kind.UNREACHABLE);
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(0.1);
    assertThat(pods.evicted).isEmpty();
    seconds(5);
    assertThat(pods.marks).containsExactly("heir on after 0", "heir on after 0");
    assertThat(pods.evicted).containsExactly("a");
  }

  @Test
  void aPodThatCannotBeMarkedDoesNotStopEvictions() {
    pods.markFailures.add(ClientException.Kind.REFUSED);
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(0.1);
    assertThat(pods.evicted).containsExactly("a");
    assertThat(pods.marks).as("tried once").hasSize(1);
  }

  @Test
  void noAnswerToTheMarkDelaysEvictionsForAWhileOnly() {
    for (int i = 0; i < 10; i++) {
      pods.markFailures.add(ClientException.Kind.UNREACHABLE);
    }
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(20);
    assertThat(pods.marks).hasSize(3);
    assertThat(pods.evicted).containsExactly("a");
  }

  @Test
  void theMarkIsTakenOffWhenThePlanEnds() {
    pods.markFailures.add(ClientException.Kind.NOT_NOW); // the first try
    running("a");
    beneficiaryWaits();
    evictions.take(planned());
    seconds(5);
    pods.markFailures.add(ClientException.Kind.UNREACHABLE); // the first removal
    giveBack("heir");
    evictions.planned();
    seconds(5);
    assertThat(pods.marks)
        .containsExactly(
            "heir on after 0", "heir on after 0", "heir off after 1", "heir off after 1");
    evictions.planned();
    seconds(5);
    assertThat(pods.marks).hasSize(4);
  }

  @Test
  void aMarkOfTheLeaderBeforeIsTakenOffOnceItsGroupIsNotResumed() {
    Instant end = world.workers.time().instant().plusSeconds(60);
    marked("heir");
    world.ledger.resumePreemptors(end);
    evictions.planned();
    seconds(5);
    assertThat(pods.marks).isEmpty();
    world.ledger.expire(end);
    evictions.planned();
    seconds(5);
    assertThat(pods.marks).containsExactly("heir off after 0");
  }

  private void giveBack(String name) {
    var planned = (Standing.Planned) standing(name);
    world.ledger.forget(new PodUid("uid-" + name), planned.plan());
  }

  private void marked(String name) {
    world.pod(
        name,
        "annotations: {'berth.dev/preemptor': 'uid-%s'}".formatted(name),
        EIGHT + ", schedulingGates: [{name: 'berth.dev/queued'}]",
        "phase: 'Pending'");
    evictions.marked(world.ledger.pod(new PodUid("uid-" + name)).orElseThrow());
  }

  private void beneficiaryWaits() {
    world.pod(
        "heir", "", EIGHT + ", schedulingGates: [{name: 'berth.dev/queued'}]", "phase: 'Pending'");
  }

  /// A plan for the beneficiary, onto the room of `a`.
  private List<Victim> planned() {
    return plan(List.of(victim("a", Cause.RECLAIM)));
  }

  private List<Victim> plan(List<Victim> victims) {
    var beneficiary = new PodUid("uid-heir");
    var member = new Decision.Reserved(beneficiary, new PodKey("default", "heir"), place);
    var group = new GroupKey("default", "heir");
    var reserve = new Decision.Reserve(group, List.of(member), List.of(), victims);
    var until = world.workers.time().instant().plus(Duration.ofMinutes(1));
    assertThat(world.ledger.assume(reserve, until)).as("the plan").isPresent();
    return victims;
  }

  private Standing standing(String name) {
    return world.ledger.standing(new PodUid("uid-" + name)).orElseThrow();
  }

  private void budget(String name, String... pods) {
    var covered =
        new LabelSelector(
            List.of(
                new LabelSelector.Requirement(
                    "app", LabelSelector.Operator.IN, List.of("guarded"))));
    world.ledger.record(
        new Fact.BudgetSeen(
            new DisruptionBudget(
                new DisruptionBudget.Key("default", name), 1, covered, false, pods.length)));
    guarded.addAll(List.of(pods));
  }

  private void leaving(String name) {
    world.pod(
        name,
        "deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30",
        EIGHT + ", nodeName: 'n1'",
        "phase: 'Running'");
  }

  private void running(String name) {
    String labels = guarded.contains(name) ? "labels: {app: 'guarded'}" : "";
    world.pod(name, labels, EIGHT + ", nodeName: 'n1'", "phase: 'Running'");
  }

  private static Victim victim(String name) {
    return victim(name, Cause.MAX_RUNTIME);
  }

  private static Victim victim(String name, Cause cause) {
    return new Victim(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        cause,
        new GroupKey("default", "heir"));
  }

  /// What he has is owed to another queue, and he is to be gone within ten seconds.
  private static Victim against(Cause cause) {
    return against("a", cause);
  }

  private static Victim against(String name, Cause cause) {
    return new Victim(
        new PodUid("uid-" + name),
        new PodKey("default", name),
        cause,
        new GroupKey("default", "heir"),
        Duration.ofSeconds(10),
        Placement.NONE,
        true,
        MaxRuntime.NONE);
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }

  private static final class EvictingPods extends UntouchedPods {
    final List<String> evicted = new ArrayList<>();
    final List<String> stopped = new ArrayList<>();
    final List<String> marks = new ArrayList<>(); // and how many were evicted before
    String answer = "a budget keeps ";
    final ArrayDeque<ClientException.Kind> failures = new ArrayDeque<>();
    final ArrayDeque<ClientException.Kind> stopFailures = new ArrayDeque<>();
    final ArrayDeque<ClientException.Kind> markFailures = new ArrayDeque<>();
    Runnable whileMarking = () -> {};
    Runnable whileAsking = () -> {};

    @Override
    public void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException {
      marks.add(pod.name() + (isPreemptor ? " on" : " off") + " after " + evicted.size());
      whileMarking.run();
      if (!markFailures.isEmpty()) {
        throw new ClientException(markFailures.remove(), "the test");
      }
    }

    @Override
    public void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException {
      stopped.add(pod.name() + " after " + grace);
      if (!stopFailures.isEmpty()) {
        throw new ClientException(stopFailures.remove(), "the test");
      }
    }

    @Override
    public void evict(PodKey pod, PodUid uid) throws ClientException {
      evicted.add(pod.name());
      whileAsking.run();
      if (!failures.isEmpty()) {
        throw new ClientException(failures.remove(), answer + pod.name());
      }
    }
  }
}
