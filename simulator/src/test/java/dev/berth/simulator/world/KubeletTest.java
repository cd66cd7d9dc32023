package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

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
    assertThat(phase("a")).isEqualTo("Running");
    time.runFor(Duration.ofSeconds(30));
    assertThat(phase("a")).isEqualTo("Succeeded");
  }

  @Test
  void whatExceedsTheNodeFailsInTheKubeletsWords() {
    world.create(Kind.POD, onNode(pod("a", "x", "cpu", "6"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("b", "x", "cpu", "2500m"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    assertThat(phase("b")).isEqualTo("Failed");
    assertThat(ObjectTree.text(find("b"), "status", "reason")).isEqualTo("OutOfcpu");
    assertThat(ObjectTree.text(find("b"), "status", "message"))
        .isEqualTo(
            "Pod was rejected: Node didn't have enough resource: cpu, requested: 2500, used: 6000,"
                + " capacity: 8000");
  }

  @Test
  void aDeviceTooManyIsAnUnexpectedAdmissionError() {
    world.create(Kind.POD, onNode(pod("a", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("b", "x", "nvidia.com/gpu", "1"), "n1"));
    time.runFor(Duration.ofSeconds(1));
    assertThat(ObjectTree.text(find("b"), "status", "reason"))
        .isEqualTo("UnexpectedAdmissionError");
  }

  @Test
  void aLeavingPodIsGoneAfterAWhileAndItsRoomIsFree() {
    world.create(Kind.POD, onNode(pod("a", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    world.delete(ObjectRef.pod("team", "a"));
    assertThat(PodRules.isLeaving(find("a"))).as("it leaves").isTrue();
    time.runFor(Duration.ofSeconds(3));
    assertThat(phase("a")).isEqualTo("");
    world.create(Kind.POD, onNode(pod("b", "x", "nvidia.com/gpu", "2"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    assertThat(phase("b")).isEqualTo("Running");
  }

  @Test
  void holdersReportDifferentDevicesAsTheirLastWords() throws ClientException {
    var holders = new WorldHolders(world);
    holders.create(new NodeName("n1"), 0, Resource.NVIDIA);
    holders.create(new NodeName("n1"), 1, Resource.NVIDIA);
    time.runFor(Duration.ofSeconds(2));
    var pods = world.list(Kind.POD).stream().map(PodView::of).toList();
    assertThat(pods.get(0).reportedDevice().startsWith("GPU-"))
        .as(pods.get(0).reportedDevice())
        .isTrue();
    assertThat(pods.get(1).reportedDevice()).isNotEqualTo(pods.get(0).reportedDevice());
  }

  @Test
  void whatRanBeforeItWasThereKeepsItsDevices() {
    var found = onNode(pod("found", "x", "nvidia.com/gpu", "2"), "n1");
    found.put("status", ObjectTree.of("phase", "Running"));
    world.adopt(Kind.POD, found);
    time.runFor(Duration.ofSeconds(1));
    world.create(Kind.POD, onNode(pod("late", "x", "nvidia.com/gpu", "1"), "n1"));
    time.runFor(Duration.ofSeconds(3));
    assertThat(phase("found")).isEqualTo("Running");
    assertThat(phase("late")).isEqualTo("Failed");
  }

  @Test
  void aPodThatNeverEndsStays() {
    var pod = onNode(annotated(pod("a", "x"), Kubelet.TERMINATION, Kubelet.NEVER), "n1");
    world.create(Kind.POD, pod);
    time.runFor(Duration.ofSeconds(3));
    world.delete(ObjectRef.pod("team", "a"));
    time.runFor(Duration.ofHours(1));
    assertThat(PodView.of(find("a")).isLeaving()).as("it hangs").isTrue();
  }
}
