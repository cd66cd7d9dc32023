package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KubeletTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(7));

  @BeforeEach
  void start() {
    new Kubelet(world).start();
    world.create(Kind.NODE, node("n1", 2));
  }

  private Map<String, Object> find(String name) {
    return world.find(ObjectRef.pod("team", name)).orElse(Map.of());
  }

  private String phase(String name) {
    return ObjectTree.text(find(name), "status", "phase");
  }

  @Test
  void aBoundPodRunsAndAJobEndsAfterItsDuration() {
    world.create(Kind.POD, onNode(annotated(pod("a", "x"), Kubelet.DURATION, "30s"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    assertEquals("Running", phase("a"));
    time.runFor(Duration.ofSeconds(30));
    assertEquals("Succeeded", phase("a"));
  }

  @Test
  void whatExceedsTheNodeFailsInTheKubeletsWords() {
    world.create(Kind.POD, onNode(pod("a", "x", "cpu", "6"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("b", "x", "cpu", "2500m"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    assertEquals("Failed", phase("b"));
    assertEquals("OutOfcpu", ObjectTree.text(find("b"), "status", "reason"));
    assertEquals(
        "Pod was rejected: Node didn't have enough resource: cpu, requested: 2500, used: 6000,"
            + " capacity: 8000",
        ObjectTree.text(find("b"), "status", "message"));
  }

  @Test
  void aDeviceTooManyIsAnUnexpectedAdmissionError() {
    world.create(Kind.POD, onNode(pod("a", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("b", "x", "nvidia.com/gpu", "1"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    assertEquals("UnexpectedAdmissionError", ObjectTree.text(find("b"), "status", "reason"));
  }

  @Test
  void aLeavingPodIsGoneAfterAWhileAndItsRoomIsFree() {
    world.create(Kind.POD, onNode(pod("a", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    world.delete(ObjectRef.pod("team", "a"));
    assertTrue(PodRules.isLeaving(find("a")), "it leaves");
    time.runFor(Duration.ofSeconds(3));
    assertEquals("", phase("a"));
    world.create(Kind.POD, onNode(pod("b", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    assertEquals("Running", phase("b"));
  }

  @Test
  void holdersReportDifferentDevicesAsTheirLastWords() throws ClientException {
    var holders = new WorldHolders(world);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    holders.create(new NodeName("n1"), 1, Resource.NVIDIA);
    time.runFor(Duration.ofSeconds(2));
    var pods = world.list(Kind.POD).stream().map(PodView::of).toList();
    assertTrue(pods.get(0).reportedDevice().startsWith("GPU-"), pods.get(0).reportedDevice());
    assertNotEquals(pods.get(0).reportedDevice(), pods.get(1).reportedDevice());
  }

  @Test
  void whatRanBeforeItWasThereKeepsItsDevices() {
    var found = onNode(pod("found", "x", "nvidia.com/gpu", "2"), "n1");
    found.put("status", ObjectTree.of("phase", "Running"));
    world.adopt(Kind.POD, found);
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("late", "x", "nvidia.com/gpu", "1"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    assertEquals("Running", phase("found"));
    assertEquals("Failed", phase("late"));
  }

  @Test
  void aPodThatNeverEndsStays() {
    var pod = onNode(annotated(pod("a", "x"), Kubelet.TERMINATION, Kubelet.NEVER), "n1");
    world.create(Kind.POD, pod);
    time.runFor(Duration.ofSeconds(3));
    world.delete(ObjectRef.pod("team", "a"));
    time.runFor(Duration.ofHours(1));
    assertTrue(PodView.of(find("a")).isLeaving(), "it hangs");
  }
}
