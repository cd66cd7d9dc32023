package dev.berth.simulator.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.scenario.Scenario.Item;
import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OpeningTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final ObjectRef A = ObjectRef.pod("default", "a");

  private final VirtualTime time = new VirtualTime(NOW);
  private final World world = new World(time, WorldSettings.of(1));
  private final PodHistory chronicle = new PodHistory(time);

  private static Map<String, Object> pod(boolean owned) {
    return ObjectTree.of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        ObjectTree.of(
            "namespace",
            "default",
            "name",
            "a",
            "uid",
            "as-found",
            "creationTimestamp",
            "2026-01-01T09:00:00Z",
            "annotations",
            ObjectTree.of("gpu-fraction", "0.5", "berth.dev/gpu-devices", "0"),
            "ownerReferences",
            owned ? List.of(ObjectTree.of("kind", "Job", "name", "a")) : List.of()),
        "spec",
        ObjectTree.of("schedulerName", "berth", "nodeName", "n1"),
        "status",
        ObjectTree.of("phase", "Running"));
  }

  private void open(Map<String, Object> pod) {
    var nothing = new Expectations(new TreeMap<>(), new TreeMap<>(), Expectations.ANY);
    var items = List.of(new Item("Pod", pod));
    Opening.play(
        new Scenario("one", "f", NOW, Map.of(), items, List.of(), List.of(), nothing), world);
    world.watch(EnumSet.of(Kind.POD), chronicle);
    world.watch(EnumSet.of(Kind.POD), new WorkloadControllers(world));
    new Kubelet(world).start();
    time.runFor(Duration.ofSeconds(1));
  }

  @Test
  void objectsAreAsTheyWereFound() {
    open(pod(true));
    var there = world.find(A).orElseThrow();
    assertThat(ObjectTree.uid(there)).isEqualTo("as-found");
    assertThat(ObjectTree.text(there, "metadata", "creationTimestamp"))
        .isEqualTo("2026-01-01T09:00:00Z");
    assertThat(PodView.of(there).phase()).isEqualTo("Running");
  }

  @Test
  void aWaitingPodIsBehindItsGate() {
    var waiting = pod(true);
    ObjectTree.under(waiting, "spec").remove("nodeName");
    waiting.remove("status");
    open(waiting);
    assertThat(ObjectTree.list(world.find(A).orElseThrow(), "spec", "schedulingGates").isEmpty())
        .isFalse();
  }

  @Test
  void anEvictedPodComesBackUnderItsName() {
    open(pod(true));
    world.evict(A, "as-found");
    time.runFor(Duration.ofMinutes(1));
    var back = world.find(A).orElseThrow();
    assertThat(ObjectTree.uid(back)).isNotEqualTo("as-found");
    assertThat(PodView.of(back).node()).isEqualTo("");
    assertThat(PodView.of(back).isLeaving()).as("the pod leaves").isFalse();
    assertThat(PodView.of(back).phase()).isEqualTo("Pending");
    assertThat(ObjectTree.map(back, "metadata", "annotations").toString())
        .isEqualTo("{gpu-fraction=0.5}");
    assertThat(chronicle.evictions().size()).isEqualTo(1);
    assertThat(chronicle.evictions().getFirst().pod()).isEqualTo("default/a");
  }

  @Test
  void aPodWithoutOwnerStaysAway() {
    open(pod(false));
    world.evict(A, "as-found");
    time.runFor(Duration.ofMinutes(1));
    assertThat(world.find(A).isEmpty()).as("the pod is gone").isTrue();
  }

  @Test
  void aPodThatWasOnItsWayOutGoesAndIsNoEviction() {
    var leaving = pod(true);
    ObjectTree.under(leaving, "metadata").put("deletionTimestamp", "2026-01-01T11:59:59Z");
    open(leaving);
    time.runFor(Duration.ofMinutes(1));
    assertThat(ObjectTree.uid(world.find(A).orElseThrow())).isNotEqualTo("as-found");
    assertThat(chronicle.evictions()).isEqualTo(List.of());
  }

  @Test
  void aPodThatShouldLongBeGoneHangs() {
    var hanging = pod(true);
    ObjectTree.under(hanging, "metadata").put("deletionTimestamp", "2026-01-01T11:50:00Z");
    open(hanging);
    time.runFor(Duration.ofHours(1));
    assertThat(ObjectTree.uid(world.find(A).orElseThrow())).isEqualTo("as-found");
  }
}
