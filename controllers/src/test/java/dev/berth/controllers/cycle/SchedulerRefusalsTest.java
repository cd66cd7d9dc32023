package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class SchedulerRefusalsTest {
  private static final PodUid WEB = new PodUid("uid-web");
  private static final NodeName N1 = new NodeName("n1");
  private static final String FIRST = "node=n1 until=2026-01-01T00:01:00Z";
  private static final String SECOND = "node=n1 until=2026-01-01T00:02:00Z";
  private static final String WORDS =
      "0/2 nodes are available: 1 node(s) were unschedulable, 1 berth: waits.";

  private final World world = new World().node("n1", 8);
  private final List<String> broken = new ArrayList<>();
  private final SchedulerRefusals refusals =
      new SchedulerRefusals(world.ledger, world.workers, Duration.ofSeconds(30), broken::add);

  @Test
  void wordsThatComeInTimeAreTheReason() {
    web(FIRST, "");
    refusals.notOffered(WEB, plan(FIRST));
    seconds(0.5);
    web(FIRST, WORDS);
    assertThat(vetoes()).containsExactly(Map.entry(N1, "1 node(s) were unschedulable"));
    seconds(5);
    assertThat(vetoes()).hasSize(1);
  }

  @Test
  void aRefusalInTheSameWordsTakesThoseOnThePod() {
    web(FIRST, WORDS);
    seconds(31);
    world.snapshot();
    assertThat(vetoes()).as("ended").isEmpty();
    web(SECOND, WORDS);
    assertThat(isPlanned()).as("the words are not news").isTrue();
    refusals.notOffered(WEB, plan(SECOND));
    seconds(2);
    assertThat(isPlanned()).as("the pod is planned").isFalse();
    assertThat(vetoes()).containsExactly(Map.entry(N1, "1 node(s) were unschedulable"));
  }

  /// kube-scheduler may not have seen yet that a pod left, and tries again when it does.
  @Test
  void missingRoomIsBelievedOnlyAfterAWhile() {
    web(FIRST, "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.");
    seconds(2);
    assertThat(isPlanned()).as("the pod is planned").isTrue();
    seconds(2);
    assertThat(isPlanned()).as("the pod is planned").isFalse();
    assertThat(vetoes()).containsExactly(Map.entry(N1, "1 Insufficient nvidia.com/gpu."));
  }

  @Test
  void podThatIsOfferedItsNodeAfterAllIsNotRefused() {
    web(FIRST, "");
    refusals.notOffered(WEB, plan(FIRST));
    refusals.notOffered(WEB, plan(FIRST));
    seconds(0.5);
    refusals.offered(WEB);
    seconds(2);
    assertThat(isPlanned()).as("the pod is planned").isTrue();
    assertThat(vetoes()).isEmpty();
  }

  @Test
  void wordsThatComeLateAreNotHeldAgainstTheNextPlan() {
    web(FIRST, "");
    refusals.notOffered(WEB, plan(FIRST));
    seconds(2);
    web(FIRST, WORDS);
    web(SECOND, WORDS);
    assertThat(isPlanned()).as("the pod is planned").isTrue();
  }

  @Test
  void aPlanThatIsNotKeptAnyMoreIsNotRefused() {
    web(FIRST, "");
    refusals.notOffered(WEB, plan(FIRST));
    web(SECOND, "");
    seconds(2);
    assertThat(isPlanned()).as("the pod is planned").isTrue();
    assertThat(vetoes()).isEmpty();
  }

  @Test
  void aGangWhoseMemberIsRefusedIsBroken() {
    String member = "node=n1 gang=7f3a size=2 until=2026-01-01T00:01:00Z";
    web(member, "");
    refusals.notOffered(WEB, plan(member));
    seconds(2);
    assertThat(vetoes()).containsExactly(Map.entry(N1, "its own filters"));
    assertThat(broken).containsExactly("7f3a");
  }

  /// No node would change that, so no pod is evicted for it either.
  @Test
  void aPodThatKubeSchedulerRejectsWaitsUntilItSaysSomethingElse() {
    web(FIRST, "0/2 nodes are available: persistentvolumeclaim \"data\" not found. not found");
    assertThat(isPlanned()).as("the pod is planned").isFalse();
    assertThat(problems())
        .containsExactly("the answer of kube-scheduler: persistentvolumeclaim \"data\" not found");
    assertThat(vetoes()).as("it says nothing of the node").isEmpty();
    seconds(3600);
    assertThat(problems()).as("an hour later").hasSize(1);
    web(FIRST, "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims");
    assertThat(problems())
        .containsExactly(
            "the answer of kube-scheduler: pod has unbound immediate PersistentVolumeClaims");
    web(FIRST, "0/2 nodes are available: 2 berth: waits in its queue.");
    assertThat(problems()).as("kube-scheduler accepts it").isEmpty();
  }

  /// It waited for a volume, so the plan outlived its deadline.
  @Test
  void wordsThatAreNewEndAPlanThatIsNotTheOneWritten() {
    claim();
    web(FIRST, "");
    seconds(61);
    world.ledger.expire(world.workers.time().instant());
    assertThat(isPlanned()).as("no node is selected yet").isFalse();
    plan(Instant.parse("2026-01-01T00:02:00Z"));
    world.seen(Kind.VOLUME_CLAIM, CLAIM.formatted("n1"));
    seconds(30);
    web(FIRST, "0/2 nodes are available: 2 of an earlier try.");
    assertThat(isPlanned()).as("in time").isTrue();
    seconds(60);
    web(FIRST, "0/2 nodes are available: 2 of an earlier try.");
    assertThat(isPlanned()).as("no news").isTrue();
    web(FIRST, WORDS);
    assertThat(isPlanned()).as("the pod is planned").isFalse();
    assertThat(vetoes()).isEmpty();
  }

  @Test
  void wordsThatANewLeaderFindsAreOld() {
    claim();
    world.pod("web", "annotations: {'berth.dev/plan': '%s'}".formatted(FIRST), VOLUME, "");
    seconds(61);
    world.ledger.expire(world.workers.time().instant());
    plan(Instant.parse("2026-01-01T00:02:00Z"));
    world.seen(Kind.VOLUME_CLAIM, CLAIM.formatted("n1"));
    seconds(90);
    web(FIRST, WORDS);
    assertThat(isPlanned()).as("the pod is planned").isTrue();
  }

  private static final String VOLUME =
      "volumes: [{name: 'data', persistentVolumeClaim: {claimName: 'data'}}]";
  private static final String CLAIM =
      "{metadata: {name: 'data', namespace: 'default', annotations:"
          + " {'volume.kubernetes.io/selected-node': '%s'}}, spec: {storageClassName: 'slow'}}";

  private void claim() {
    world.seen(
        Kind.STORAGE_CLASS,
        "{metadata: {name: 'slow'}, volumeBindingMode: 'WaitForFirstConsumer'}");
    world.seen(Kind.VOLUME_CLAIM, CLAIM.formatted(""));
  }

  private void plan(Instant until) {
    var group = world.snapshot().groups().getFirst();
    var pod = group.members().getFirst().pod();
    var place = new Decision.Reserved(pod.uid(), pod.key(), Placement.on(N1));
    var decision = new Decision.Reserve(group.key(), List.of(place), List.of(), List.of());
    assertThat(world.ledger.assume(decision, until)).isPresent();
  }

  private List<String> problems() {
    var problems = new ArrayList<String>();
    for (var group : world.snapshot().groups()) {
      for (var member : group.members()) {
        member
            .pod()
            .problems()
            .forEach(problem -> problems.add(problem.field() + ": " + problem.value()));
      }
    }
    return problems;
  }

  private static WrittenPlan plan(String text) {
    return WrittenPlan.parse(text).orElseThrow();
  }

  private void web(String plan, String words) {
    world.pod(
        "web",
        "annotations: {'berth.dev/plan': '%s'}".formatted(plan),
        VOLUME,
        words.isEmpty()
            ? ""
            : "conditions: [{type: 'PodScheduled', status: 'False', reason: 'Unschedulable',"
                + " message: '%s'}]".formatted(words));
    world.ledger.pod(WEB).ifPresent(refusals::seen);
  }

  private boolean isPlanned() {
    return world.ledger.standing(WEB).orElseThrow() instanceof Standing.Planned;
  }

  private Map<NodeName, String> vetoes() {
    var vetoes = new TreeMap<NodeName, String>();
    for (var group : world.snapshot().groups()) {
      group.members().forEach(member -> vetoes.putAll(member.vetoes()));
    }
    return vetoes;
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }
}
