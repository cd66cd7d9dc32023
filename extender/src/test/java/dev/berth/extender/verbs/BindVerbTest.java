package dev.berth.extender.verbs;

import static dev.berth.extender.verbs.VerbCluster.pod;
import static dev.berth.extender.verbs.VerbCluster.uid;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import dev.berth.extender.barrier.BarrierResult;
import dev.berth.extender.barrier.VirtualLater;
import dev.berth.extender.verbs.Bindings.Outcome.Bound;
import dev.berth.extender.verbs.Bindings.Outcome.Refused;
import dev.berth.extender.verbs.Bindings.Outcome.Unsure;
import dev.berth.extender.wire.BindAnswer;
import dev.berth.extender.wire.BindQuestion;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BindVerbTest {
  private final VirtualLater later = new VirtualLater();
  private final VerbCluster cluster =
      new VerbCluster(later, BindSettings.DEFAULT).nodes("n1", "n2");

  private static void says(CompletableFuture<BindAnswer> answer, String words) {
    assertThat(answer).isCompleted();
    assertThat(answer.join().error()).startsWith("berth").contains(words);
  }

  private static void isBound(CompletableFuture<BindAnswer> answer) {
    assertThat(answer).isCompletedWithValue(BindAnswer.BOUND);
  }

  @Test
  void aPlannedPodIsBoundWithOneWrite() {
    cluster.planned("train", "n1");

    isBound(cluster.bind("train", "n1"));

    assertThat(cluster.bindings.written()).hasSize(1);
    var written = cluster.bindings.written().getFirst();
    assertThat(written.uid()).isEqualTo(uid("train"));
    assertThat(written.node()).isEqualTo(new NodeName("n1"));
    assertThat(written.annotations()).as("it bears its plan already").isEmpty();
    assertThat(cluster.ledger.standing(uid("train"))).containsInstanceOf(Standing.Bound.class);
    assertThat(cluster.outcomes).containsExactly(VerbOutcome.WRITTEN);
    assertThat(cluster.bind.waiting()).isZero();
  }

  @Test
  void aRepeatIsASuccessWithoutAWrite() {
    cluster.planned("train", "n1");
    isBound(cluster.bind("train", "n1"));

    isBound(cluster.bind("train", "n1"));

    assertThat(cluster.bindings.written()).hasSize(1);
  }

  @Test
  void anotherNodeThanPlannedIsRefused() {
    cluster.planned("train", "n1");

    says(cluster.bind("train", "n2"), "planned on another node");

    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void anotherNodeThanBoundIsRefused() {
    cluster.planned("train", "n1");
    isBound(cluster.bind("train", "n1"));

    says(cluster.bind("train", "n2"), "bound to another node");
  }

  @Test
  void aUidOfAnotherPodIsRefused() {
    cluster.planned("train", "n1");
    var question = new BindQuestion(VerbCluster.key("other"), uid("train"), new NodeName("n1"));

    says(cluster.bind.answer(question).toCompletableFuture(), "the UID belongs to");

    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void theDevicesTravelWithTheBinding() {
    cluster
        .sharing("half", "n1", 0, 500)
        .seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));

    isBound(cluster.bind("half", "n1"));

    assertThat(cluster.bindings.written().getFirst().annotations())
        .containsOnly(
            Map.entry("berth.dev/gpu-devices", "GPU-7"),
            Map.entry("berth.dev/gpu-inject", "GPU-7"),
            Map.entry("berth.dev/gpu-share", "0.5"));
  }

  /// What a container reads to get its GPU depends on its node; the plain UUID stays beside it.
  @ParameterizedTest
  @CsvSource({
    "env-cdi, k8s.device-plugin.nvidia.com/gpu=GPU-7, ''",
    "nri, void, k8s.device-plugin.nvidia.com/gpu=GPU-7",
  })
  void theBindingWritesWhatTheNodeNeeds(String mode, String variable, String nri) {
    cluster.ledger.injection(new NodeName("n1"), new Injection(mode, "", ""));
    cluster
        .sharing("half", "n1", 0, 500)
        .seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));

    isBound(cluster.bind("half", "n1"));

    var annotations = cluster.bindings.written().getFirst().annotations();
    assertThat(annotations)
        .containsEntry("berth.dev/gpu-devices", "GPU-7")
        .containsEntry("berth.dev/gpu-inject", variable);
    assertThat(annotations.getOrDefault("nvidia.cdi.k8s.io/container.main", "")).isEqualTo(nri);
  }

  @Test
  void aShareWaitsForTheProofOfItsNode() {
    cluster.ledger.injection(new NodeName("n1"), Injection.unproven(""));
    cluster
        .sharing("half", "n1", 0, 500)
        .seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));

    var answer = cluster.bind("half", "n1");
    assertThat(answer).as("its holder has told its GPU, and nothing is proven").isNotDone();

    cluster.ledger.injection(new NodeName("n1"), new Injection("env", "", ""));
    cluster.bind.changed();
    later.pass(ofSeconds(1));
    isBound(answer);
  }

  @Test
  void aBindWaitsForTheHolderToReport() {
    cluster.sharing("half", "n1", 0, 125);
    var answer = cluster.bind("half", "n1");
    assertThat(answer).isNotDone();
    later.pass(ofSeconds(5));
    assertThat(answer).isNotDone();

    cluster.seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));
    later.pass(ofMillis(10));

    isBound(answer);
    assertThat(cluster.bindings.written().getFirst().annotations())
        .containsEntry("berth.dev/gpu-share", "0.125");
  }

  @Test
  void aHolderThatNeverReportsEndsTheBind() {
    cluster.sharing("half", "n1", 0, 500);
    var answer = cluster.bind("half", "n1");

    later.pass(ofSeconds(21));

    says(answer, "holders");
    assertThat(cluster.bind.waiting()).isZero();
    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void aPodThatTheWatchHasNotBroughtIsWaitedForShortly() {
    var answer = cluster.bind("new", "n1");
    var never = cluster.bind("never", "n1");
    assertThat(answer).isNotDone();

    cluster.seen(pod("new"));
    later.pass(ofMillis(10));

    isBound(answer);
    later.pass(ofSeconds(2));
    says(never, "not known");
  }

  @Test
  void aPodWithoutGateIsPlacedOnTheNodeItIsBoundTo() {
    cluster.seen(pod("free"));

    isBound(cluster.bind("free", "n2"));

    var written = cluster.bindings.written().getFirst();
    assertThat(written.node()).isEqualTo(new NodeName("n2"));
    assertThat(written.annotations()).containsOnlyKeys("berth.dev/plan");
    assertThat(written.annotations().get("berth.dev/plan")).startsWith("node=n2 ");
    assertThat(cluster.ledger.standing(uid("free"))).containsInstanceOf(Standing.Bound.class);
  }

  @Test
  void aPodOfAnotherSchedulerIsBoundAndCounted() {
    cluster.seen(pod("web").scheduler("default-scheduler"));

    isBound(cluster.bind("web", "n2"));

    assertThat(cluster.ledger.standing(uid("web"))).containsInstanceOf(Standing.Bound.class);
  }

  @Test
  void aPodOfASchedulerThatIsNotConfiguredIsNotBound() {
    cluster.seen(pod("web").scheduler("another"));

    says(cluster.bind("web", "n2"), "spec.schedulerName of pod ml/web is \"another\"");

    assertThat(cluster.bindings.written()).isEmpty();
  }

  /// The node changed since the plan was made, or the client is not kube-scheduler: each way to
  /// bind, and each rule.
  @Test
  void aPodIsNotBoundAgainstItsNode() {
    var in = new Constraints.Expression(false, "zone", Constraints.Operator.IN, List.of("a"));
    var term = List.of(new Constraints.Term(List.of(in)));
    var tainted = List.of(new Node.Taint("example.com/reserved", "", "NoExecute"));
    var wants = new TreeMap<>(Map.of("disk", "ssd"));
    refuses("cordoned", "the node is cordoned", Constraints.NONE, List.of(), true);
    refuses("tainted", "taint example.com/reserved", Constraints.NONE, tainted, false);
    var selector = new Constraints(wants, List.of(), List.of());
    refuses("selected", "the label disk=ssd as spec.nodeSelector", selector, List.of(), false);
    var affinity = new Constraints(new TreeMap<>(), term, List.of());
    refuses("near", "required node affinity", affinity, List.of(), false);
  }

  private void refuses(
      String name, String words, Constraints rules, List<Node.Taint> taints, boolean cordoned) {
    cluster.nodes(name).planned(pod(name).within(rules), Placement.on(new NodeName(name)));
    cluster.seen(pod(name + "-alone").within(rules));
    cluster.seen(pod(name + "-other").within(rules).scheduler("default-scheduler"));
    cluster.node(name, Map.of(), taints, cordoned);

    says(cluster.bind(name, name), words);
    says(cluster.bind(name + "-alone", name), words);
    says(cluster.bind(name + "-other", name), words);

    assertThat(cluster.bindings.written()).isEmpty();
    assertThat(cluster.ledger.standing(uid(name)))
        .as("its plan is given back in its time, not held as if it were being bound")
        .containsInstanceOf(Standing.Planned.class);
  }

  @Test
  void boundPodIsToldSoThoughItsNodeIsCordonedSince() {
    cluster.planned("train", "n1");
    isBound(cluster.bind("train", "n1"));
    cluster.node("n1", Map.of(), List.of(), true);

    isBound(cluster.bind("train", "n1"));
  }

  /// Else kube-scheduler keeps its place for ever, and never comes again.
  @Test
  void whoseBindingIsForgottenIsNotCalledBound() {
    cluster.planned("train", "n1");
    isBound(cluster.bind("train", "n1"));
    cluster.bindings.knows(new Refused("not there any more"));

    says(cluster.bind("train", "n1"), "not there any more");

    cluster.bindings.knows(new Bound());
    isBound(cluster.bind("train", "n1"));
    assertThat(cluster.bindings.written()).as("looked up, not written again").hasSize(1);
  }

  @Test
  void whatTheEngineRefusesIsNotBound() {
    cluster.seen(pod("free"));
    cluster.ungated.refusing.put(
        new NodeName("n1"), new UngatedPodPlanner.Judgement.Refused("OverLimit", false));

    says(cluster.bind("free", "n1"), "OverLimit");

    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void gatedPodIsNotBoundWithoutAPlan() {
    cluster.seen(pod("gated").gated());

    says(cluster.bind("gated", "n1"), "waits in its queue");

    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void aFailedWriteLeavesThePlanAsItWas() {
    cluster.planned("train", "n1");
    cluster.bindings.answersWith(new Refused("the pod is being deleted"));
    says(cluster.bind("train", "n1"), "the pod is being deleted");
    assertThat(cluster.ledger.standing(uid("train"))).containsInstanceOf(Standing.Planned.class);

    cluster.bindings.answersWith(new Bound());
    isBound(cluster.bind("train", "n1"));
  }

  @Test
  void aWriteWithUnknownOutcomeKeepsItsPlaceForAWhile() {
    cluster.planned("train", "n1");
    cluster.bindings.answersWith(new Unsure("timeout"));
    says(cluster.bind("train", "n1"), "timeout");

    later.pass(ofSeconds(299)); // up to the deadline of its plan
    assertThat(cluster.ledger.expire(later.instant())).isEmpty();
    later.pass(ofSeconds(1));
    assertThat(cluster.ledger.expire(later.instant())).hasSize(1);
  }

  @Test
  void aWriteWithUnknownOutcomeKeepsItsPlaceThoughTheNextIsRefused() {
    cluster.planned("train", "n1");
    later.pass(ofSeconds(299));
    cluster.bindings.answersWith(new Unsure("timeout"));
    says(cluster.bind("train", "n1"), "timeout");
    cluster.bindings.answersWith(new Refused("too many requests"));
    says(cluster.bind("train", "n1"), "too many requests");

    later.pass(ofSeconds(59)); // past the deadline of its plan
    assertThat(cluster.ledger.expire(later.instant())).isEmpty();
    later.pass(ofSeconds(1));
    assertThat(cluster.ledger.expire(later.instant())).hasSize(1);
  }

  @Test
  void aWriteWithUnknownOutcomeIsDoneAgain() {
    cluster.planned("train", "n1");
    cluster.bindings.answersWith(new Unsure("timeout"));
    says(cluster.bind("train", "n1"), "timeout");
    cluster.bindings.answersWith(new Bound());
    isBound(cluster.bind("train", "n1"));
  }

  @Test
  void aGangIsBoundWhenAllAreThere() {
    cluster.gang("g", 3, "n1");
    var first = cluster.bind("g-0", "n1");
    var second = cluster.bind("g-1", "n1");
    assertThat(first).isNotDone();
    assertThat(cluster.bindings.written()).isEmpty();
    assertThat(cluster.bind.waiting()).isEqualTo(2);

    isBound(cluster.bind("g-2", "n1"));

    isBound(first);
    isBound(second);
    assertThat(cluster.bindings.written()).hasSize(3);
    assertThat(cluster.gangs).containsExactly(new BarrierResult.Open());
  }

  @Test
  void aGangThatDoesNotComeTogetherBindsNoPod() {
    cluster.gang("g", 3, "n1");
    var first = cluster.bind("g-0", "n1");
    var second = cluster.bind("g-1", "n1");

    later.pass(ofSeconds(20));

    says(first, "the rest of its gang");
    says(second, "the rest of its gang");
    assertThat(cluster.bindings.written()).isEmpty();
    assertThat(cluster.bind.waiting()).isZero();
    assertThat(cluster.outcomes).containsOnly(VerbOutcome.GANG_FAILED);
    assertThat(cluster.ledger.standing(uid("g-0")))
        .as("kube-scheduler may bring it again")
        .containsInstanceOf(Standing.Planned.class);
  }

  @Test
  void podThatPassedTheBarrierAndFindsItsRoomGoneKeepsItNoLongerThanItsPlan() {
    cluster.gang("g", 2, "n1");
    var first = cluster.bind("g-0", "n1");
    cluster.bindings.meanwhile(
        () -> cluster.ledger.record(new Fact.NodeGone(new NodeName("n1"), Long.MAX_VALUE)));
    says(cluster.bind("g-1", "n1"), "the room is not there any more");
    isBound(first);
    later.pass(ofSeconds(300));
    assertThat(cluster.ledger.expire(later.instant())).hasSize(1);
  }

  @Test
  void aGangThatFailedMayComeAgain() {
    cluster.gang("g", 2, "n1");
    cluster.bind("g-0", "n1");
    later.pass(ofSeconds(21));

    var again = cluster.bind("g-0", "n1");
    isBound(cluster.bind("g-1", "n1"));

    isBound(again);
  }

  @Test
  void aMemberWhoseWriteFailedComesAgainAfterTheOthersWent() {
    cluster.gang("g", 2, "n1");
    cluster.bindings.answersWith(new Refused("too many requests"));
    cluster.bind("g-0", "n1");
    says(cluster.bind("g-1", "n1"), "too many requests");
    cluster.bindings.answersWith(new Bound());

    isBound(cluster.bind("g-1", "n1"));
    isBound(cluster.bind("g-0", "n1"));
  }

  @Test
  void aGangHalfBoundBeforeARestartIsFinished() {
    cluster.gang("g", 3, "n1");
    // as the watch tells them to a new process: bound, with the plan that they bear
    for (String member : new String[] {"g-0", "g-1"}) {
      var plan = cluster.ledger.pod(uid(member)).orElseThrow().written().plan();
      cluster.seen(
          pod(member)
              .of(new GroupKey(VerbCluster.NAMESPACE, "g"))
              .written(plan)
              .on("n1")
              .phase(Pod.Phase.RUNNING));
    }

    isBound(cluster.bind("g-2", "n1"));
  }

  @Test
  void aGangWhosePlanIsGivenUpIsToldAtOnce() {
    cluster.gang("g", 2, "n1");
    var first = cluster.bind("g-0", "n1");
    var plan = cluster.ledger.pod(uid("g-1")).orElseThrow().written().plan();

    cluster.barrier.giveUp(plan.gang());

    says(first, "given up");
    assertThat(cluster.bind.waiting()).isZero();
  }

  @Test
  void aLaterBindTakesThePlaceOfTheOneThatWaits() {
    cluster.gang("g", 2, "n1");
    var first = cluster.bind("g-0", "n1");
    var again = cluster.bind("g-0", "n1");

    says(first, "replaced");
    assertThat(again).isNotDone();
    assertThat(cluster.bind.waiting()).isEqualTo(1);

    isBound(cluster.bind("g-1", "n1"));
    isBound(again);
    assertThat(cluster.bindings.written()).hasSize(2);
  }

  @Test
  void aLaterBindTakesThePlaceOfTheOneThatWaitsForAHolder() {
    cluster.sharing("half", "n1", 0, 500);
    var first = cluster.bind("half", "n1");
    var again = cluster.bind("half", "n1");
    says(first, "replaced");

    cluster.seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));
    later.pass(ofMillis(10));

    isBound(again);
    assertThat(cluster.bindings.written()).hasSize(1);
  }

  @Test
  void aWriteUnderWayIsNotOvertaken() {
    cluster.planned("train", "n1");
    cluster.bindings.slow();
    var first = cluster.bind("train", "n1");
    var second = cluster.bind("train", "n1");
    var third = cluster.bind("train", "n1");
    assertThat(cluster.bindings.written()).hasSize(1);
    says(second, "replaced");

    cluster.bindings.answer(new Bound());

    isBound(first);
    isBound(third);
    assertThat(cluster.bindings.written()).as("bound already").hasSize(1);
    assertThat(cluster.bind.waiting()).isZero();
  }

  @Test
  void theNextTriesWhenTheWriteFails() {
    cluster.planned("train", "n1");
    cluster.bindings.slow();
    var first = cluster.bind("train", "n1");
    var second = cluster.bind("train", "n1");

    cluster.bindings.answer(new Refused("no"));
    says(first, "no");
    assertThat(cluster.bindings.written()).hasSize(2);
    cluster.bindings.answer(new Bound());

    isBound(second);
  }

  @Test
  void aPodThatIsGoneIsNotBound() {
    cluster.planned("train", "n1").gone("train");

    var answer = cluster.bind("train", "n1");
    later.pass(ofSeconds(3));

    says(answer, "not known");
  }

  @Test
  void nothingIsBoundBeforeWeAreReady() {
    cluster.planned("train", "n1");
    cluster.missing = Optional.of("another replica holds the lease");

    var answer = cluster.bind("train", "n1");

    assertThat(answer.join().error())
        .isEqualTo("berth is not ready: another replica holds the lease");
    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void replicaThatLosesTheLeaseWhileAGangWaitsBindsNoPod() {
    cluster.gang("g", 2, "n1");
    var first = cluster.bind("g-0", "n1");
    cluster.missing = Optional.of("another replica holds the lease");

    var second = cluster.bind("g-1", "n1");
    later.pass(ofSeconds(21));

    says(first, "not ready any more: another replica holds the lease");
    says(second, "not ready");
    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void stoppingReplicaAnswersWaitingBindsAtOnceSoThatTheyAskTheNextOne() {
    cluster.gang("g", 2, "n1");
    cluster.sharing("half", "n1", 0, 500);
    var member = cluster.bind("g-0", "n1");
    var share = cluster.bind("half", "n1");
    cluster.missing = Optional.of("this one stops");

    cluster.bind.callOff();

    says(member, "not ready any more: this one stops");
    says(share, "not ready any more: this one stops");
    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void replicaThatLosesTheLeaseWhileABindWaitsForItsHolderWritesNothing() {
    cluster.sharing("half", "n1", 0, 500);
    var answer = cluster.bind("half", "n1");
    cluster.missing = Optional.of("another replica holds the lease");

    cluster.seen(pod("holder").holding("n1", 0, "GPU-7").phase(Pod.Phase.RUNNING));
    later.pass(ofMillis(10));

    says(answer, "not ready any more");
    assertThat(cluster.bindings.written()).isEmpty();
  }

  @Test
  void onlyMembersThatWereBoundCountForTheOthers() {
    cluster.gang("g", 3, "n1");
    var gang = new GroupKey(VerbCluster.NAMESPACE, "g");
    var plan = cluster.ledger.pod(uid("g-0")).orElseThrow().written().plan();
    cluster.seen(
        pod("g-0").of(gang).written(plan).on("n1").phase(Pod.Phase.SUCCEEDED)); // ran, and is done
    cluster.seen(pod("g-1").of(gang).written(plan).leaving()); // deleted before it was bound

    assertThat(new BoundInLedger(cluster.ledger).of(plan.gang(), uid("g-2")))
        .containsExactly(uid("g-0"));
  }

  @Test
  void aPlanThatWasNotBoundMayExpireAgain() {
    cluster.gang("g", 2, "n1").planned("train", "n2");
    cluster.bind("g-0", "n1");
    cluster.bindings.answersWith(new Refused("no"));
    cluster.bind("train", "n2");

    later.pass(ofSeconds(3600));

    assertThat(cluster.ledger.expire(later.instant()))
        .extracting(assumed -> assumed.pod().uid())
        .containsExactlyInAnyOrder(uid("g-0"), uid("g-1"), uid("train"));
  }

  @Test
  void aMemberWhoseBindingIsUnderWayKeepsItsPlaceWhenThatOfAnotherIsRefused() {
    cluster.gang("g", 2, "n1");
    cluster.bindings.slow();
    var first = cluster.bind("g-0", "n1");
    var second = cluster.bind("g-1", "n1");
    cluster.bindings.answer(new Refused("no"));
    says(first, "no");

    later.pass(ofSeconds(3600));
    assertThat(cluster.ledger.expire(later.instant()))
        .extracting(assumed -> assumed.pod().uid())
        .containsExactly(uid("g-0"));
    cluster.bindings.answer(new Bound());

    isBound(second);
    assertThat(cluster.ledger.standing(uid("g-1"))).containsInstanceOf(Standing.Bound.class);
  }

  @Test
  void aGangWhosePlanIsGoneFromTheLedgerIsToldSoon() {
    cluster.gang("g", 3, "n1");
    var first = cluster.bind("g-0", "n1");
    var second = cluster.bind("g-1", "n1");
    var plan = cluster.ledger.pod(uid("g-1")).orElseThrow().written().plan();

    cluster.ledger.forget(uid("g-1"), plan);
    later.pass(ofMillis(10));

    says(first, "given up");
    says(second, "given up");
    assertThat(cluster.bind.waiting()).isZero();
  }

  @Test
  void aGangThatLosesAMemberIsToldSoon() {
    cluster.gang("g", 3, "n1");
    var first = cluster.bind("g-0", "n1");
    cluster.bind("g-1", "n1");

    cluster.gone("g-1");
    later.pass(ofMillis(10));

    says(first, "given up");
  }

  @Test
  void aMemberThatCameAgainForAnotherNodeDoesNotCountForTheOthers() {
    cluster.gang("g", 2, "n1");
    cluster.bind("g-0", "n1");
    says(cluster.bind("g-0", "n2"), "planned on another node");

    assertThat(cluster.bind("g-1", "n1")).isNotDone();
    assertThat(cluster.bindings.written()).isEmpty();
  }
}
