package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.onNode;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// kube-scheduler's filters that look at other pods, and at devices that pods claim.
class NeighbourlySchedulerTest {
  private static final String NAME = "plain";

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(3));

  private void twoZones() {
    for (String name : List.of("n1", "n2")) {
      var node = node(name, 4);
      ObjectTree.under(ObjectTree.under(node, "metadata"), "labels").put("zone", "z-" + name);
      world.create(Kind.NODE, node);
    }
  }

  private static Map<String, Object> labelled(Map<String, Object> pod, String app) {
    ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels").put("app", app);
    return pod;
  }

  private static Map<String, Object> with(
      Map<String, Object> pod, String kind, String topologyKey, String app) {
    var term =
        ObjectTree.of(
            "topologyKey",
            topologyKey,
            "labelSelector",
            ObjectTree.of("matchLabels", ObjectTree.of("app", app)));
    ObjectTree.under(pod, "spec")
        .put(
            "affinity",
            ObjectTree.of(
                kind,
                ObjectTree.of("requiredDuringSchedulingIgnoredDuringExecution", List.of(term))));
    return pod;
  }

  private void schedules() {
    new KubeScheduler(world, SchedulerSettings.named(NAME), Optional.empty()).start();
    time.runFor(Duration.ofSeconds(5));
  }

  private Map<String, Object> find(String name) {
    return world.find(ObjectRef.pod("team", name)).orElseThrow();
  }

  private String nodeOf(String name) {
    return PodRules.node(find(name));
  }

  private String why(String name) {
    return ObjectTree.text(Conditions.find(find(name), "PodScheduled"), "message");
  }

  @Test
  void aPodThatMustBeApartGoesToTheOtherZone() {
    twoZones();
    world.create(Kind.POD, onNode(labelled(pod("there", NAME), "db"), "n1"));
    world.create(Kind.POD, with(pod("new", NAME), "podAntiAffinity", "zone", "db"));
    schedules();
    assertThat(nodeOf("new")).isEqualTo("n2");
  }

  @Test
  void podThatIsThereMayBanOthers() {
    twoZones();
    for (String name : List.of("n1", "n2")) {
      var hostile = with(pod("on-" + name, NAME), "podAntiAffinity", "zone", "db");
      world.create(Kind.POD, onNode(hostile, name));
    }
    world.create(Kind.POD, labelled(pod("new", NAME), "db"));
    schedules();
    assertThat(why("new").contains("2 node(s) didn't satisfy existing pods anti-affinity rules"))
        .as(() -> why("new"))
        .isTrue();
  }

  @Test
  void aPodFollowsThoseThatItMustBeNear() {
    twoZones();
    world.create(Kind.POD, onNode(labelled(pod("there", NAME), "db"), "n2"));
    world.create(Kind.POD, with(pod("new", NAME), "podAffinity", "zone", "db"));
    world.create(Kind.POD, with(pod("lost", NAME), "podAffinity", "zone", "nobody"));
    schedules();
    assertThat(nodeOf("new")).isEqualTo("n2");
    assertThat(why("lost").contains("2 node(s) didn't match pod affinity rules"))
        .as(() -> why("lost"))
        .isTrue();
  }

  @Test
  void podsAreSpread() {
    twoZones();
    for (String name : List.of("a", "b", "c", "d")) {
      var pod = labelled(pod(name, NAME), "web");
      ObjectTree.under(pod, "spec")
          .put(
              "topologySpreadConstraints",
              List.of(
                  ObjectTree.of(
                      "maxSkew",
                      1L,
                      "topologyKey",
                      "zone",
                      "whenUnsatisfiable",
                      "DoNotSchedule",
                      "labelSelector",
                      ObjectTree.of("matchLabels", ObjectTree.of("app", "web")))));
      world.create(Kind.POD, pod);
    }
    schedules();
    long first = List.of("a", "b", "c", "d").stream().filter(p -> nodeOf(p).equals("n1")).count();
    assertThat(first).as("two in each zone").isEqualTo(2);
  }

  private void devices(String node, int count) {
    var devices = new ArrayList<Object>();
    for (int i = 0; i < count; i++) {
      devices.add(ObjectTree.of("name", "gpu-" + i));
    }
    world.create(
        Kind.RESOURCE_SLICE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", node),
            "spec",
            ObjectTree.of(
                "driver",
                "gpu.example.com",
                "nodeName",
                node,
                "pool",
                ObjectTree.of("name", node),
                "devices",
                devices)));
  }

  private void claim(String name, long count) {
    var exactly = ObjectTree.of("deviceClassName", "gpu.example.com", "count", count);
    world.create(
        Kind.RESOURCE_CLAIM,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("namespace", "team", "name", name),
            "spec",
            ObjectTree.of(
                "devices",
                ObjectTree.of(
                    "requests", List.of(ObjectTree.of("name", "r", "exactly", exactly))))));
  }

  private static Map<String, Object> claiming(Map<String, Object> pod, String claim) {
    ObjectTree.under(pod, "spec")
        .put("resourceClaims", List.of(ObjectTree.of("name", "c", "resourceClaimName", claim)));
    return pod;
  }

  @Test
  void claimsGetDevicesOfOneNodeAndGiveThemBack() {
    twoZones();
    world.create(
        Kind.DEVICE_CLASS, ObjectTree.of("metadata", ObjectTree.of("name", "gpu.example.com")));
    devices("n2", 2);
    claim("pair", 2);
    claim("other", 1);
    world.create(Kind.POD, claiming(pod("one", NAME), "pair"));
    world.create(Kind.POD, claiming(pod("two", NAME), "pair"));
    schedules();
    world.create(Kind.POD, claiming(pod("late", NAME), "other"));
    time.runFor(Duration.ofSeconds(5));
    assertThat(List.of(nodeOf("one"), nodeOf("two"))).isEqualTo(List.of("n2", "n2"));
    assertThat(why("late").contains("2 cannot allocate all claims")).as(() -> why("late")).isTrue();
    world.remove(ObjectRef.pod("team", "one"));
    time.runFor(Duration.ofSeconds(30));
    assertThat(nodeOf("late")).as("the other one still has them").isEqualTo("");
    world.remove(ObjectRef.pod("team", "two"));
    time.runFor(Duration.ofSeconds(30));
    assertThat(nodeOf("late")).isEqualTo("n2");
  }
}
