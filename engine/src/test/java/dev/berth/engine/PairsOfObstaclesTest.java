package dev.berth.engine;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.pod;
import static dev.berth.engine.QueueSketch.quota;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A pod that waits for two things at once is told both, and what helps against both: else its user
/// mends one and hears of the other only then. Each pair of a table, on one node.
class PairsOfObstaclesTest {
  /// One node, one pod that waits, and its queue below another.
  private static final class Stage {
    final NodeSketch node = gpus(4).with(Resource.CPU, 8_000).label("zone", "a").model("H100");
    final PodSketch pod = pod().asks(Resource.CPU, 2_000);
    final QueueSketch queue = quota(4).quota(Resource.CPU, 8_000);
    final QueueSketch above = quota(4).quota(Resource.CPU, 8_000);
    final List<PodSketch> strangers = new ArrayList<>();
    final List<PodSketch> running = new ArrayList<>();

    String tells() {
      var world =
          cluster()
              .topology("fabric", "rack")
              .queue("org", above)
              .queue("team", queue.below("org"))
              .queue("others", quota(4))
              .node("n1", node);
      strangers.forEach(each -> world.stranger("n1", each));
      for (int i = 0; i < running.size(); i++) {
        world.running("r" + i, "others", running.get(i));
      }
      return world.waiting("w", "team", pod).plan().tells("w");
    }
  }

  /// @param what words of what is so
  /// @param helps words of what helps
  private record Obstacle(String name, Consumer<Stage> put, String what, String helps) {}

  private static final List<Obstacle> OBSTACLES =
      List.of(
          new Obstacle(
              "limit",
              stage -> stage.queue.limit(0.5),
              "queue team never has more than its limit of 0.5 GPUs",
              "a limit of"),
          new Obstacle(
              "limit above",
              stage -> stage.above.limit(0.4),
              "queue org never has more than its limit of 0.4 GPUs",
              "a limit of"),
          new Obstacle(
              "quota",
              stage -> {
                stage.queue.quota(Resource.CPU, 500);
                stage.pod.nonPreemptible();
              },
              "more than the quota of queue team, which is",
              "in team, or preemptible work"),
          new Obstacle(
              "full",
              stage -> stage.strangers.add(pod().gpus(4)),
              "without enough free GPUs (nvidia.com/gpu)",
              "released"),
          new Obstacle(
              "cores",
              stage -> stage.strangers.add(pod().noGpu().asks(Resource.CPU, 6_500)),
              "short (cpu",
              "cpu released"),
          new Obstacle(
              "port",
              stage -> {
                stage.pod.port("TCP:0.0.0.0:8080");
                stage.running.add(pod().noGpu().port("TCP:0.0.0.0:8080").nonPreemptible());
              },
              "with the host port taken",
              "another host port"),
          new Obstacle(
              "selector",
              stage -> stage.pod.selects("disk", "ssd"),
              "outside the node selector (disk=ssd)",
              "nodes with the label disk=ssd"),
          new Obstacle(
              "second selector",
              stage -> stage.pod.selects("arch", "arm"),
              "outside the node selector (arch=arm)",
              "nodes with the label arch=arm"),
          new Obstacle(
              "affinity",
              stage -> stage.pod.wants("size", Operator.IN, "big"),
              "outside the node affinity",
              "nodes that its node affinity names"),
          new Obstacle("cordon", stage -> stage.node.cordoned(), "cordoned", "nodes uncordoned"),
          new Obstacle(
              "taint",
              stage -> stage.node.taint("team", "ml", "NoSchedule"),
              "tainted (team=ml:NoSchedule)",
              "a toleration of team=ml:NoSchedule"),
          new Obstacle(
              "second taint",
              stage -> stage.node.taint("use", "batch", "NoSchedule"),
              "tainted (use=batch:NoSchedule)",
              "a toleration of use=batch:NoSchedule"),
          new Obstacle(
              "not ready",
              stage -> stage.node.notReady(),
              "not ready",
              "nodes that become ready again"),
          new Obstacle(
              "model", stage -> stage.pod.model("B200"), "of another GPU model", "of model B200"),
          new Obstacle(
              "volume",
              stage -> stage.pod.lastsVolumeIn("zone", "b"),
              "out of reach of its volume (zone in b)",
              "room on nodes with zone in b"),
          new Obstacle(
              "too large",
              stage -> stage.pod.gpus(8),
              "too small (it has 4 GPUs, and 8 are asked for)",
              "or larger nodes"),
          new Obstacle(
              "topology",
              stage -> stage.pod.together("fabric", "rack", ""),
              "without the topology label (rack)",
              "the label rack on nodes"));

