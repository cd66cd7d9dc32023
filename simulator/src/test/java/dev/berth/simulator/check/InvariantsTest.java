package dev.berth.simulator.check;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldHolders;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InvariantsTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(5));
  private final Invariants invariants = new Invariants(world, Duration.ofSeconds(30));

  @BeforeEach
  void start() throws ClientException {
    new Kubelet(world).start();
    world.create(Kind.NODE, node("n1", 2));
    new WorldHolders(world).create(new NodeName("n1"), 0, Resource.NVIDIA);
    time.runFor(Duration.ofSeconds(2));
  }

  private String held() {
    return PodView.of(world.list(Kind.POD).getFirst()).reportedDevice();
  }

  private void share(String name, String fraction, String device) {
    var sharer = annotated(pod(name, "berth"), "gpu-fraction", fraction);
    world.create(Kind.POD, onNode(annotated(sharer, "berth.dev/gpu-devices", device), "n1"));
  }

  private void assertBroken(String words) {
    var broken = invariants.broken();
    assertThat(broken.stream().anyMatch(rule -> rule.contains(words)))
        .as(broken.toString())
        .isTrue();
  }

  @Test
  void aFullDeviceIsFine() {
    share("a", "0.4", held());
    share("b", "0.6", held());
    assertThat(invariants.broken()).isEqualTo(List.of());
  }

  @Test
  void aDeviceGivenOutTwiceIsFound() {
    share("a", "0.4", held());
    share("b", "0.601", held());
    assertBroken("is shared out to 1001 thousandths");
  }

  @Test
  void aDeviceThatNoPodHoldsIsFound() {
    share("a", "0.4", "GPU-elsewhere");
    assertBroken("which no holder there reports");
  }

  @Test
  void aSharerWithoutDeviceIsFound() {
    share("a", "0.4", "");
    assertBroken("names 0 of 1 devices");
  }

  @Test
  void moreWholeDevicesThanHoldersLeaveAreFound() {
    world.create(Kind.POD, onNode(pod("a", "berth", "nvidia.com/gpu", "2"), "n1"));
    assertBroken("gives out 3 of its 2 nvidia.com/gpu");
  }

  @Test
  void aSharedDeviceThatIsWholeElsewhereIsFound() {
    var whole = pod("a", "berth", "nvidia.com/gpu", "1");
    world.create(Kind.POD, onNode(annotated(whole, Kubelet.DEVICES, held()), "n1"));
    share("b", "0.4", held());
    assertBroken("is whole in team/a and shared by team/b");
  }

  @Test
  void aGangMayBePartlyBoundOnlyUntilItsDeadline() {
    gang(2L);
    for (String name : List.of("a", "b")) {
      var member = pod(name, "other");
      ObjectTree.under(ObjectTree.under(member, "metadata"), "labels")
          .put("berth.dev/pod-group", "gang");
      world.create(Kind.POD, member);
    }
    world.bind(ObjectRef.pod("team", "a"), "", "n1", Map.of());
    assertThat(invariants.broken()).isEqualTo(List.of());
    assertThat(Invariants.partlyBound(world)).isEqualTo(1);
    time.runFor(Duration.ofSeconds(31));
    assertBroken("gang team/gang has 1 of 2 bound since 2026-01-01T00:00:02Z");
    world.bind(ObjectRef.pod("team", "b"), "", "n1", Map.of());
    assertThat(invariants.broken()).isEqualTo(List.of());
    assertThat(Invariants.partlyBound(world)).isEqualTo(0);
  }

  /// A Job makes no pod in the stead of one that has succeeded.
  @Test
  void membersThatTheirJobMakesNoMoreAreDoneWithout() {
    gang(3L);
    ofJob("a", 1, "gang");
    assertThat(Invariants.partlyBound(world)).as("one, and one is done without").isEqualTo(1);
    ofJob("b", 0, "gang");
    assertThat(Invariants.partlyBound(world)).as("two, and one is done without").isEqualTo(0);
  }

  @Test
  void whatTheJobOfAMemberThatWasMovedHereMakesNoMoreIsNotDoneWithout() {
    gang(3L);
    ofJob("a", 1, "another");
    ofJob("b", 0, "gang");
    assertThat(Invariants.partlyBound(world)).isEqualTo(1);
  }

  /// A member of a Job of its own, of three pods that are made for a gang.
  private void ofJob(String name, long succeeded, String madeFor) {
    var labels = ObjectTree.of("berth.dev/pod-group", madeFor);
    var template = ObjectTree.of("metadata", ObjectTree.of("labels", labels));
    world.create(
        Kind.JOB,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("namespace", "team", "name", "job-" + name),
            "spec",
            ObjectTree.of("parallelism", 3L, "completions", 3L, "template", template),
            "status",
            ObjectTree.of("succeeded", succeeded)));
    String uid =
        world.list(Kind.JOB).stream()
            .filter(job -> ObjectTree.name(job).equals("job-" + name))
            .map(ObjectTree::uid)
            .findFirst()
            .orElseThrow();
    var member = onNode(pod(name, "other"), "n1");
    var metadata = ObjectTree.under(member, "metadata");
    ObjectTree.under(metadata, "labels").put("berth.dev/pod-group", "gang");
    metadata.put("ownerReferences", List.of(Map.of("kind", "Job", "uid", uid, "controller", true)));
    world.create(Kind.POD, member);
  }

  /// As after etcd went back to an earlier plan of a member, and a Binding of a later one came.
  @Test
  void aPlanForAnotherNodeDoesNotSayWhatAMemberIsChargedAs() {
    gang(3L);
    member("a", "node=n1 charge=q/50/preemptible");
    member("b", "node=n1 charge=q/50/preemptible");
    member("c", "node=n1 charge=q/50/non-preemptible");
    assertThat(Invariants.partlyBound(world)).isEqualTo(1);
    member("d", "node=n2 charge=q/50/non-preemptible");
    assertThat(Invariants.partlyBound(world)).isEqualTo(0);
  }

  private void gang(long minMember) {
    world.create(
        Kind.POD_GROUP,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("namespace", "team", "name", "gang"),
            "spec",
            ObjectTree.of("minMember", minMember)));
  }

  private void member(String name, String plan) {
    var member = annotated(onNode(pod(name, "other"), "n1"), "berth.dev/plan", plan);
    ObjectTree.under(ObjectTree.under(member, "metadata"), "labels")
        .put("berth.dev/pod-group", "gang");
    world.create(Kind.POD, member);
  }
}
