package dev.berth.extender.verbs;

import static dev.berth.extender.verbs.VerbCluster.about;
import static dev.berth.extender.verbs.VerbCluster.key;
import static dev.berth.extender.verbs.VerbCluster.names;
import static dev.berth.extender.verbs.VerbCluster.pod;
import static dev.berth.extender.verbs.VerbCluster.uid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodUid;
import dev.berth.extender.barrier.VirtualLater;
import dev.berth.extender.verbs.UngatedPodPlanner.Judgement.Refused;
import dev.berth.extender.wire.AskedPod;
import dev.berth.extender.wire.FilterAnswer;
import dev.berth.extender.wire.FilterQuestion;
import dev.berth.extender.wire.NodeNames;
import dev.berth.extender.wire.PreemptQuestion;
import dev.berth.extender.wire.PreemptQuestion.Victims;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LookupVerbsTest {
  private final VerbCluster cluster =
      new VerbCluster(new VirtualLater(), BindSettings.DEFAULT).nodes("n1", "n2", "n3");

  @Test
  void aPlannedPodPassesOnItsNodeAloneAndNoPodIsPreemptedForIt() throws Exception {
    cluster.planned("train", "n2");

    var answer = cluster.filter.answer(about("train", "n1", "n2", "n3"));

    assertThat(answer.passing()).isEqualTo(names("n2"));
    assertThat(answer.failed()).isEmpty();
    assertThat(answer.unresolvable())
        .containsOnly(
            Map.entry(new NodeName("n1"), "berth: planned on another node"),
            Map.entry(new NodeName("n3"), "berth: planned on another node"));
    assertThat(cluster.outcomes).containsExactly(VerbOutcome.PLANNED);
  }

  @Test
  void aPlannedPodWhoseNodeIsNotOfferedPassesNowhere() throws Exception {
    cluster.planned("train", "n2");

    var answer = cluster.filter.answer(about("train", "n1", "n3", "a-node-we-never-saw"));

    assertThat(answer.passing()).isEmpty();
    assertThat(answer.unresolvable()).hasSize(3);
    assertThat(answer.error()).isEmpty();
  }

  @Test
  void aPlannedNodeThatIsNotOfferedWasRefusedIfKubeSchedulerTriedItWithThisPlan() throws Exception {
    cluster.planned("train", "n2");
    var plan = cluster.ledger.pod(uid("train")).orElseThrow().written().plan().text();
    var manifest = manifest(plan, Map.of(), "");

    assertThat(refusedAfter(manifest, "n1", "n2", "n3")).as("offered").isFalse();
    assertThat(refusedAfter(manifest, "n1", "n3")).as("all were tried").isTrue();
    cluster.filter.answer(about("train", "n1", "n2"));
    assertThat(cluster.refused).as("offered meanwhile").isEmpty();
    assertThat(refusedAfter(manifest, "n1")).as("may be a hint, tried first").isFalse();
    assertThat(refusedAfter(manifest, many(99))).as("less than a sample").isTrue();
    assertThat(refusedAfter(manifest, many(100))).as("may be a sample").isFalse();
    assertThat(refusedAfter(manifest(plan, Map.of(), "n2"), many(100))).as("nominated").isTrue();
    assertThat(refusedAfter(manifest(plan, Map.of(), "n3"), "n3")).as("its own wish").isFalse();
    assertThat(refusedAfter(manifest(plan + "0", Map.of(), ""), "n1", "n3"))
        .as("an earlier plan")
        .isFalse();
    assertThat(refusedAfter(manifest(plan, Map.of("schedulingGroup", Map.of()), ""), "n1", "n3"))
        .as("a native gang, tried by domain")
        .isFalse();
  }

  private boolean refusedAfter(Map<String, Object> manifest, String... nodes) throws Exception {
    cluster.refused.clear();
    var pod = AskedPod.of(uid("train"), key("train"), manifest);
    cluster.filter.answer(new FilterQuestion(pod, NodeNames.of(names(nodes)), false));
    return cluster.refused.contains(uid("train"));
  }

  private static Map<String, Object> manifest(
      String plan, Map<String, Object> spec, String nominated) {
    return Map.of(
        "metadata",
        Map.of("annotations", Map.of("berth.dev/plan", plan)),
        "spec",
        spec,
        "status",
        Map.of("nominatedNodeName", nominated));
  }

  private static String[] many(int nodes) {
    return IntStream.range(0, nodes).mapToObj(i -> "m" + i).toArray(String[]::new);
  }

  @Test
  void askingLeavesNoTrace() throws Exception {
    cluster.planned("train", "n2").seen(pod("free"));
    long version = cluster.ledger.version();
    for (int i = 0; i < 3; i++) {
      cluster.filter.answer(about("train", "n1", "n2"));
      cluster.filter.answer(about("free", "n1", "n2"));
      cluster.prioritize.answer(about("free", "n1", "n2"));
      cluster.filter.answer(cluster.about(pod("stranger"), "n1"));
    }
    assertThat(cluster.ledger.version()).isEqualTo(version);
  }

  @Test
  void gatedPodWaitsForThePlanner() throws Exception {
    cluster.seen(pod("gated").gated());
    // its gate was lifted with a plan that was given back since
    cluster.planned("lost", "n1");
    cluster.ledger.forget(
        uid("lost"), cluster.ledger.pod(uid("lost")).orElseThrow().written().plan());

    for (String name : List.of("gated", "lost")) {
      var answer = cluster.filter.answer(about(name, "n1", "n2"));
      assertThat(answer.passing()).as(name).isEmpty();
      assertThat(answer.unresolvable().values()).as(name).containsOnly("berth: waits in its queue");
    }
  }

  @Test
  void aMemberOfAGangIsNeverPlacedAlone() throws Exception {
    var gang = new GroupKey(VerbCluster.NAMESPACE, "gang");
    cluster.seen(pod("member").of(gang));

    assertThat(cluster.filter.answer(about("member", "n1")).passing()).isEmpty();
    assertThat(cluster.filter.answer(cluster.about(pod("unknown").of(gang), "n1")).passing())
        .isEmpty();
  }

  @Test
  void aPodWithoutGateIsJudgedByTheEngine() throws Exception {
    cluster.seen(pod("free"));
    cluster.ungated.refusing.put(new NodeName("n1"), new Refused("DEVICES", true));
    cluster.ungated.refusing.put(new NodeName("n3"), new Refused("OverLimit", false));

    var answer = cluster.filter.answer(about("free", "n1", "n2", "n3"));

    assertThat(answer.passing()).isEqualTo(names("n2"));
    assertThat(answer.failed()).containsOnly(Map.entry(new NodeName("n1"), "berth: DEVICES"));
    assertThat(answer.unresolvable())
        .containsOnly(Map.entry(new NodeName("n3"), "berth: OverLimit"));
  }

  @Test
  void aPodThatTheWatchHasNotBroughtIsJudgedByItsManifest() throws Exception {
    cluster.ungated.refusing.put(new NodeName("n1"), new Refused("DEVICES", true));

    var ours = cluster.filter.answer(cluster.about(pod("new"), "n1", "n2"));
    var other =
        cluster.filter.answer(
            cluster.about(pod("other").scheduler("default-scheduler"), "n1", "n2"));

    assertThat(ours.passing()).isEqualTo(names("n2"));
    assertThat(other.passing()).isEqualTo(names("n2"));
    assertThat(cluster.outcomes).containsExactly(VerbOutcome.ALONE, VerbOutcome.FOREIGN);
  }

  @Test
  void noVerbAnswersForASchedulerThatIsNotConfigured() throws Exception {
    cluster.seen(pod("web").scheduler("another"));
    var question = about("web", "n1", "n2");

    var answer = cluster.filter.answer(question);

    assertThat(answer.passing()).isEmpty();
    assertThat(answer.error())
        .isEqualTo(
            "berth: spec.schedulerName of pod ml/web is \"another\", but Berth answers for berth,"
                + " default-scheduler only. Give the pod schedulerName berth, or add \"another\" to"
                + " extender.otherSchedulers in Berth's configuration");
    assertThat(cluster.filter.answer(cluster.about(pod("new").scheduler("x".repeat(999)), "n1")))
        .extracting(FilterAnswer::error, STRING)
        .as("of a pod that only the question knows")
        .contains("is \"" + "x".repeat(63) + "…\"");
    assertThatThrownBy(() -> cluster.prioritize.answer(question))
        .isInstanceOf(NotOurs.class)
        .hasMessage(answer.error());
    assertThatThrownBy(() -> cluster.preempt.answer(proposal("web", Map.of())))
        .isInstanceOf(NotOurs.class);
    assertThat(cluster.outcomes).containsOnly(VerbOutcome.NOT_OURS).hasSize(4);
  }

  @Test
  void aPlaceholderPassesNowhereThoughThereIsRoom() throws Exception {
    cluster.seen(pod("room-for-a").scheduler("berth.dev/placeholder"));

    var answer = cluster.filter.answer(about("room-for-a", "n1", "n2"));

    assertThat(answer.passing()).isEmpty();
    assertThat(cluster.outcomes).containsExactly(VerbOutcome.QUEUED);
  }

  @Test
  void aBoundPodHasItsNode() throws Exception {
    cluster.seen(pod("runs").on("n1").phase(Pod.Phase.RUNNING));

    assertThat(cluster.filter.answer(about("runs", "n1", "n2")).passing()).isEqualTo(names("n1"));
  }

  @Test
  void finishedPodPassesNowhere() throws Exception {
    cluster.seen(pod("done").on("n1").phase(Pod.Phase.SUCCEEDED));

    assertThat(cluster.filter.answer(about("done", "n1", "n2")).passing()).isEmpty();
  }

  @Test
  void noQuestionIsAnsweredBeforeBerthIsReady() throws Exception {
    cluster.planned("train", "n2");
    cluster.missing = Optional.of("the ledger is not rebuilt");

    var answer = cluster.filter.answer(about("train", "n2"));

    assertThat(answer.error()).isEqualTo("berth is not ready: the ledger is not rebuilt");
    assertThatThrownBy(() -> cluster.prioritize.answer(about("train", "n2")))
        .isInstanceOf(NotReady.class);
    assertThatThrownBy(() -> cluster.preempt.answer(proposal("train", Map.of())))
        .isInstanceOf(NotReady.class);
  }

  @Test
  void wholeNodesAreAMistakeOfTheConfiguration() throws Exception {
    var question =
        new FilterQuestion(
            AskedPod.of(uid("x"), key("x"), Map.of()), NodeNames.of(names("n1")), true);

    assertThat(cluster.filter.answer(question).error()).contains("nodeCacheCapable: true");
  }

  @Test
  void onlyAPodPlacedHereAndNowHasPreferences() throws Exception {
    cluster
        .planned("train", "n2")
        .seen(pod("free"))
        .seen(pod("web").scheduler("default-scheduler"));
    cluster.seen(pod("gpu").scheduler("default-scheduler").devices(1));
    cluster.ungated.good.add(new NodeName("n2"));

    assertThat(cluster.prioritize.answer(about("train", "n1", "n2")).scores())
        .containsExactly(0, 0);
    assertThat(cluster.prioritize.answer(about("free", "n1", "n2")).scores())
        .containsExactly(3, 10);
    assertThat(cluster.prioritize.answer(about("web", "n1", "n2")).scores()).containsExactly(0, 0);
    assertThat(cluster.prioritize.answer(about("gpu", "n1", "n2")).scores()).containsExactly(3, 10);
  }

  private static PreemptQuestion proposal(String pod, Map<NodeName, Victims> proposed) {
    return new PreemptQuestion(AskedPod.of(uid(pod), key(pod), Map.of()), new TreeMap<>(proposed));
  }

  @Test
  void aProposalThatWouldNotHelpIsDropped() throws Exception {
    cluster.seen(pod("free")).planned("train", "n2");
    var a = new PodUid("a");
    var b = new PodUid("b");
    for (String node : List.of("n1", "n2", "n3")) {
      cluster.ungated.refusing.put(new NodeName(node), new Refused("DEVICES", true));
      cluster.ungated.inTheWay.put(new NodeName(node), new TreeSet<>(List.of(a, b)));
    }
    var enough = new Victims(List.of(b, a), 1);
    var proposed =
        Map.of(
            new NodeName("n1"), enough,
            new NodeName("n2"), new Victims(List.of(a), 0),
            new NodeName("n3"), new Victims(List.of(), 0),
            new NodeName("n4"), new Victims(List.of(), 0));

    assertThat(cluster.preempt.answer(proposal("free", proposed)).kept())
        .as("n4 has room as it is; n2 and n3 would not help")
        .containsOnly(
            Map.entry(new NodeName("n1"), enough),
            Map.entry(new NodeName("n4"), new Victims(List.of(), 0)));
    assertThat(cluster.preempt.answer(proposal("train", proposed)).kept())
        .as("whom a planned pod displaces is the planner's decision")
        .isEmpty();
  }
}
