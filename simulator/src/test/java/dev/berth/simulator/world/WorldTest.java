package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.crd.QueueStatus;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WorldTest {
  private static final ObjectRef A = ObjectRef.pod("team", "a");
  private static final PodKey KEY = new PodKey("team", "a");

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(1));
  private final WorldPods pods = new WorldPods(world);

  private Map<String, Object> a() {
    return world.find(A).orElseThrow();
  }

  private PodUid uid() {
    return new PodUid(ObjectTree.uid(a()));
  }

  @Test
  void podsOfBerthAreGatedAtAdmission() {
    world.create(Kind.POD, pod("a", "berth"));
    assertThat(ObjectTree.list(a(), "spec", "schedulingGates"))
        .isEqualTo(List.of(ObjectTree.of("name", "berth.dev/queued")));
    assertThat(ObjectTree.text(Conditions.find(a(), "PodScheduled"), "reason"))
        .isEqualTo("SchedulingGated");
  }

  @Test
  void theStatusOfAQueueIsPatchedAndWhatIsGoneGoes() throws ClientException {
    var ref = new ObjectRef(Kind.QUEUE, "", "q");
    world.create(
        Kind.QUEUE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "q"),
            "status",
            ObjectTree.of(
                "allocated", ObjectTree.of("gpu", "1", "old", "2"), "observedGeneration", 3L)));
    var before = QueueStatus.read(world.find(ref).orElseThrow());
    var after = QueueStatus.read(Map.of("status", Map.of("allocated", Map.of("gpu", "4"))));
    new WorldQueues(world).status(new QueueName("q"), before, after);
    assertThat(QueueStatus.read(world.find(ref).orElseThrow())).isEqualTo(after);
    long writes = world.writes();
    new WorldQueues(world).status(new QueueName("q"), after, after);
    assertThat(world.writes()).as("nothing changes, nothing is written").isEqualTo(writes);
    var gone = new QueueName("gone");
    var failure =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> new WorldQueues(world).status(gone, before, after))
            .actual();
    assertThat(failure.kind()).isEqualTo(ClientException.Kind.GONE);
  }

  @Test
  void podsOfOthersAndPodsWithANodeAreNotGated() {
    world.create(Kind.POD, pod("a", "default-scheduler"));
    assertThat(PodRules.isGated(a())).as("a pod of another scheduler").isFalse();
    var bound = world.create(Kind.POD, onNode(pod("b", "berth"), "n1"));
    assertThat(PodRules.isGated(bound)).as("a pod that has its node").isFalse();
  }

  @Test
  void theGateOfAnotherComponentStays() throws ClientException {
    var gated = pod("a", "berth");
    ObjectTree.under(gated, "spec").put("schedulingGates", List.of(ObjectTree.of("name", "other")));
    world.create(Kind.POD, gated);
    pods.lift(KEY, uid(), 0, "node=n1 until=x");
    assertThat(ObjectTree.list(a(), "spec", "schedulingGates"))
        .isEqualTo(List.of(ObjectTree.of("name", "other")));
    assertThat(ObjectTree.annotation(a(), "berth.dev/plan")).isEqualTo("node=n1 until=x");
  }

  @Test
  void aGateCannotBePutBack() throws ClientException {
    world.create(Kind.POD, pod("a", "berth"));
    pods.lift(KEY, uid(), 0, "plan");
    var patch =
        ObjectTree.of(
            "spec",
            ObjectTree.of("schedulingGates", List.of(ObjectTree.of("name", "berth.dev/queued"))));
    assertThat(
            assertThatExceptionOfType(ApiRefusal.class)
                .isThrownBy(() -> world.patch(A, patch))
                .actual()
                .status())
        .isEqualTo(422);
  }

  @Test
  void statusInAPatchOfTheMainResourceIsIgnored() {
    world.create(Kind.POD, pod("a", "other"));
    world.patch(A, ObjectTree.of("status", ObjectTree.of("nominatedNodeName", "n1")));
    assertThat(ObjectTree.text(a(), "status", "nominatedNodeName")).isEqualTo("");
  }

  @Test
  void aPatchThatChangesNothingIsNoEvent() {
    world.create(Kind.POD, pod("a", "other"));
    long writes = world.writes();
    world.patch(A, ObjectTree.of("spec", ObjectTree.of("schedulerName", "other")));
    assertThat(world.writes()).isEqualTo(writes);
  }

  @Test
  void aGatedPodIsNotBound() {
    world.create(Kind.POD, pod("a", "berth"));
    var refused =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>()))
            .actual();
    assertThat(refused.kind()).isEqualTo(ClientException.Kind.CONFLICT);
  }

  @Test
  void aBindingCarriesAnnotationsAndClearsTheNomination() throws ClientException {
    world.create(Kind.POD, pod("a", "other"));
    pods.nominate(KEY, uid(), new NodeName("n1"));
    assertThat(ObjectTree.text(a(), "status", "nominatedNodeName")).isEqualTo("n1");
    long writes = world.writes();
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>(Map.of("x", "y")));
    assertThat(PodRules.node(a())).isEqualTo("n1");
    assertThat(ObjectTree.annotation(a(), "x")).isEqualTo("y");
    assertThat(ObjectTree.text(a(), "status", "nominatedNodeName")).isEqualTo("");
    assertThat(ObjectTree.text(Conditions.find(a(), "PodScheduled"), "status")).isEqualTo("True");
    assertThat(world.writes()).as("all of it is one write").isEqualTo(writes + 1);
  }

  @Test
  void bindingAgainToTheSameNodeIsSuccessAndToAnotherIsAConflict() throws ClientException {
    world.create(Kind.POD, pod("a", "other"));
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>());
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>());
    var refused =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> pods.bind(KEY, uid(), new NodeName("n2"), new TreeMap<>()))
            .actual();
    assertThat(refused.kind()).isEqualTo(ClientException.Kind.CONFLICT);
  }

  @Test
  void aNamesakeIsNeverTouched() {
    world.create(Kind.POD, pod("a", "other"));
    PodUid first = uid();
    world.delete(A);
    world.create(Kind.POD, pod("a", "other"));
    for (var write :
        List.<Write>of(
            () -> pods.bind(KEY, first, new NodeName("n1"), new TreeMap<>()),
            () -> pods.lift(KEY, first, 0, "plan"),
            () -> pods.nominate(KEY, first, new NodeName("n1")),
            () -> pods.evict(KEY, first))) {
      var refused = assertThatExceptionOfType(ClientException.class).isThrownBy(write::go).actual();
      assertThat(refused.kind()).isEqualTo(ClientException.Kind.GONE);
    }
    assertThat(PodRules.node(a())).isEqualTo("");
  }

  private interface Write {
    void go() throws ClientException;
  }

  @Test
  void aBoundPodLeavesOnlyWhenItsKubeletSaysSo() throws ClientException {
    world.create(Kind.POD, onNode(pod("a", "other"), "n1"));
    pods.evict(KEY, uid());
    assertThat(PodRules.isLeaving(a())).as("it has a deletion timestamp").isTrue();
    assertThat(ObjectTree.text(Conditions.find(a(), "DisruptionTarget"), "reason"))
        .isEqualTo("EvictionByEvictionAPI");
    world.remove(A);
    assertThat(world.find(A).isEmpty()).as("now it is gone").isTrue();
  }

  @Test
  void aPodThatIsDeletedByBerthIsMarkedAsDisrupted() throws ClientException {
    world.create(Kind.POD, onNode(pod("a", "other"), "n1"));
    pods.stop(KEY, uid(), Duration.ofSeconds(5));
    assertThat(PodRules.isLeaving(a())).as("it has a deletion timestamp").isTrue();
    assertThat(ObjectTree.text(Conditions.find(a(), "DisruptionTarget"), "reason"))
        .isEqualTo("DeletionByBerth");
  }

  @Test
  void aSpentDisruptionBudgetKeepsItsPodsAndCountsLeavingOnes() throws ClientException {
    for (String name : List.of("a", "b", "c")) {
      var pod = onNode(pod(name, "other"), "n1");
      pod.put("status", ObjectTree.of("phase", "Running"));
      world.adopt(Kind.POD, pod);
    }
    world.create(
        Kind.DISRUPTION_BUDGET,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("namespace", "team", "name", "most"),
            "spec",
            ObjectTree.of("minAvailable", "50%", "selector", ObjectTree.of())));
    assertThat(allowed()).isEqualTo(1);
    pods.evict(KEY, uid());
    assertThat(allowed()).isEqualTo(0);
    var b = new PodKey("team", "b");
    var uid = new PodUid(ObjectTree.uid(world.find(ObjectRef.pod(b)).orElseThrow()));
    var refused =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> pods.evict(b, uid))
            .actual();
    assertThat(refused.kind()).isEqualTo(ClientException.Kind.NOT_NOW);
  }

  private long allowed() {
    return ObjectTree.number(
        world.list(Kind.DISRUPTION_BUDGET).getFirst(), -1, "status", "disruptionsAllowed");
  }

  @Test
  void anUnboundPodGoesAtOnce() throws ClientException {
    world.create(Kind.POD, pod("a", "berth"));
    pods.evict(KEY, uid());
    assertThat(world.find(A).isEmpty()).as("nobody has to end it").isTrue();
  }

  @Test
  void watchersHearTheListThenEveryChangeInOrder() {
    world.create(Kind.NODE, node("n1", 8));
    var heard = new ArrayList<String>();
    world.watch(
        EnumSet.of(Kind.NODE, Kind.POD),
        new Watcher() {
          @Override
          public void seen(Kind kind, Map<String, ?> object) {
            heard.add("seen " + ObjectTree.name(object) + " " + ObjectTree.label(object, "n"));
          }

          @Override
          public void gone(Kind kind, Map<String, ?> object) {
            heard.add("gone " + ObjectTree.name(object));
          }

          @Override
          public void synced(Kind kind) {
            heard.add("synced " + kind);
          }
        });
    world.create(Kind.POD, pod("a", "other"));
    for (int i = 0; i < 3; i++) {
      world.patch(
          A, ObjectTree.of("metadata", ObjectTree.of("labels", ObjectTree.of("n", "" + i))));
    }
    world.delete(A);
    time.runFor(Duration.ofSeconds(1));
    assertThat(heard)
        .isEqualTo(
            List.of(
                "seen n1 ",
                "synced NODE",
                "synced POD",
                "seen a ",
                "seen a 0",
                "seen a 1",
                "seen a 2",
                "gone a"));
  }

  @Test
  void theSameHolderTwiceIsSuccessAndALeavingOneIsNotNow() throws ClientException {
    var holders = new WorldHolders(world);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    var holder = world.list(Kind.POD).getFirst();
    assertThat(world.list(Kind.POD).size()).isEqualTo(1);
    holders.delete(
        new PodKey(WorldHolders.NAMESPACE, ObjectTree.name(holder)),
        new PodUid(ObjectTree.uid(holder)));
    var refused =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> holders.create(new NodeName("n1"), 0, Resource.NVIDIA))
            .actual();
    assertThat(refused.kind()).isEqualTo(ClientException.Kind.NOT_NOW);
  }

  @Test
  void aLaterDeletionMayShortenTheGraceAndNotLengthenIt() {
    var pod = onNode(pod("a", "berth"), "n1");
    ObjectTree.under(pod, "spec").put("terminationGracePeriodSeconds", 3600L);
    world.create(Kind.POD, pod);
    world.delete(A);
    assertThat(ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds")).isEqualTo(3600);
    world.delete(A, "", Duration.ofSeconds(8));
    assertThat(ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds")).isEqualTo(8);
    assertThat(ObjectTree.text(a(), "metadata", "deletionTimestamp"))
        .isEqualTo("2026-01-01T00:00:08Z");
    world.delete(A, "", Duration.ofSeconds(30));
    assertThat(ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds")).isEqualTo(8);
  }

  @Test
  void aPodThatSeveralBudgetsCoverIsNotEvicted() {
    world.create(Kind.POD, onNode(pod("a", "berth"), "n1"));
    world.patchStatus(A, ObjectTree.of("status", ObjectTree.of("phase", "Running")));
    for (String name : List.of("one", "two")) {
      world.create(
          Kind.DISRUPTION_BUDGET,
          ObjectTree.of(
              "metadata",
              ObjectTree.of("namespace", "team", "name", name),
              "spec",
              ObjectTree.of("selector", ObjectTree.of(), "maxUnavailable", 1L)));
    }
    var failure =
        assertThatExceptionOfType(ClientException.class)
            .isThrownBy(() -> pods.evict(KEY, uid()))
            .actual();
    assertThat(failure.kind()).isEqualTo(ClientException.Kind.NOT_NOW);
  }
}