  /// Where the way out of the first does not depend on the second, or both ask for the same.
  private static final Set<String> APART =
      Set.of(
          "too large+full: a larger node has room",
          "too large+cores: a larger node has room",
          "too large+port: a larger node has the port",
          "too large+cordon: other nodes are asked for",
          "too large+taint: other nodes are asked for",
          "too large+second taint: other nodes are asked for",
          "too large+not ready: other nodes are asked for");

  /// What a node says of a required topology is told of no node that says another thing first.
  private static final Set<String> BESIDE_TOPOLOGY = Set.of("limit", "limit above", "quota");

  /// What helps against both is told once.
  private static final String LABELS = "selector+second selector";

  private static final String LABELS_TOGETHER =
      " Helps: nodes with the labels arch=arm and disk=ssd, or a new pod with another"
          + " nodeSelector.";

  static Stream<List<Obstacle>> pairs() {
    var pairs = new ArrayList<List<Obstacle>>();
    for (int i = 0; i < OBSTACLES.size(); i++) {
      for (int j = i + 1; j < OBSTACLES.size(); j++) {
        pairs.add(List.of(OBSTACLES.get(i), OBSTACLES.get(j)));
      }
    }
    return pairs.stream();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void bothAreToldAndWhatHelpsAgainstBoth(List<Obstacle> pair) {
    var stage = new Stage();
    pair.forEach(each -> each.put().accept(stage));
    String told = stage.tells();
    if (isApart(pair)) {
      return;
    }
    int helps = told.indexOf(" Helps: ");
    if (names(pair).equals(LABELS)) {
      assertThat(told)
          .contains(pair.getFirst().what(), pair.getLast().what())
          .endsWith(LABELS_TOGETHER);
      return;
    }
    for (Obstacle each : pair) {
      assertThat(told.substring(0, helps)).as(each.name()).contains(each.what());
      assertThat(told.substring(helps)).as(each.name() + ": " + told).contains(each.helps());
    }
  }

  @ParameterizedTest
  @MethodSource("alone")
  void oneAloneIsToldAlone(Obstacle obstacle) {
    var stage = new Stage();
    obstacle.put().accept(stage);
    String told = stage.tells();
    assertThat(told).contains(obstacle.what()).contains(obstacle.helps());
    var others = new TreeSet<String>();
    for (Obstacle each : OBSTACLES) {
      if (each != obstacle && told.contains(each.what())) {
        others.add(each.name());
      }
    }
    assertThat(others).as(told).isEmpty();
  }

  static Stream<Obstacle> alone() {
    return OBSTACLES.stream();
  }

  private static String names(List<Obstacle> pair) {
    return pair.getFirst().name() + "+" + pair.getLast().name();
  }

  private static boolean isApart(List<Obstacle> pair) {
    String names = names(pair);
    if (names.endsWith("+topology")) {
      return !BESIDE_TOPOLOGY.contains(pair.getFirst().name());
    }
    String turned = pair.getLast().name() + "+" + pair.getFirst().name();
    return APART.stream()
        .anyMatch(each -> each.startsWith(names + ":") || each.startsWith(turned + ":"));
  }
}
