package dev.berth.engine.ledger;

import static dev.berth.engine.ledger.Sketch.START;
import static dev.berth.engine.ledger.Sketch.at;
import static dev.berth.engine.ledger.Sketch.pod;
import static dev.berth.engine.ledger.Sketch.uid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.ledger.Sketch.PodSketch;
import dev.berth.engine.ledger.view.Assumed;
import dev.berth.engine.ledger.view.BindCommit;
import dev.berth.engine.model.Backoffs;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.KeptRoom;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Withdrawn;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Plans for which others left and that came to nothing: how long their workload waits then.
class FailedPlansTest {
  private static final String WORDS = "1 node(s) had volume node affinity conflict";

  private Told told = new Told();
  private String[] victims = {"victim"};
  private Instant now = START;
  private int incarnation;

  @BeforeEach
  void aFullNode() {
    told.nodes(1, "a");
    told.sees(pod("victim").gpus(1).on("a").leaving());
    told.sees(pod("claimant").gpus(1));
    passes(Duration.ZERO);
  }

  @Test
  void eachRefusalMakesThePauseLongerUpToAQuarterOfAnHour() {
    int[] seconds = {10, 30, 90, 270, 810, 900, 900};
    for (int i = 0; i < seconds.length; i++) {
      claims("claimant");
      refused("claimant");
      assertThat(backoffOf("claimant"))
          .contains(new Backoff("", i + 1, WORDS, now.plusSeconds(seconds[i])));
      passes(Duration.ofSeconds(seconds[i]));
    }
  }

  @Test
  void aPlanThatNeedsNoVictimsIsNotCounted() {
    told.nodes(1, "b");
    told.assumed("claimant", Placement.on(at("b")));
    told.ledger.veto(uid("claimant"), at("b"), WORDS, now.plusSeconds(60));
    assertThat(told.snapshot().backoffs()).isEqualTo(Backoffs.NONE);
  }

  @Test
  void podThatRunsForAMinuteBeginsAnew() {
    claims("claimant");
    refused("claimant");
    isBound();
    passes(Duration.ofSeconds(59));
    assertThat(backoffOf("claimant")).contains(new Backoff("", 1, WORDS, START.plusSeconds(10)));
    passes(Duration.ofSeconds(1));
    assertThat(told.ledger.snapshot(now).backoffs()).isEqualTo(Backoffs.NONE);
  }

  @Test
  void podThatSucceedsAfterSomeSecondsBeginsAnewAtOnce() {
    claims("claimant");
    refused("claimant");
    isBound();
    passes(Duration.ofSeconds(11));
    told.sees(pod("claimant").gpus(1).on("a").over(true).version(6));
    assertThat(told.ledger.snapshot(now).backoffs()).isEqualTo(Backoffs.NONE);
  }

  /// Else a pod of a moment would take out what others of its group cost.
  @Test
  void podThatSucceedsWithinSecondsDoesNotBeginAnew() {
    claims("claimant");
    refused("claimant");
    isBound();
    told.sees(pod("claimant").gpus(1).on("a").over(true).version(6));
    assertThat(told.ledger.snapshot(now).backoffs().evicting().workloads()).hasSize(1);
  }

