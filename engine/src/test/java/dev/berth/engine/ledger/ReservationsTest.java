package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.SOON;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.notReady;
import static dev.berth.engine.ledger.Sketch.plan;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.share;
import static dev.berth.engine.ledger.Sketch.slots;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.ledger.view.SlotKey;
import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import dev.berth.engine.request.Flow;
import dev.berth.engine.request.QueueManifest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Plans: assumed, clear, lapsed, given back.
class ReservationsTest {
  private final Told told = new Told();

  @Test
  void aPlanTakesRoomUntilItIsForgotten() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(8));
    told.sees(pod("q").gpus(1));
    var plan = told.assumed("p", Placement.on(at("a")));
    assertThat(told.standing("p")).isEqualTo(new Standing.Planned(plan, false));
    assertThat(told.ledger.assume(Told.alone("q", Placement.on(at("a"))), SOON)).isEmpty();
    assertThat(told.ledger.forget(uid("p"), plan(Placement.on(at("b")), SOON)))
        .as("another plan is forgotten")
        .isFalse();
    assertThat(told.ledger.forget(uid("p"), plan)).as("forgotten").isTrue();
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(told.ledger.assume(Told.alone("q", Placement.on(at("a"))), SOON)).isPresent();
  }

  @Test
  void aBlockIsAssumedWholeOrNotAtAll() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(3));
    told.sees(pod("q").gpus(2));
    var tooMuch =
        new Decision.Reserve(
            new GroupKey("default", "g"),
            List.of(Told.place("p", Placement.on(at("a"))), Told.place("q", Placement.on(at("a")))),
            List.of(),
            List.of());
    long version = told.ledger.version();
    var before = told.snapshot();
    assertThat(told.ledger.assume(tooMuch, SOON)).isEmpty();
    assertThat(told.ledger.version()).isEqualTo(version);
    assertThat(told.snapshot().nodes()).isSameAs(before.nodes());
    assertThat(told.snapshot().groups()).isSameAs(before.groups());
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void membersOfABlockBearOneNameAndTheSurplusNone() {
    told.nodes(4, "a");
    for (String name : List.of("p", "q", "r")) {
      told.sees(pod(name).gpus(1));
    }
    var assumed =
        told.ledger
            .assume(
                new Decision.Reserve(
                    new GroupKey("default", "g"),
                    List.of(
                        Told.place("p", Placement.on(at("a"))),
                        Told.place("q", Placement.on(at("a")))),
                    List.of(Told.place("r", Placement.on(at("a")))),
                    List.of()),
                SOON)
            .orElseThrow();
    assertThat(assumed).extracting(one -> one.plan().size()).containsExactly(2, 2, 1);
    assertThat(assumed.get(0).plan().gang()).isNotEmpty().isEqualTo(assumed.get(1).plan().gang());
    assertThat(assumed.get(2).plan().gang()).isEmpty();
    assertThat(WrittenPlan.parse(assumed.get(0).plan().text())).contains(assumed.get(0).plan());
  }

  @Test
  void aDeviceIsNeverSharedBeyondItself() {
    told.nodes(1, "a");
    told.sees(pod("p").share(share(600)));
    told.sees(pod("q").share(share(500)));
    told.sees(pod("r").share(share(400)));
    told.assumed("p", slots("a", 600, 0));
    assertThat(told.ledger.assume(Told.alone("q", slots("a", 500, 0)), SOON)).isEmpty();
    assertThat(told.ledger.assume(Told.alone("q", slots("a", 500, 1)), SOON))
        .as("no such device")
        .isEmpty();
    assertThat(told.ledger.assume(Told.alone("r", slots("a", 400, 0)), SOON)).isPresent();
    assertThat(told.room("a").slots())
        .containsExactly(new NodeView.Slot(0, Holder.ABSENT, "", 1000, 0));
  }

  @Test
  void hostPortsAreTakenOnce() {
    told.nodes(1, "a");
    told.sees(pod("p").ports("TCP:0.0.0.0:80"));
    told.sees(pod("q").ports("TCP:10.0.0.1:80"));
    told.sees(pod("r").ports("UDP:10.0.0.1:80"));
    told.assumed("p", Placement.on(at("a")));
    assertThat(told.ledger.assume(Told.alone("q", Placement.on(at("a"))), SOON)).isEmpty();
    assertThat(told.ledger.assume(Told.alone("r", Placement.on(at("a"))), SOON)).isPresent();
  }

  @Test
  void aPlanOntoRoomThatIsBeingLeftIsClearWhenItIsLeft() {
    told.nodes(4, "a");
    told.sees(pod("old").gpus(4).on("a").leaving());
    told.sees(pod("new").gpus(4));
    told.assumed("new", Placement.on(at("a")));
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isFalse();
    assertThat(told.ledger.commit(uid("new"), at("a")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.NO_ROOM, at("a")));
    told.farewell("old");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  private void awaiting(String pod, String... awaited) {
    awaiting(pod, SOON, awaited);
  }

  private void awaiting(String pod, Instant until, String... awaited) {
    var alone = Told.alone(pod, Placement.on(at("a")));
    told.ledger.assume(
        new Decision.Reserve(
            alone.group(),
            alone.block(),
            alone.surplus(),
            alone.victims(),
            false,
            false,
            Stream.of(awaited).map(Sketch::uid).toList()),
        until);
  }

  @Test
  void aPlanThatALimitLetsInOnceOthersAreGoneIsClearThen() {
    told.nodes(8, "a", "b");
    told.sees(pod("old").gpus(2).on("b").leaving());
    told.sees(pod("older").gpus(2).on("b").leaving());
    told.sees(pod("new").gpus(2));
    awaiting("new", "old", "older", "never seen");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isFalse();
    assertThat(told.ledger.pendingEvictions(List.of(uid("new"))).getFirst().leaving())
        .extracting(pod -> pod.key().name())
        .containsExactly("old", "older");
    told.farewell("old");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isFalse();
    told.sees(pod("older").gpus(2).on("b").leaving().over(false).version(2));
    assertThat(told.ledger.isClear(uid("new"))).as("a finalizer keeps its object").isTrue();
  }

  /// The limit let the first in only without the second's place, which was given back; whatever the
  /// second is planned for next was admitted beside the first.
  @Test
  void planMadeAnewIsNotAwaited() {
    told.nodes(8, "a", "b");
    told.sees(pod("old").gpus(2));
    told.sees(pod("new").gpus(2));
    told.ledger.assume(Told.alone("old", Placement.on(at("b"))), SOON);
    var late = SOON.plusSeconds(1);
    awaiting("new", late, "old");
    assertThat(told.ledger.isClear(uid("new"))).as("clear beside a plan that may stay").isFalse();
    var old = new PodKey("default", "old");
    told.ledger.giveBack(List.of(new Decision.Withdrawn(uid("old"), old, told.planOf("old"))), 0);
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isTrue();
    told.ledger.assume(Told.alone("old", Placement.on(at("b"))), late.plusSeconds(1));
    assertThat(told.ledger.isClear(uid("new"))).as("clear beside its next plan").isTrue();
  }

  @Test
  void whatIsPlannedAtTheSameMomentIsNotAwaited() {
    told.nodes(8, "a", "b");
    told.sees(pod("other").gpus(2));
    told.sees(pod("new").gpus(2));
    told.ledger.assume(Told.alone("other", Placement.on(at("b"))), SOON);
    awaiting("new", "other");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  /// Whether it runs there is unknown, and it may be there for ever.
  @Test
  void podThatLeavesANodeThatDoesNotAnswerIsNotAwaited() {
    told.nodes(8, "a", "b");
    told.sees(pod("old").gpus(2).on("b").leaving());
    told.sees(pod("new").gpus(2));
    awaiting("new", "old");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isFalse();
    told.ledger.record(new Fact.NodeSeen(notReady("b", 8)));
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  @Test
  void aPlanCountsOnItsVictimsAndOnThoseOfEarlierPlans() {
    told.nodes(8, "a");
    told.sees(pod("victim").gpus(8).on("a"));
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(4));
    assertThat(told.ledger.assume(Told.alone("second", Placement.on(at("a"))), SOON)).isEmpty();
    var first = told.ledger.assume(Told.alone("first", Placement.on(at("a")), "victim"), SOON);
    assertThat(first).isPresent();
    assertThat(told.ledger.assume(Told.alone("second", Placement.on(at("a"))), SOON)).isPresent();
    told.ledger.forget(uid("second"), told.planOf("second"));
    told.ledger.forget(uid("first"), told.planOf("first"));
    assertThat(told.ledger.assume(Told.alone("second", Placement.on(at("a"))), SOON))
        .as("nobody asks the victim to leave any more")
        .isEmpty();
  }

  /// A pod with a grace of a year leaves for a plan that lapses, and runs on. The next plan of that
  /// preemptor, in the same place, is made beside it.
  @Test
  void aLaterPlanInTheSamePlaceDoesNotCountOnTheVictimsOfTheLapsedOne() {
    told.nodes(8, "a");
    told.sees(pod("victim").gpus(4).on("a"));
    told.sees(pod("first").gpus(2));
    told.sees(pod("second").gpus(2));
    var together =
        new Decision.Reserve(
            new GroupKey("default", "g"),
            List.of(Told.place("first", Placement.on(at("a")))),
            List.of(Told.place("second", Placement.on(at("a")))),
            Told.alone("first", Placement.on(at("a")), "victim").victims());
    told.ledger.assume(together, SOON).orElseThrow();
    told.sees(pod("victim").gpus(4).on("a").runningOn().version(2));
    assertThat(told.ledger.forget(uid("second"), told.planOf("second"))).as("lapsed").isTrue();
    told.assumed("second", Placement.on(at("a")));
    assertThat(told.ledger.forget(uid("first"), told.planOf("first"))).as("lapsed").isTrue();
    assertThat(told.standing("victim")).isEqualTo(new Standing.Bound(Placement.on(at("a"))));
    assertThat(told.room("a").leaving()).isEqualTo(Amounts.NONE);
    assertThat(told.ledger.isClear(uid("second"))).as("clear beside the victim").isTrue();
  }

  @Test
  void aVictimStaysOnceItsPreemptorIsGoneInTheMiddleOfItsBinding() {
    told.nodes(8, "a");
    told.sees(pod("victim").gpus(4).on("a"));
    told.sees(pod("claimant").gpus(4));
    told.ledger.assume(Told.alone("claimant", Placement.on(at("a")), "victim"), SOON).orElseThrow();
    told.sees(pod("victim").gpus(4).on("a").leaving().version(2));
    assertThat(told.ledger.commit(uid("claimant"), at("a"))).isInstanceOf(BindCommit.Ready.class);
    told.sees(pod("victim").gpus(4).on("a").version(3)); // an etcd that went back
    told.farewell("claimant");
    assertThat(told.standing("victim")).isEqualTo(new Standing.Bound(Placement.on(at("a"))));
    assertThat(told.ledger.leavesFor(uid("victim"))).isEmpty();
  }

  @Test
  void noPlanInheritsAVictimThatIsDeletedAndRunsOn() {
    told.nodes(4, "a");
    told.sees(pod("victim").gpus(4).on("a"));
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(2));
    told.ledger.assume(Told.alone("first", Placement.on(at("a")), "victim"), SOON).orElseThrow();
    told.sees(pod("victim").gpus(4).on("a").runningOn().version(2));
    assertThat(
            told.ledger.assume(
                List.of(withdrawal("first")),
                List.of(Told.alone("second", Placement.on(at("a")))),
                SOON))
        .containsExactly(Optional.empty());
    assertThat(told.standing("victim")).isEqualTo(new Standing.Bound(Placement.on(at("a"))));
  }

  private Decision.Withdraw withdrawal(String pod) {
    var plan = ((Standing.Planned) told.standing(pod)).plan();
    return new Decision.Withdraw(
        new GroupKey("default", pod),
        List.of(new Decision.Withdrawn(uid(pod), new PodKey("default", pod), plan)),
        Decision.Loss.OF_ITSELF);
  }

  @Test
  void planThatTakesTheRoomOfAnotherInheritsItsVictimsAsFarAsItNeedsThem() {
    told.nodes(4, "a");
    told.sees(pod("one").queue("lender").gpus(2).on("a"));
    told.sees(pod("two").queue("lender").gpus(2).on("a"));
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(2));
    assertThat(told.ledger.assume(Told.alone("first", Placement.on(at("a")), "one", "two"), SOON))
        .isPresent();
    var taken =
        told.ledger.assume(
            List.of(withdrawal("first")),
            List.of(Told.alone("second", Placement.on(at("a")))),
            SOON);
    assertThat(taken).containsExactly(Optional.of(List.of(assumed("second"))));
    assertThat(told.standing("first")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("one")).isInstanceOf(Standing.Leaving.class);
    assertThat(told.ledger.leavesFor(uid("one"))).contains(new GroupKey("default", "second"));
    assertThat(told.ledger.leavesFor(uid("two"))).isEmpty();
    assertThat(told.standing("two")).as("spared").isInstanceOf(Standing.Bound.class);
    told.ledger.forget(uid("second"), told.planOf("second"));
    assertThat(told.standing("one")).as("spared too").isInstanceOf(Standing.Bound.class);
  }

  /// Whether `second` gets the room for which `victim` was to leave for `first`.
  private boolean inherits(
      Sketch.PodSketch victim, Sketch.PodSketch first, Sketch.PodSketch second) {
    told.nodes(4, "a");
    told.sees(victim.gpus(4).on("a"));
    told.sees(first.gpus(4));
    told.sees(second.gpus(4));
    told.ledger.assume(Told.alone("first", Placement.on(at("a")), "victim"), SOON).orElseThrow();
    var taken =
        told.ledger.assume(
            List.of(withdrawal("first")),
            List.of(Told.alone("second", Placement.on(at("a")))),
            SOON);
    boolean leaves = told.standing("victim") instanceof Standing.Leaving;
    assertThat(taken.getFirst().isPresent()).as("planned where it leaves").isEqualTo(leaves);
    return leaves;
  }

  @Test
  void aVictimIsTakenOverOnlyByAPlanThatMightHaveEvictedIt() {
    assertThat(
            inherits(
                pod("victim").queue("q").priority(50),
                pod("first").queue("r"),
                pod("second").queue("q").priority(75)))
        .as("of its queue, of a higher priority")
        .isTrue();
  }

  @Test
  void noVictimOfAReclaimIsTakenOverByItsOwnQueue() {
    assertThat(
            inherits(
                pod("victim").queue("q").priority(75),
                pod("first").queue("r"),
                pod("second").queue("q").priority(50)))
        .as("the second inherits the victim")
        .isFalse();
  }

  @Test
  void noVictimIsTakenOverForAnEqualPriority() {
    assertThat(
            inherits(pod("victim").queue("q"), pod("first").queue("r"), pod("second").queue("q")))
        .as("the second inherits the victim")
        .isFalse();
  }

  @Test
  void noVictimOfAPreemptionIsTakenOverByAnotherQueue() {
    assertThat(
            inherits(
                pod("victim").queue("q").priority(10),
                pod("first").queue("q").priority(50),
                pod("second").queue("r").priority(50)))
        .as("the second inherits the victim")
        .isFalse();
  }

  @Test
  void aVictimOfAReclaimIsTakenOverByAnyQueueThatReclaims() {
    assertThat(
            inherits(pod("victim").queue("q"), pod("first").queue("r"), pod("second").queue("s")))
        .as("the second inherits the victim")
        .isTrue();
  }

  /// Two that take the room from each other do not go on for ever.
  @Test
  void groupThatGaveWayTwiceStandsFastUntilItIsBound() {
    told.nodes(4, "a");
    told.sees(pod("old").gpus(4).on("a"));
    told.sees(pod("p").gpus(4));
    for (boolean stands : new boolean[] {false, false, true}) {
      assertThat(told.shown("p").standsFast()).as("stands fast").isEqualTo(stands);
      told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON).orElseThrow();
      told.ledger.assume(List.of(withdrawal("p")), List.of(), SOON);
    }
    told.farewell("old");
    told.assumed("p", Placement.on(at("a")));
    assertThat(told.shown("p").standsFast()).as("stands fast").isTrue();
    told.ledger.confirm(uid("p"), Placement.on(at("a")));
    assertThat(told.shown("p").standsFast()).as("stands fast when it is bound").isFalse();
  }

  /// Its labels may have changed since the snapshot that the plan was made from: with that its plan
  /// ended, and there was nothing left to give way with.
  @Test
  void podInAnotherGroupBeforeItsPlanIsWithdrawnGaveNoWay() {
    told.nodes(4, "a");
    for (String name : List.of("p", "q")) {
      told.sees(pod(name).gpus(2).group("old"));
      told.assumed(name, Placement.on(at("a")));
    }
    var plans = new ArrayList<>(withdrawal("p").plans());
    plans.addAll(withdrawal("q").plans());
    told.sees(pod("q").gpus(2).group("new").version(2));
    var both =
        new Decision.Withdraw(new GroupKey("default", "old"), plans, Decision.Loss.OF_ITSELF);
    told.ledger.assume(List.of(both), List.of(), SOON);
    told.assumed("q", Placement.on(at("a")));
    told.ledger.assume(List.of(withdrawal("q")), List.of(), SOON);
    assertThat(told.shown("new").standsFast()).as("after the first time").isFalse();
    told.assumed("q", Placement.on(at("a")));
    told.ledger.assume(List.of(withdrawal("q")), List.of(), SOON);
    assertThat(told.shown("new").standsFast()).as("after the second time").isTrue();
  }

  @Test
  void aPlanThatEndsOtherwiseGivesNoWay() {
    told.nodes(4, "a");
    told.sees(pod("p").gpus(4));
    for (int i = 0; i < 3; i++) {
      told.ledger.forget(uid("p"), told.assumed("p", Placement.on(at("a"))));
    }
    assertThat(told.shown("p").standsFast()).as("stands fast").isFalse();
  }

  /// A victim that the limit counted on stays if no other plan inherits it.
  @Test
  void noPlanIsKeptBelowALimitBesideItsVictimsThatStay() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("first").gpus(2).queue("q"));
    told.sees(pod("second").gpus(2).queue("q"));
    told.sees(pod("elsewhere").gpus(2).queue("r"));
    told.ledger.assume(Told.alone("first", Placement.on(at("a")), "old"), SOON).orElseThrow();
    var kept =
        told.ledger.assume(
            List.of(withdrawal("first")),
            List.of(
                Told.alone("second", Placement.on(at("b"))),
                Told.alone("elsewhere", Placement.on(at("b")))),
            SOON);
    assertThat(told.standing("old")).as("spared").isInstanceOf(Standing.Bound.class);
    assertThat(kept).containsExactly(Optional.empty(), Optional.of(List.of(assumed("elsewhere"))));
  }

  /// It may be his leaving that the limit let them in for, but for the one that was there before.
  @Test
  void plansBelowALimitEndWithThePlanForWhichAPodThereWasToLeave() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("before").gpus(1).queue("q"));
    told.sees(pod("first").gpus(8).queue("r"));
    told.sees(pod("with").gpus(1).queue("q"));
    told.sees(pod("after").gpus(1).queue("q"));
    told.sees(pod("elsewhere").gpus(1).queue("r"));
    told.assumed("before", Placement.on(at("b")));
    var together =
        List.of(
            Told.alone("with", Placement.on(at("b"))),
            Told.alone("first", Placement.on(at("a")), "old"),
            Told.alone("elsewhere", Placement.on(at("b"))));
    assertThat(told.ledger.assume(List.of(), together, SOON)).allMatch(Optional::isPresent);
    told.assumed("after", Placement.on(at("b")));
    long before = told.ledger.version();
    told.farewell("first");
    assertThat(told.standing("old")).as("spared").isInstanceOf(Standing.Bound.class);
    assertThat(told.standing("with")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("after")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("before")).as("made before").isInstanceOf(Standing.Planned.class);
    assertThat(told.standing("elsewhere")).isInstanceOf(Standing.Planned.class);
    assertThat(told.ledger.version()).as("the planner hears of it").isGreaterThan(before);
  }

  /// `old` is to make way for `first`, of another queue; meanwhile `with` is planned elsewhere,
  /// below the limit that both are below.
  private void letInForOld() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("first").gpus(8).queue("r"));
    told.sees(pod("with").gpus(1).queue("q"));
    told.ledger.assume(Told.alone("first", Placement.on(at("a")), "old"), SOON).orElseThrow();
    told.assumed("with", Placement.on(at("b")));
  }

  @Test
  void aPlanBelowALimitOutlastsThePlanOfAnotherGroupOnceTheVictimIsOnItsWay() {
    letInForOld();
    told.sees(pod("old").gpus(2).queue("q").on("a").leaving().version(2));
    told.farewell("first");
    assertThat(told.standing("with")).isInstanceOf(Standing.Planned.class);
  }

  /// A victim of one plan is a victim of its successor, too: none stays.
  @Test
  void aPlanBelowALimitOutlastsOneThatIsMadeAgainWithTheSameVictims() {
    letInForOld();
    told.ledger.assume(
        List.of(withdrawal("first")),
        List.of(Told.alone("first", Placement.on(at("a")), "old")),
        SOON);
    assertThat(told.standing("with")).isInstanceOf(Standing.Planned.class);
  }

  @Test
  void noPlanIsKeptBelowALimitForTheVictimsOfAnotherThatIsNot() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("stays").gpus(6).queue("r").on("a"));
    told.sees(pod("first").gpus(8).queue("r"));
    told.sees(pod("with").gpus(1).queue("q"));
    var together =
        List.of(
            Told.alone("with", Placement.on(at("b"))),
            Told.alone("first", Placement.on(at("a")), "old"));
    assertThat(told.ledger.assume(List.of(), together, SOON))
        .as("the first does not fit beside who stays")
        .containsExactly(Optional.empty(), Optional.empty());
  }

  /// The pod to be planned is gone by now, so no victim leaves for it.
  @Test
  void noPlanIsKeptBelowALimitForTheVictimsOfAPodThatIsGone() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("with").gpus(1).queue("q"));
    told.sees(pod("elsewhere").gpus(1).queue("r"));
    var together =
        List.of(
            Told.alone("gone", Placement.on(at("a")), "old"),
            Told.alone("with", Placement.on(at("b"))),
            Told.alone("elsewhere", Placement.on(at("b"))));
    assertThat(told.ledger.assume(List.of(), together, SOON))
        .containsExactly(
            Optional.empty(), Optional.empty(), Optional.of(List.of(assumed("elsewhere"))));
  }

  private Assumed assumed(String pod) {
    return new Assumed(
        told.ledger.pod(uid(pod)).orElseThrow(), ((Standing.Planned) told.standing(pod)).plan());
  }

  @Test
  void aPlanWhoseGateIsBeingLiftedIsNotWithdrawn() {
    told.nodes(4, "a");
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(2));
    told.assumed("first", Placement.on(at("a")));
    var late = withdrawal("first");
    told.ledger.renew(List.of(assumed("first")), SOON).orElseThrow();
    assertThat(
            told.ledger.assume(
                List.of(late), List.of(Told.alone("second", Placement.on(at("a")))), SOON))
        .containsExactly(Optional.empty());
    assertThat(told.standing("first")).isInstanceOf(Standing.Planned.class);
  }

  /// Its group loses members that run, and it with them.
  @Test
  void aPlanWhoseGateIsOpenIsWithdrawnWhereGatesMayBe() {
    told.nodes(4, "a");
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(2));
    told.assumed("first", Placement.on(at("a")));
    told.ledger.renew(List.of(assumed("first")), SOON).orElseThrow();
    var late = withdrawal("first");
    var opened = new Decision.Withdraw(late.group(), late.plans(), Decision.Loss.WITH_MEMBERS);
    assertThat(
            told.ledger.assume(
                List.of(opened), List.of(Told.alone("second", Placement.on(at("a")))), SOON))
        .doesNotContain(Optional.empty());
    assertThat(told.standing("first")).isInstanceOf(Standing.Waiting.class);
  }

  /// It may be bound already.
  @Test
  void aPlanWhoseBindingIsBeingWrittenIsNotWithdrawn() {
    told.nodes(4, "a");
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(2));
    told.assumed("first", Placement.on(at("a")));
    told.ledger.renew(List.of(assumed("first")), SOON).orElseThrow();
    var late = withdrawal("first");
    var opened = new Decision.Withdraw(late.group(), late.plans(), Decision.Loss.WITH_MEMBERS);
    assertThat(told.ledger.commit(uid("first"), at("a"), true))
        .isInstanceOf(BindCommit.Ready.class);
    assertThat(
            told.ledger.assume(
                List.of(opened), List.of(Told.alone("second", Placement.on(at("a")))), SOON))
        .containsExactly(Optional.empty());
    assertThat(told.standing("first")).isInstanceOf(Standing.Planned.class);
  }

  /// Its part of the limit is not given back, though it was to be.
  @Test
  void noPlanIsKeptBelowALimitBesideOneThatIsWithdrawnTooLate() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("first").gpus(4).queue("q"));
    told.sees(pod("second").gpus(2).queue("q"));
    told.assumed("first", Placement.on(at("a")));
    var late = withdrawal("first");
    told.ledger.renew(List.of(assumed("first")), SOON).orElseThrow();
    assertThat(
            told.ledger.assume(
                List.of(late), List.of(Told.alone("second", Placement.on(at("b")))), SOON))
        .containsExactly(Optional.empty());
  }

  /// The minimum of a gang waits for a victim to leave, and a member above it has its room.
  @Test
  void aMemberAboveTheMinimumStartsAfterIt() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 2)));
    told.sees(pod("old").gpus(4).on("a"));
    for (String member : List.of("c1", "c2", "s")) {
      told.sees(pod(member).gpus(2).group("g"));
    }
    told.ledger.assume(
        new Decision.Reserve(
            Sketch.group("g", 2).key(),
            List.of(
                Told.place("c1", Placement.on(at("a"))), Told.place("c2", Placement.on(at("a")))),
            List.of(Told.place("s", Placement.on(at("b")))),
            Told.victims("g", "old")),
        SOON);
    told.sees(pod("old").gpus(4).on("a").leaving().version(2));
    assertThat(told.ledger.isClear(uid("c1"))).as("clear while somebody leaves").isFalse();
    assertThat(told.ledger.isClear(uid("s"))).as("clear before the minimum").isFalse();
    assertThat(told.ledger.commit(uid("s"), at("b")))
        .as("its gate is open since an earlier plan")
        .isInstanceOf(BindCommit.AwaitsBlock.class);
    told.farewell("old");
    assertThat(told.ledger.isClear(uid("c1"))).as("the minimum is clear").isTrue();
    for (String member : List.of("c1", "c2")) {
      assertThat(told.ledger.isClear(uid("s"))).as("clear before " + member).isFalse();
      assertThat(told.ledger.commit(uid(member), at("a"))).isInstanceOf(BindCommit.Ready.class);
      told.ledger.confirm(uid(member), Placement.on(at("a")));
    }
    assertThat(told.ledger.isClear(uid("s"))).as("clear after the minimum").isTrue();
    assertThat(told.ledger.commit(uid("s"), at("b"))).isInstanceOf(BindCommit.Ready.class);
  }

  @Test
  void aMemberAboveTheMinimumLosesItsPlanWithIt() {
    told.nodes(4, "a", "b");
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 2)));
    for (String member : List.of("c1", "c2", "s")) {
      told.sees(pod(member).gpus(2).group("g"));
    }
    told.ledger.assume(
        new Decision.Reserve(
            Sketch.group("g", 2).key(),
            List.of(
                Told.place("c1", Placement.on(at("a"))), Told.place("c2", Placement.on(at("a")))),
            List.of(Told.place("s", Placement.on(at("b")))),
            List.of()),
        SOON);
    told.farewell("c1");
    assertThat(told.standing("s")).isInstanceOf(Standing.Waiting.class);
    assertThat(told.standing("c2")).isInstanceOf(Standing.Waiting.class);
  }

  @Test
  void aPlanWaitsUntilItsVictimsAreOnTheirWayThoughThereIsRoomBesideThem() {
    told.nodes(4, "a");
    told.sees(pod("old").gpus(1).on("a"));
    told.sees(pod("p").gpus(1));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    assertThat(told.ledger.isClear(uid("p"))).as("clear before its victim was asked").isFalse();
    told.sees(pod("old").gpus(1).on("a").leaving().version(2));
    assertThat(told.ledger.isClear(uid("p"))).as("clear while its victim leaves").isTrue();
  }

  @Test
  void victimsThatAPlanWaitsForAreTold() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("ends").gpus(8).on("b").leaving());
    told.sees(pod("old").gpus(1).queue("q").on("a"));
    told.sees(pod("p").gpus(8).queue("q"));
    told.sees(pod("below").gpus(1).queue("q"));
    told.sees(pod("behind").gpus(8));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    told.assumed("behind", Placement.on(at("b")));
    assertThat(waitingFor("p")).containsExactly(List.of("old"));
    assertThat(waitingFor("behind")).as("nobody was asked for its sake").containsExactly(List.of());
    told.sees(pod("old").gpus(1).queue("q").on("a").leaving().version(2));
    assertThat(waitingFor("p")).as("its room is being left").containsExactly(List.of("old"));
    told.farewell("old");
    assertThat(waitingFor("p")).as("clear").isEmpty();
    told.farewell("ends");
    assertThat(waitingFor("p", "behind", "below")).isEmpty();
  }

  @Test
  void podThatALimitLetsInAfterOthersIsToldTheirNames() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(1).queue("q").on("a"));
    told.sees(pod("p").gpus(1));
    told.sees(pod("beside").gpus(1).queue("q"));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    told.assumed("beside", Placement.on(at("b")));
    assertThat(waitingFor("beside")).containsExactly(List.of("old"));
    told.sees(pod("old").gpus(1).queue("q").on("a").leaving().version(2));
    assertThat(waitingFor("beside")).as("on its way").isEmpty();
  }

  @Test
  void podsThatHaveLeftForAPlanAreTold() {
    told.nodes(8, "a");
    for (String name : List.of("one", "other")) {
      told.sees(pod(name).gpus(4).on("a"));
    }
    told.sees(pod("p").gpus(8));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "one", "other"), SOON);
    var _ = told.ledger.record(new Fact.PodGone(new PodKey("default", "one"), uid("one")));
    var waits = told.ledger.pendingEvictions(List.of(uid("p"))).getFirst();
    assertThat(waits.gone()).containsExactly(uid("one"));
    assertThat(waits.leaving()).hasSize(1);
  }

  private List<List<String>> waitingFor(String... planned) {
    return told.ledger.pendingEvictions(Stream.of(planned).map(Sketch::uid).toList()).stream()
        .map(each -> each.leaving().stream().map(pod -> pod.key().name()).toList())
        .toList();
  }

  @Test
  void podBelowOneLimitWithAVictimWaitsUntilItIsOnItsWay() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(1).queue("q").on("a"));
    told.sees(pod("p").gpus(1).queue("q"));
    told.sees(pod("beside").gpus(1).queue("q"));
    told.sees(pod("elsewhere").gpus(1).queue("r"));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    told.assumed("beside", Placement.on(at("a")));
    told.assumed("elsewhere", Placement.on(at("a")));
    assertThat(told.ledger.isClear(uid("beside"))).as("clear below the limit").isFalse();
    assertThat(told.ledger.isClear(uid("elsewhere"))).as("clear in another queue").isTrue();
    told.sees(pod("old").gpus(1).queue("q").on("a").leaving().version(2));
    assertThat(told.ledger.isClear(uid("beside"))).as("clear below the limit").isTrue();
  }

  /// The limit has room for it beside all pods: a victim that refuses to leave does not matter to
  /// it.
  @Test
  void podThatNeedsNoVictimBelowALimitIsClearAtOnceAndOutlastsThem() {
    told.nodes(8, "a", "b");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(2).queue("q").on("a"));
    told.sees(pod("first").gpus(8).queue("r"));
    told.sees(pod("with").gpus(1).queue("q"));
    told.ledger.assume(Told.alone("first", Placement.on(at("a")), "old"), SOON).orElseThrow();
    var with = Told.alone("with", Placement.on(at("b")));
    told.ledger.assume(
        new Decision.Reserve(
            with.group(), with.block(), with.surplus(), with.victims(), false, false, List.of()),
        SOON);
    assertThat(told.ledger.isClear(uid("with"))).as("clear").isTrue();
    told.farewell("first");
    assertThat(told.standing("with")).isInstanceOf(Standing.Planned.class);
  }

  /// A gate that was opened for an earlier plan lets kube-scheduler try at any time.
  @Test
  void noBindingComesBeforeTheVictimsBelowTheLimitAreAsked() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.QueueSeen(limited("q")));
    told.sees(pod("old").gpus(1).queue("q").on("a"));
    told.sees(pod("p").gpus(1).queue("q"));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.AwaitsVictims.class);
    told.sees(pod("old").gpus(1).queue("q").on("a").leaving().version(2));
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }

  /// Which pool a plan is in, the ledger does not ask.
  @Test
  void aLimitInOneNodePoolAloneIsALimit() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.QueueSeen(limitedInPool("q")));
    told.sees(pod("old").gpus(1).queue("q").on("a"));
    told.sees(pod("p").gpus(1).queue("q"));
    told.sees(pod("beside").gpus(1).queue("q"));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "old"), SOON);
    told.assumed("beside", Placement.on(at("a")));
    assertThat(told.ledger.isClear(uid("beside"))).as("clear below the limit").isFalse();
    told.sees(pod("old").gpus(1).queue("q").on("a").leaving().version(2));
    assertThat(told.ledger.isClear(uid("beside"))).as("clear below the limit").isTrue();
  }

  private static Queue limitedInPool(String name) {
    return QueueManifest.read(
            Flow.tree(
                "{metadata: {name: %s}, spec: {pools: [{name: x, limit: {gpu: 2}}]}}"
                    .formatted(name)))
        .orElseThrow();
  }

  private static Queue limited(String name) {
    var none = Queue.implied(new QueueName(name), false);
    return new Queue(
        none.name(),
        1,
        none.created(),
        none.parent(),
        none.priority(),
        none.quota(),
        new TreeMap<>(Map.of(Resource.GPU, 2000L)),
        none.weight(),
        none.preemptMinRuntime(),
        none.reclaimMinRuntime(),
        none.problems());
  }

  @Test
  void aLaterPlanDoesNotKeepAnEarlierOneFromBeingClear() {
    told.nodes(8, "a");
    told.sees(pod("old").gpus(4).on("a").leaving());
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(4));
    told.assumed("first", Placement.on(at("a")));
    told.ledger
        .assume(Told.alone("second", Placement.on(at("a"))), SOON.plusSeconds(1))
        .orElseThrow();
    assertThat(told.ledger.isClear(uid("first"))).as("first is clear").isTrue();
    assertThat(told.ledger.isClear(uid("second"))).as("second is clear").isFalse();
    assertThat(told.ledger.commit(uid("first"), at("a"))).isInstanceOf(BindCommit.Ready.class);
    told.farewell("old");
    assertThat(told.ledger.isClear(uid("second"))).as("second is clear").isTrue();
  }

  @Test
  void aWholeDeviceIsPlannedOntoASharedOneThatItsSharersLeave() {
    told.nodes(1, "a");
    told.holds("a", 0, "GPU-0");
    told.sees(
        pod("old").share(share(500)).on("a").written(plan(slots("a", 500, 0), SOON)).leaving());
    told.sees(pod("new").gpus(1));
    told.assumed("new", Placement.on(at("a")));
    told.farewell("old");
    assertThat(told.ledger.isClear(uid("new"))).as("the holder is still there").isFalse();
    assertThat(told.ledger.idleHolders()).hasSize(1);
    assertThat(told.ledger.retire(new SlotKey(at("a"), 0))).as("retired").isPresent();
    assertThat(told.room("a").leaving().of(Resource.NVIDIA)).isEqualTo(1);
    told.farewell("holder-a-0");
    assertThat(told.ledger.isClear(uid("new"))).as("clear").isTrue();
  }

  @Test
  void aPlanThatLapsesIsGivenBackOnce() {
    told.nodes(8, "a");
    told.sees(pod("p").gpus(1));
    var plan = told.assumed("p", Placement.on(at("a")));
    assertThat(told.ledger.expire(SOON.minusMillis(1))).isEmpty();
    assertThat(told.ledger.expire(SOON)).extracting(Assumed::plan).containsExactly(plan);
    assertThat(told.ledger.expire(SOON)).isEmpty();
    told.sees(pod("p").gpus(1).written(plan).version(2));
    assertThat(told.standing("p"))
        .as("what is written is lapsed too")
        .isEqualTo(new Standing.Waiting());
  }

  /// Otherwise room that some victims have left goes to the next group, while others are being
  /// asked.
  @Test
  void aPlanDoesNotLapseWhileOneOfItsVictimsIsBeingAskedAndRefused() {
    told.nodes(8, "a");
    told.sees(pod("gone").gpus(4).on("a"));
    told.sees(pod("kept").gpus(4).on("a"));
    told.sees(pod("p").gpus(8));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "gone", "kept"), SOON).orElseThrow();
    var plan = told.planOf("p");
    told.farewell("gone");
    told.ledger.evictionRefused(uid("kept"), SOON.minusSeconds(1));
    assertThat(told.ledger.expire(SOON)).isEmpty();
    told.ledger.evictionRefused(uid("kept"), SOON.plusSeconds(4));
    assertThat(told.ledger.expire(SOON.plusSeconds(13))).isEmpty();
    assertThat(told.standing("p")).isEqualTo(new Standing.Planned(plan, false));
    assertThat(told.ledger.expire(SOON.plusSeconds(14)))
        .as("he is not asked any more")
        .extracting(Assumed::plan)
        .containsExactly(plan);
  }

  @Test
  void aPlanLapsesThoughOneOfItsVictimsWasRefusedOnceThatLeaves() {
    told.nodes(8, "a");
    told.sees(pod("kept").gpus(4).on("a"));
    told.sees(pod("p").gpus(8));
    told.ledger.assume(Told.alone("p", Placement.on(at("a")), "kept"), SOON).orElseThrow();
    told.ledger.evictionRefused(uid("kept"), SOON.minusSeconds(1));
    told.sees(pod("kept").gpus(4).on("a").leaving().version(2));
    assertThat(told.ledger.expire(SOON)).hasSize(1);
  }

  @Test
  void aWrittenPlanIsReadBackAfterARestart() {
    told.nodes(8, "a");
    var plan = plan(slots("a", 400, 2), SOON);
    told.sees(pod("p").share(share(400)).written(plan).ungated());
    assertThat(told.standing("p")).isEqualTo(new Standing.Planned(plan, true));
    assertThat(told.room("a").slots()).extracting(NodeView.Slot::index).containsExactly(2);
    assertThat(told.ledger.expire(SOON.plusSeconds(1))).hasSize(1);
    assertThat(told.room("a").slots()).isEmpty();
  }

  @Test
  void aWrittenPlanThatCannotBeThePodsIsNone() {
    told.sees(pod("p").share(share(400)).written(plan(slots("a", 1, 2), SOON)));
    told.sees(pod("q").gpus(1).written(plan(slots("a", 1, 2), SOON)));
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("q")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void theApiIsRightWhereItSaysAnotherNode() {
    told.nodes(8, "a", "b");
    told.sees(pod("p").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    told.sees(pod("p").gpus(1).on("b").version(2));
    assertThat(told.standing("p")).isEqualTo(new Standing.Bound(Placement.on(at("b"))));
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
    assertThat(told.ledger.commit(uid("p"), at("a")))
        .isEqualTo(new BindCommit.Refused(BindCommit.Why.BOUND_ELSEWHERE, at("b")));
  }

  @Test
  void aPlaceThatIsNoneForThePodIsAMistakeOfOurs() {
    told.nodes(8, "a");
    told.sees(pod("p").share(share(500)));
    assertThatThrownBy(() -> told.assumed("p", Placement.on(at("a"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default/p");
    assertThat(told.standing("p")).isEqualTo(new Standing.Waiting());
  }

  private void aBlockOf(String... pods) {
    told.nodes(8, "a");
    var block = new ArrayList<Reserved>();
    for (String pod : pods) {
      told.sees(pod(pod).group("train").gpus(2));
      block.add(Told.place(pod, Placement.on(at("a"))));
    }
    var decision =
        new Decision.Reserve(new GroupKey("default", "train"), block, List.of(), List.of());
    assertThat(told.ledger.assume(decision, SOON)).isPresent();
  }

  @Test
  void aBlockIsGivenBackWhole() {
    aBlockOf("p", "q");
    assertThat(told.ledger.expire(SOON)).hasSize(2);
    assertThat(told.standing("q")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void aBlockEndsWithTheFirstOfItsMembersThatIsDeleted() {
    aBlockOf("p", "q");
    told.farewell("p");
    assertThat(told.standing("q")).isEqualTo(new Standing.Waiting());
    assertThat(told.room("a").used().isNone()).as("nothing is used").isTrue();
  }

  @Test
  void plansWhoseRoomOthersTookCollapseTheLastInLineFirst() {
    told.nodes(8, "a");
    told.sees(pod("first").gpus(4));
    told.sees(pod("second").gpus(4));
    told.assumed("first", Placement.on(at("a")));
    told.ledger
        .assume(Told.alone("second", Placement.on(at("a"))), SOON.plusSeconds(1))
        .orElseThrow();
    assertThat(told.ledger.collapse()).isEmpty();
    told.sees(pod("foreign").scheduler("other").gpus(3).on("a"));
    assertThat(told.ledger.collapse())
        .extracting(collapsed -> collapsed.pod().key().name())
        .containsExactly("second");
    assertThat(told.standing("first")).isInstanceOf(Standing.Planned.class);
  }

  @Test
  void aBlockThatWasWrittenInPartIsNoPlan() {
    told.nodes(8, "a");
    var plan = new WrittenPlan(Placement.on(at("a")), "x", 3, SOON);
    told.sees(pod("g-0").group("g").gpus(1).ungated().written(plan));
    told.sees(pod("g-1").group("g").gpus(1).ungated().written(plan));
    told.sees(pod("g-2").group("g").gpus(1));
    assertThat(told.standing("g-0")).isEqualTo(new Standing.Planned(plan, true));
    assertThat(told.ledger.giveBackIncomplete()).hasSize(2);
    assertThat(told.standing("g-0")).isEqualTo(new Standing.Waiting());
    assertThat(told.standing("g-1")).isEqualTo(new Standing.Waiting());
    told.sees(pod("g-2").version(2).group("g").gpus(1).ungated().written(plan));
    assertThat(told.standing("g-2")).as("a patch that came late").isEqualTo(new Standing.Waiting());
    assertThat(told.room("a").used().of(Resource.NVIDIA)).isZero();
  }

  /// The leader before gave its plan back with the minimum of its gang; that stands nowhere.
  @Test
  void podPlannedAloneInAGangThatHasNoMinimumLosesItsPlan() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 2)));
    var plan = new WrittenPlan(Placement.on(at("a")), "", 1, SOON);
    told.sees(pod("g-0").group("g").gpus(1).ungated().written(plan));
    told.sees(pod("g-1").group("g").gpus(1));
    assertThat(told.ledger.giveBackIncomplete()).hasSize(1);
    assertThat(told.standing("g-0")).isEqualTo(new Standing.Waiting());
  }

  @Test
  void podPlannedAloneBesideRunningMembersKeepsItsPlan() {
    told.nodes(8, "a");
    told.ledger.record(new Fact.GroupSeen(Sketch.group("g", 2)));
    var plan = new WrittenPlan(Placement.on(at("a")), "", 1, SOON);
    told.sees(pod("g-0").group("g").gpus(1).ungated().written(plan));
    told.sees(pod("g-1").group("g").gpus(1).on("a"));
    assertThat(told.ledger.giveBackIncomplete()).as("it makes the minimum whole").isEmpty();
  }

  @Test
  void aBlockOfWhichSomeAreBoundIsComplete() {
    told.nodes(8, "a");
    var plan = new WrittenPlan(Placement.on(at("a")), "x", 3, SOON);
    told.sees(pod("g-0").group("g").gpus(1).on("a").written(plan));
    told.sees(pod("g-1").group("g").gpus(1).on("a").written(plan).over(true));
    told.sees(pod("g-2").group("g").gpus(1).ungated().written(plan));
    assertThat(told.ledger.giveBackIncomplete()).isEmpty();
    assertThat(told.standing("g-2")).isEqualTo(new Standing.Planned(plan, true));
  }

  @Test
  void podWhoseGateIsOpenDoesNotFallBehindPodsThatWaitForRoom() {
    told.nodes(2, "a");
    told.sees(pod("old").gpus(1).on("a"));
    told.sees(pod("p").gpus(1));
    told.sees(pod("q").gpus(1));
    told.assumed("p", Placement.on(at("a")));
    var behind = Told.alone("q", Placement.on(at("a")), "old");
    assertThat(told.ledger.assume(behind, SOON.plusMillis(1))).isPresent();
    assertThat(told.ledger.isClear(uid("p"))).as("p is clear").isTrue();
    assertThat(told.ledger.isClear(uid("q"))).as("q waits for old").isFalse();
    assertThat(told.ledger.renew(List.of(assumed("p")), SOON.plusSeconds(60))).isPresent();
    assertThat(told.ledger.commit(uid("p"), at("a"))).isInstanceOf(BindCommit.Ready.class);
  }
}
