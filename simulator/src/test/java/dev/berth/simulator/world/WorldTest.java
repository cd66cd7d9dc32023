package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
    assertEquals(
        List.of(ObjectTree.of("name", "berth.dev/queued")),
        ObjectTree.list(a(), "spec", "schedulingGates"));
    assertEquals(
        "SchedulingGated", ObjectTree.text(Conditions.find(a(), "PodScheduled"), "reason"));
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
    assertEquals(after, QueueStatus.read(world.find(ref).orElseThrow()));
    long writes = world.writes();
    new WorldQueues(world).status(new QueueName("q"), after, after);
    assertEquals(writes, world.writes(), "nothing changes, nothing is written");
    var gone = new QueueName("gone");
    var failure =
        assertThrows(
            ClientException.class, () -> new WorldQueues(world).status(gone, before, after));
    assertEquals(ClientException.Kind.GONE, failure.kind());
  }

  @Test
  void podsOfOthersAndPodsWithANodeAreNotGated() {
    world.create(Kind.POD, pod("a", "default-scheduler"));
    assertFalse(PodRules.isGated(a()), "a pod of another scheduler");
    var bound = world.create(Kind.POD, onNode(pod("b", "berth"), "n1"));
    assertFalse(PodRules.isGated(bound), "a pod that has its node");
  }

  @Test
  void theGateOfSomebodyElseStays() throws ClientException {
    var gated = pod("a", "berth");
    ObjectTree.under(gated, "spec").put("schedulingGates", List.of(ObjectTree.of("name", "other")));
    world.create(Kind.POD, gated);
    pods.lift(KEY, uid(), 0, "node=n1 until=x");
    assertEquals(
        List.of(ObjectTree.of("name", "other")), ObjectTree.list(a(), "spec", "schedulingGates"));
    assertEquals("node=n1 until=x", ObjectTree.annotation(a(), "berth.dev/plan"));
  }

  @Test
  void aGateCannotBePutBack() throws ClientException {
    world.create(Kind.POD, pod("a", "berth"));
    pods.lift(KEY, uid(), 0, "plan");
    var patch =
        ObjectTree.of(
            "spec",
            ObjectTree.of("schedulingGates", List.of(ObjectTree.of("name", "berth.dev/queued"))));
    assertEquals(422, assertThrows(ApiRefusal.class, () -> world.patch(A, patch)).status());
  }

  @Test
  void statusInAPatchOfTheMainResourceIsIgnored() {
    world.create(Kind.POD, pod("a", "other"));
    world.patch(A, ObjectTree.of("status", ObjectTree.of("nominatedNodeName", "n1")));
    assertEquals("", ObjectTree.text(a(), "status", "nominatedNodeName"));
  }

  @Test
  void aPatchThatChangesNothingIsNoEvent() {
    world.create(Kind.POD, pod("a", "other"));
    long writes = world.writes();
    world.patch(A, ObjectTree.of("spec", ObjectTree.of("schedulerName", "other")));
    assertEquals(writes, world.writes());
  }

  @Test
  void aGatedPodIsNotBound() {
    world.create(Kind.POD, pod("a", "berth"));
    var refused =
        assertThrows(
            ClientException.class,
            () -> pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>()));
    assertEquals(ClientException.Kind.CONFLICT, refused.kind());
  }

  @Test
  void aBindingCarriesAnnotationsAndClearsTheNomination() throws ClientException {
    world.create(Kind.POD, pod("a", "other"));
    pods.nominate(KEY, uid(), new NodeName("n1"));
    assertEquals("n1", ObjectTree.text(a(), "status", "nominatedNodeName"));
    long writes = world.writes();
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>(Map.of("x", "y")));
    assertEquals("n1", PodRules.node(a()));
    assertEquals("y", ObjectTree.annotation(a(), "x"));
    assertEquals("", ObjectTree.text(a(), "status", "nominatedNodeName"));
    assertEquals("True", ObjectTree.text(Conditions.find(a(), "PodScheduled"), "status"));
    assertEquals(writes + 1, world.writes(), "all of it is one write");
  }

  @Test
  void bindingAgainToTheSameNodeIsSuccessAndToAnotherIsAConflict() throws ClientException {
    world.create(Kind.POD, pod("a", "other"));
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>());
    pods.bind(KEY, uid(), new NodeName("n1"), new TreeMap<>());
    var refused =
        assertThrows(
            ClientException.class,
            () -> pods.bind(KEY, uid(), new NodeName("n2"), new TreeMap<>()));
    assertEquals(ClientException.Kind.CONFLICT, refused.kind());
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
      var refused = assertThrows(ClientException.class, write::go);
      assertEquals(ClientException.Kind.GONE, refused.kind());
    }
    assertEquals("", PodRules.node(a()));
  }

  private interface Write {
    void go() throws ClientException;
  }

  @Test
  void aBoundPodLeavesOnlyWhenItsKubeletSaysSo() throws ClientException {
    world.create(Kind.POD, onNode(pod("a", "other"), "n1"));
    pods.evict(KEY, uid());
    assertTrue(PodRules.isLeaving(a()), "it has a deletion timestamp");
    assertEquals(
        "EvictionByEvictionAPI",
        ObjectTree.text(Conditions.find(a(), "DisruptionTarget"), "reason"));
    world.remove(A);
    assertTrue(world.find(A).isEmpty(), "now it is gone");
  }

  @Test
  void aPodThatIsDeletedByBerthIsMarkedAsDisrupted() throws ClientException {
    world.create(Kind.POD, onNode(pod("a", "other"), "n1"));
    pods.stop(KEY, uid(), Duration.ofSeconds(5));
    assertTrue(PodRules.isLeaving(a()), "it has a deletion timestamp");
    assertEquals(
        "DeletionByBerth", ObjectTree.text(Conditions.find(a(), "DisruptionTarget"), "reason"));
  }

  @Test
  void aSpentDisruptionBudgetKeepsItsPodsAndCountsWhoLeaves() throws ClientException {
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
    assertEquals(1, allowed());
    pods.evict(KEY, uid());
    assertEquals(0, allowed());
    var b = new PodKey("team", "b");
    var uid = new PodUid(ObjectTree.uid(world.find(ObjectRef.pod(b)).orElseThrow()));
    var refused = assertThrows(ClientException.class, () -> pods.evict(b, uid));
    assertEquals(ClientException.Kind.NOT_NOW, refused.kind());
  }

  private long allowed() {
    return ObjectTree.number(
        world.list(Kind.DISRUPTION_BUDGET).getFirst(), -1, "status", "disruptionsAllowed");
  }

  @Test
  void anUnboundPodGoesAtOnce() throws ClientException {
    world.create(Kind.POD, pod("a", "berth"));
    pods.evict(KEY, uid());
    assertTrue(world.find(A).isEmpty(), "nobody has to end it");
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
    assertEquals(
        List.of(
            "seen n1 ",
            "synced NODE",
            "synced POD",
            "seen a ",
            "seen a 0",
            "seen a 1",
            "seen a 2",
            "gone a"),
        heard);
  }

  @Test
  void theSameHolderTwiceIsSuccessAndALeavingOneIsNotNow() throws ClientException {
    var holders = new WorldHolders(world);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    var holder = world.list(Kind.POD).getFirst();
    assertEquals(1, world.list(Kind.POD).size());
    holders.delete(
        new PodKey(WorldHolders.NAMESPACE, ObjectTree.name(holder)),
        new PodUid(ObjectTree.uid(holder)));
    var refused =
        assertThrows(
            ClientException.class, () -> holders.create(new NodeName("n1"), 0, Resource.NVIDIA));
    assertEquals(ClientException.Kind.NOT_NOW, refused.kind());
  }

  @Test
  void aLaterDeletionMayShortenTheGraceAndNotLengthenIt() {
    var pod = onNode(pod("a", "berth"), "n1");
    ObjectTree.under(pod, "spec").put("terminationGracePeriodSeconds", 3600L);
    world.create(Kind.POD, pod);
    world.delete(A);
    assertEquals(3600, ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds"));
    world.delete(A, "", Duration.ofSeconds(8));
    assertEquals(8, ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds"));
    assertEquals("2026-01-01T00:00:08Z", ObjectTree.text(a(), "metadata", "deletionTimestamp"));
    world.delete(A, "", Duration.ofSeconds(30));
    assertEquals(8, ObjectTree.number(a(), 0, "metadata", "deletionGracePeriodSeconds"));
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
    var failure = assertThrows(ClientException.class, () -> pods.evict(KEY, uid()));
    assertEquals(ClientException.Kind.NOT_NOW, failure.kind());
  }
}