  /// Bound, deleted, made anew, and others leave each time.
  @Test
  void podDeletedAMomentAfterItIsBoundIsCounted() {
    claims("claimant");
    refused("claimant");
    isBound();
    comesAgain("claimant");
    assertThat(backoffOf("claimant")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  @Test
  void podThatFailsAMomentAfterItIsBoundIsCounted() {
    claims("claimant");
    refused("claimant");
    isBound();
    told.sees(pod("claimant").gpus(1).on("a").over(false).version(6));
    comesAgain("claimant");
    assertThat(backoffOf("claimant")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  /// A plan belongs to the group that it was made for.
  @Test
  void podPutIntoAnotherGroupIsCountedForTheFirst() {
    for (int i = 0; i < 2; i++) {
      claims("claimant");
      told.sees(pod("claimant").gpus(1).group("junk").version(10 + 2 * i));
      told.sees(pod("claimant").gpus(1).version(11 + 2 * i));
    }
    assertThat(told.snapshot().backoffs().evicting().workloads())
        .containsOnlyKeys(new PodKey("default", "claimant"));
    assertThat(backoffOf("claimant")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  @Test
  void whoseRoomOthersTakeIsCounted() {
    claims("claimant");
    told.farewell("victim");
    told.sees(pod("thief").gpus(1).scheduler("default-scheduler").on("a"));
    assertThat(told.ledger.collapse()).hasSize(1);
    assertThat(backoffOf("claimant"))
        .contains(new Backoff("", 1, Backoff.ROOM_TAKEN, now.plusSeconds(10)));
  }

  private void isReclaimed() {
    told.nodes(1, "b");
    told.sees(pod("borrowed").gpus(1).queue("borrower"));
    var plan = told.assumed("borrowed", Placement.on(at("b")));
    var borrowed = pod("borrowed").gpus(1).queue("borrower").written(plan).on("b");
    told.sees(borrowed.version(2));
    told.sees(borrowed.leaving().version(3));
    told.sees(pod("owed").gpus(1).queue("owner"));
    claimsOnB();
  }

  private void claimsOnB() {
    var place = Placement.on(at("b"));
    var decision = Told.alone("owed", place, "borrowed");
    assertThat(told.ledger.assume(decision, now.plusSeconds(60))).isPresent();
  }

  private void othersTakeIt() {
    told.sees(pod("thief").gpus(1).scheduler("default-scheduler").on("b"));
    assertThat(told.ledger.collapse()).hasSize(1);
  }

  private Map<QueueName, KeptRoom> reclaimed() {
    return told.ledger.snapshot(now).backoffs().reclaimed();
  }

  /// Else it has the rest back before the other pods go.
  @Test
  void aQueueThatLostPodsBorrowsNothingForAMinuteIfOthersTakeTheRoom() {
    isReclaimed();
    assertThat(reclaimed()).isEmpty();
    othersTakeIt();
    var words = "others took room for which pods of this queue were evicted";
    assertThat(reclaimed())
        .isEqualTo(
            Map.of(
                new QueueName("borrower"),
                new KeptRoom(new Backoff("", 1, words, now.plusSeconds(60)), 1000)));
    passes(Duration.ofSeconds(59));
    assertThat(reclaimed()).hasSize(1);
    passes(Duration.ofSeconds(1));
    assertThat(reclaimed()).isEmpty();
  }

  @Test
  void itBorrowsAgainOnceThePreemptorIsBound() {
    isReclaimed();
    othersTakeIt();
    told.farewell("thief");
    claimsOnB();
    told.sees(pod("owed").gpus(1).queue("owner").on("b").version(5));
    assertThat(reclaimed()).isEmpty();
  }

  @Test
  void itGoesOnBorrowingIfAPlanEndsInAnotherWay() {
    isReclaimed();
    told.ledger.veto(uid("owed"), at("b"), WORDS, now.plusSeconds(60));
    assertThat(backoffOf("owed")).isPresent();
    assertThat(reclaimed()).isEmpty();
  }

  /// Any user can name the UID of an owner in another namespace.
  @Test
  void anOwnerIsOneOfItsNamespace() {
    var job = new OwnerUid("job");
    assertThat(pod("claimant").ofJob("job").made().workload())
        .isEqualTo(new Workload.Owned("default", job))
        .isNotEqualTo(new Workload.Owned("elsewhere", job));
  }

  @Test
  void aPodThatKubeSchedulerRejectsIsCountedThoughItComesAgainAsAnother() {
    claims("claimant");
    String missing = "persistentvolumeclaim \"data\" not found";
    told.ledger.refused(
        uid("claimant"), new Problem("the answer of kube-scheduler", missing, "correct it."));
    assertThat(backoffOf("claimant")).contains(new Backoff("", 1, missing, now.plusSeconds(10)));
    comesAgain("claimant");
    assertThat(told.snapshot().backoffs().evicting().workloads()).hasSize(1);
  }

  /// To delete a pod once is ordinary.
  @Test
  void podDeletedBeforeItIsBoundWaitsFromTheSecondTime() {
    claims("claimant");
    comesAgain("claimant");
    assertThat(backoffOf("claimant")).isEmpty();
    claimsAgain("claimant");
    comesAgain("claimant");
    assertThat(backoffOf("claimant")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  @Test
  void aPlanForWhichNoPodLeavesIsNotCounted() {
    told.sees(pod("stays").gpus(1).on("a"));
    told.ledger.assume(Told.alone("claimant", Placement.on(at("a")), "stays"), now.plusSeconds(60));
    comesAgain("claimant");
    assertThat(told.snapshot().backoffs()).isEqualTo(Backoffs.NONE);
    passes(Duration.ofSeconds(10));
    told.farewell("stays");
    assertThat(told.snapshot().backoffs()).as("long after").isEqualTo(Backoffs.NONE);
  }

  /// It was asked to leave, and no watch had shown that yet.
  @Test
  void aPlanForWhichAPodLeavesAMomentLaterCounts() {
    told.sees(pod("stays").gpus(1).on("a"));
    told.ledger.assume(Told.alone("claimant", Placement.on(at("a")), "stays"), now.plusSeconds(60));
    told.ledger.veto(uid("claimant"), at("a"), WORDS, now.plusSeconds(60));
    passes(Duration.ofSeconds(9));
    told.sees(pod("stays").gpus(1).on("a").leaving().version(7));
    assertThat(backoffOf("claimant")).contains(new Backoff("", 1, WORDS, now.plusSeconds(10)));
    told.farewell("stays");
    assertThat(backoffOf("claimant")).contains(new Backoff("", 1, WORDS, now.plusSeconds(10)));
  }

  @Test
  void aPlanThatLapsesCountsOnceItsGateIsOpen() {
    claims("claimant");
    passes(Duration.ofMinutes(2));
    var _ = told.ledger.expire(now);
    assertThat(told.snapshot().backoffs()).as("its victim did not leave").isEqualTo(Backoffs.NONE);
    for (int i = 0; i < 2; i++) {
      claims("claimant");
      told.sees(pod("claimant").gpus(1).ungated().version(5 + i));
      passes(Duration.ofMinutes(2));
      var _ = told.ledger.expire(now);
    }
    assertThat(backoffOf("claimant")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  /// The one that stays may be of the user that it is for, and never end.
  @Test
  void aPlanThatWaitedForOneWhileAnotherLeftForItCounts() {
    told.nodes(2, "b");
    told.sees(pod("wide").gpus(2));
    told.sees(pod("slow").gpus(1).on("b").leaving());
    for (int i = 0; i < 2; i++) {
      told.sees(pod("quick-" + i).gpus(1).on("b").leaving());
      var plan = Told.alone("wide", Placement.on(at("b")), "quick-" + i, "slow");
      assertThat(told.ledger.assume(plan, now.plusSeconds(60))).isPresent();
      told.farewell("quick-" + i);
      passes(Duration.ofMinutes(2));
      assertThat(told.ledger.expire(now)).hasSize(1);
    }
    assertThat(backoffOf("wide")).contains(new Backoff("", 2, "", now.plusSeconds(10)));
  }

  @Test
  void afterAnHourItIsForgotten() {
    claims("claimant");
    refused("claimant");
    passes(Duration.ofMinutes(59));
    assertThat(backoffOf("claimant")).isPresent();
    passes(Duration.ofMinutes(1));
    assertThat(told.ledger.snapshot(now).backoffs()).isSameAs(Backoffs.NONE);
  }

  /// Otherwise each new name would be another try.
  @Test
  void theFifthWorkloadOfANamespaceThatFailsMakesTheOthersWait() {
    for (int i = 0; i < 4; i++) {
      fails("w" + i);
    }
    assertThat(backoffOf("claimant")).as("four failed").isEmpty();
    fails("w4");
    assertThat(backoffOf("claimant"))
        .contains(new Backoff("default", 5, WORDS, now.plusSeconds(10)));
    fails("w4");
    assertThat(backoffOf("claimant"))
        .as("the same once more")
        .contains(new Backoff("default", 5, WORDS, now.plusSeconds(10)));
    fails("w5");
    assertThat(backoffOf("claimant"))
        .contains(new Backoff("default", 6, WORDS, now.plusSeconds(30)));
    assertThat(backoffOf("w4")).contains(new Backoff("", 2, WORDS, now.plusSeconds(30)));
    claims("w5");
    told.sees(pod("w5").gpus(1).on("a").version(91));
    passes(Duration.ofMinutes(1));
    assertThat(backoffOf("claimant"))
        .as("one of them has run: five failed")
        .contains(new Backoff("default", 5, WORDS, START.plusSeconds(30)));
    assertThat(backoffOf("w5")).as("by itself").contains(backoffOf("claimant").orElseThrow());
  }

  /// Of all ways on which a plan with victims may end those count that are no choice of Berth's
  /// own. The others have their reasons in [PlanEnd.Way].
  @Test
  void aPlanThatEndsCountsHoweverItEnds() {
    var counted = new LinkedHashMap<String, Runnable>();
    counted.put("vetoed", () -> refused("claimant"));
    counted.put(
        "rejected",
        () -> told.ledger.refused(uid("claimant"), new Problem("the answer", WORDS, "mend it.")));
    counted.put("its write fails", () -> forget(""));
    counted.put("its write is refused", () -> forget(WORDS));
    counted.put("lapsed with its gate open", () -> lapses(pod("claimant").gpus(1).ungated()));
    counted.put(
        "lapsed while its gate is lifted",
        () -> {
          var plan = new Assumed(pod("claimant").gpus(1).made(), told.planOf("claimant"));
          assertThat(told.ledger.renew(List.of(plan), now.plusSeconds(90))).isPresent();
          lapses(pod("claimant").gpus(1));
        });
    counted.put("deleted", () -> told.farewell("claimant"));
    counted.put(
        "deleted while its Binding is written",
        () -> {
          told.farewell("victim");
          assertThat(told.ledger.commit(uid("claimant"), at("a")))
              .isInstanceOf(BindCommit.Ready.class);
          told.farewell("claimant");
        });
    counted.put(
        "failed before it is bound",
        () -> told.sees(pod("claimant").gpus(1).over(false).version(50)));
    counted.put(
        "its room is taken",
        () -> {
          told.farewell("victim");
          told.sees(pod("thief").gpus(1).scheduler("default-scheduler").on("a"));
          assertThat(told.ledger.collapse()).hasSize(1);
        });
    counted.put("its queue was changed", () -> told.ledger.giveBack(List.of(withdrawn()), 0));
    var excepted = new LinkedHashMap<String, Runnable>();
    counted.put("lost to nobody who precedes it", () -> withdraw(Decision.Loss.OF_ITSELF));
    var other = new GroupKey("default", "other");
    excepted.put("gave way", () -> withdraw(Decision.Loss.to(other)));
    excepted.put("goes with its group", () -> withdraw(Decision.Loss.WITH_MEMBERS));
    excepted.put("waited behind its gate", () -> lapses(pod("claimant").gpus(1)));
    excepted.put("its victim is spared", () -> told.ledger.keep(uid("victim"), now));
    excepted.put(
        "its Binding is in doubt",
        () -> {
          told.farewell("victim");
          assertThat(told.ledger.commit(uid("claimant"), at("a")))
              .isInstanceOf(BindCommit.Ready.class);
          told.ledger.doubt(uid("claimant"), now.plusSeconds(70));
          lapses(pod("claimant").gpus(1).ungated());
        });
    counted.forEach((way, ends) -> assertThat(failuresAfter(ends)).as(way).isEqualTo(2));
    excepted.forEach((way, ends) -> assertThat(failuresAfter(ends)).as(way).isOne());
  }

  /// It has failed once before, so that a way without words shows.
  private int failuresAfter(Runnable ends) {
    told = new Told();
    now = START;
    aFullNode();
    claims("claimant");
    refused("claimant");
    passes(Duration.ofSeconds(11));
    claims("claimant");
    ends.run();
    var shown = told.ledger.snapshot(now).backoffs().evicting().workloads();
    return shown.values().iterator().next().failures();
  }

  private void forget(String words) {
    assertThat(told.ledger.forget(uid("claimant"), told.planOf("claimant"), words)).isTrue();
  }

  private void lapses(PodSketch as) {
    told.sees(as.version(50));
    passes(Duration.ofMinutes(2));
    assertThat(told.ledger.expire(now)).hasSize(1);
  }

  private Withdrawn withdrawn() {
    var key = new PodKey("default", "claimant");
    return new Withdrawn(uid("claimant"), key, told.planOf("claimant"));
  }

  private void withdraw(Decision.Loss loss) {
    var group = Told.alone("claimant", Placement.on(at("a"))).group();
    told.ledger.assume(
        List.of(new Decision.Withdraw(group, List.of(withdrawn()), loss)), List.of(), now);
    assertThat(told.standing("claimant")).isEqualTo(new Standing.Waiting());
  }

  /// Others have left for both of them.
  @Test
  void podThatTakesTheRoomOfAPlanAnswersForItsVictims() {
    told.sees(pod("other").gpus(1));
    manyVictims(9);
    claims("claimant");
    overtakes("taker");
    told.farewell("claimant");
    assertThat(backoffOf("other")).as("its victims have not left in vain yet").isEmpty();
    told.farewell("taker");
    assertThat(backoffOf("other")).contains(new Backoff("default", 1, "", now.plusSeconds(10)));
  }

  @Test
  void podThatTakesTheRoomOfAPlanAndRunsMadeGoodUseOfIt() {
    told.sees(pod("other").gpus(1));
    manyVictims(9);
    claims("claimant");
    overtakes("taker");
    told.sees(pod("taker").gpus(1).on("a").version(91));
    passes(Duration.ofMinutes(1));
    told.farewell("taker");
    assertThat(told.ledger.snapshot(now).backoffs()).isEqualTo(Backoffs.NONE);
  }

  /// A user moves his gated pod by its node affinity as its victims leave.
  @Test
  void podPlannedAnewElsewhereAnswersForTheVictimsOfBoth() {
    told.nodes(1, "b");
    told.sees(pod("second").gpus(1).on("b").leaving());
    manyVictims(8);
    claims("claimant");
    var anew = Told.alone("claimant", Placement.on(at("b")), "second");
    var withdrawal =
        new Decision.Withdraw(anew.group(), List.of(withdrawn()), Decision.Loss.to(anew.group()));
    assertThat(told.ledger.assume(List.of(withdrawal), List.of(anew), now.plusSeconds(60)))
        .doesNotContain(Optional.empty());
    told.sees(pod("other").gpus(1));
    told.farewell("claimant");
    assertThat(backoffOf("other"))
        .as("nine have left in vain")
        .contains(new Backoff("default", 1, "", now.plusSeconds(10)));
  }

  /// No pod has to leave for the taker.
  private void overtakes(String taker) {
    told.sees(pod(taker).gpus(1));
    var decision = Told.alone(taker, Placement.on(at("a")));
    var loss = Decision.Loss.to(decision.group());
    var withdrawal =
        new Decision.Withdraw(
            Told.alone("claimant", Placement.on(at("a"))).group(), List.of(withdrawn()), loss);
    assertThat(told.ledger.assume(List.of(withdrawal), List.of(decision), now.plusSeconds(60)))
        .doesNotContain(Optional.empty());
  }

  /// Each of its pods had others leave, and succeeded within seconds.
  @Test
  void podsOfOneWorkloadThatHardlyRunAddUpByVictims() {
    told.sees(pod("other").gpus(1));
    manyVictims(5);
    for (String member : List.of("m0", "m1")) {
      assertThat(backoffOf("other")).isEmpty();
      told.sees(pod(member).gpus(1).group("g"));
      var place = List.of(Told.place(member, Placement.on(at("a"))));
      var key = new GroupKey("default", "g");
      var victimsOfAll = Told.victims("g", victims);
      var decision = new Decision.Reserve(key, List.of(), place, victimsOfAll);
      assertThat(told.ledger.assume(decision, now.plusSeconds(60))).isPresent();
      told.sees(pod(member).gpus(1).group("g").on("a").version(5));
      passes(Duration.ofSeconds(1));
      told.sees(pod(member).gpus(1).group("g").on("a").over(true).version(7));
    }
    assertThat(backoffOf("other")).contains(new Backoff("default", 1, "", now.plusSeconds(30)));
  }

  /// A block is one plan, and its members have the same victims.
  @Test
  void aBlockThatFailsCountsOnce() {
    for (String name : List.of("g0", "g1")) {
      told.sees(pod(name).gpus(1).group("g"));
    }
    told.nodes(1, "b");
    var block =
        List.of(Told.place("g0", Placement.on(at("a"))), Told.place("g1", Placement.on(at("b"))));
    var decision =
        new Decision.Reserve(
            new GroupKey("default", "g"), block, List.of(), Told.victims("g", "victim"));
    assertThat(told.ledger.assume(decision, now.plusSeconds(60))).isPresent();
    told.ledger.veto(uid("g1"), at("b"), WORDS, now.plusSeconds(1));
    assertThat(told.snapshot().backoffs().evicting().workloads().values())
        .containsExactly(new Backoff("", 1, WORDS, now.plusSeconds(10)));
  }

  private void runsFor(String pod, Duration time) {
    told.sees(pod(pod).gpus(1));
    claims(pod);
    told.sees(pod(pod).gpus(1).on("a").version(5));
    passes(time);
    told.sees(pod(pod).gpus(1).on("a").over(true).version(7));
  }

  /// The room is theirs by quota, and returns to borrowers as soon as it is free.
  @Test
  void theFifthWorkloadOfANamespaceThatHardlyRunsMakesTheOthersWaitForHalfAMinute() {
    told.sees(pod("other").gpus(1));
    for (int i = 0; i < 4; i++) {
      runsFor("brief-" + i, Duration.ofSeconds(1));
      assertThat(backoffOf("other")).isEmpty();
    }
    for (int i = 4; i < 7; i++) {
      runsFor("brief-" + i, Duration.ofSeconds(1));
      assertThat(backoffOf("other"))
          .as("each time as long")
          .contains(new Backoff("default", i + 1, "", now.plusSeconds(30)));
      passes(Duration.ofSeconds(30));
    }
  }

  /// Else one that runs would make up for any number of others.
  @Test
  void podThatRunsForLongerMakesUpForOneThatHardlyRan() {
    told.sees(pod("other").gpus(1));
    for (int i = 0; i < 6; i++) {
      runsFor("brief-" + i, Duration.ofSeconds(1));
    }
    runsFor("long", Duration.ofSeconds(11));
    assertThat(backoffOf("other")).as("five of six").isPresent();
    runsFor("longer", Duration.ofSeconds(11));
    assertThat(backoffOf("other")).as("four of six").isEmpty();
    runsFor("brief-again", Duration.ofSeconds(1));
    assertThat(backoffOf("other")).contains(new Backoff("default", 5, "", now.plusSeconds(30)));
  }

  /// It had its victims leave before the pause.
  @Test
  void whatEndsDuringThatPauseDoesNotProlongIt() {
    told.sees(pod("other").gpus(1));
    for (int i = 0; i < 5; i++) {
      runsFor("brief-" + i, Duration.ofSeconds(1));
    }
    var until = now.plusSeconds(30);
    passes(Duration.ofSeconds(20));
    runsFor("one-more", Duration.ofSeconds(1));
    assertThat(backoffOf("other")).contains(new Backoff("default", 6, "", until));
  }

  @Test
  void whatHardlyRunsCountsByItsVictims() {
    told.sees(pod("other").gpus(1));
    manyVictims(8);
    runsFor("brief-0", Duration.ofSeconds(1));
    assertThat(backoffOf("other")).as("eight victims").isEmpty();
    runsFor("brief-1", Duration.ofSeconds(1));
    assertThat(backoffOf("other")).as("sixteen").isPresent();
  }

  private void manyVictims(int count) {
    victims = IntStream.range(0, count).mapToObj(i -> "victim-" + i).toArray(String[]::new);
    for (String victim : victims) {
      told.sees(pod(victim).gpus(1).on("a").leaving());
    }
  }

  /// One pod of eight GPUs, made and deleted again and again, costs as much each time as eight.
  @Test
  void aNamespaceWaitsOnceMoreThanEightVictimsHaveLeftForNothing() {
    told.sees(pod("other").gpus(1));
    manyVictims(8);
    int[] seconds = {0, 10, 30, 90};
    for (int i = 0; i < seconds.length; i++) {
      isDeleted("made-" + i);
      assertThat(backoffOf("other"))
          .as("%s times", i + 1)
          .isEqualTo(
              seconds[i] == 0
                  ? Optional.empty()
                  : Optional.of(new Backoff("default", i + 1, "", now.plusSeconds(seconds[i]))));
      passes(Duration.ofSeconds(seconds[i]));
    }
  }

  @Test
  void oneFailureMakesTheNamespaceWaitForOneStepWhateverItCost() {
    told.sees(pod("other").gpus(1));
    manyVictims(60);
    isDeleted("large");
    assertThat(backoffOf("other")).contains(new Backoff("default", 1, "", now.plusSeconds(10)));
  }

  /// Its own pause is for what it does again.
  @Test
  void aWorkloadCountsWithTheMostThatItCostAtOneTime() {
    told.sees(pod("other").gpus(1));
    manyVictims(2);
    isDeleted("again");
    manyVictims(7);
    isDeleted("again");
    isDeleted("again");
    assertThat(backoffOf("other")).as("seven victims").isEmpty();
    manyVictims(2);
    isDeleted("else");
    assertThat(backoffOf("other")).as("nine").isPresent();
  }

  @Test
  void runningPodIsTakenOutWithItsVictims() {
    told.sees(pod("other").gpus(1));
    manyVictims(8);
    fails("w0");
    fails("w1");
    assertThat(backoffOf("other")).isPresent();
    claims("w1");
    told.sees(pod("w1").gpus(1).on("a").version(91));
    passes(Duration.ofMinutes(1));
    assertThat(backoffOf("other")).isEmpty();
    told.farewell("w1");
    manyVictims(1);
    fails("w2");
    assertThat(backoffOf("other")).as("nine victims").isPresent();
  }

  /// Else a small pod of a group that others leave for would take out what large ones cost.
  @Test
  void runningPodTakesOutNoMoreVictimsThanItHad() {
    told.sees(pod("other").gpus(1));
    manyVictims(10);
    fails("w0");
    assertThat(backoffOf("other")).isPresent();
    manyVictims(1);
    claims("w0");
    told.sees(pod("w0").gpus(1).on("a").version(91));
    passes(Duration.ofMinutes(1));
    told.farewell("w0");
    assertThat(told.snapshot().backoffs().evicting().namespaces().get("default").until())
        .as("its victims are nine of ten now")
        .isAfter(START);
    manyVictims(8);
    fails("w1");
    assertThat(backoffOf("other")).as("seventeen").contains(backoff(2, 30));
  }

  private Backoff backoff(int failures, int seconds) {
    return new Backoff("default", failures, WORDS, now.plusSeconds(seconds));
  }

  private void isDeleted(String pod) {
    told.sees(pod(pod).gpus(1).uid(pod + "-" + ++incarnation).version(100 + incarnation));
    var uid = new PodUid(pod + "-" + incarnation);
    claims(pod, uid);
    told.ledger.record(new Fact.PodGone(new PodKey("default", pod), uid));
  }

  private void fails(String pod) {
    if (told.ledger.pod(uid(pod)).isEmpty()) {
      told.sees(pod(pod).gpus(1));
    }
    claims(pod);
    refused(pod);
  }

  private void claims(String pod) {
    claims(pod, uid(pod));
  }

  private void claimsAgain(String pod) {
    claims(pod, new PodUid(pod + "-" + incarnation));
  }

  private void claims(String pod, PodUid uid) {
    var whole = Told.alone(pod, Placement.on(at("a")), victims);
    var place = new Reserved(uid, new PodKey("default", pod), Placement.on(at("a")));
    var decision = new Decision.Reserve(whole.group(), List.of(place), List.of(), whole.victims());
    assertThat(told.ledger.assume(decision, now.plusSeconds(60))).isPresent();
  }

  private void isBound() {
    claims("claimant");
    told.sees(pod("claimant").gpus(1).on("a").version(5));
  }

  private void refused(String pod) {
    told.ledger.veto(uid(pod), at("a"), WORDS, now.plusSeconds(1));
  }

  private void comesAgain(String name) {
    PodSketch next = pod(name).gpus(1).uid(name + "-" + ++incarnation).version(100 + incarnation);
    PodUid last = incarnation == 1 ? uid(name) : new PodUid(name + "-" + (incarnation - 1));
    told.ledger.record(new Fact.PodGone(new PodKey("default", name), last));
    told.sees(next);
  }

  private void passes(Duration time) {
    now = now.plus(time);
    var _ = told.ledger.snapshot(now);
  }

  private Optional<Backoff> backoffOf(String pod) {
    var snapshot = told.ledger.snapshot(now);
    return snapshot.groups().stream()
        .filter(group -> group.members().getFirst().pod().key().name().equals(pod))
        .findFirst()
        .flatMap(snapshot.backoffs().evicting()::of);
  }
}
