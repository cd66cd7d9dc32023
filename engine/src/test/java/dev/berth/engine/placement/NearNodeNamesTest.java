package dev.berth.engine.placement;

import static dev.berth.engine.Cluster.cluster;
import static dev.berth.engine.NodeSketch.gpus;
import static dev.berth.engine.PodSketch.gang;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.PodSketch;
import dev.berth.engine.model.Constraints.Expression;
import dev.berth.engine.model.Constraints.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an affinity asks for is told, and what nodes have that is called almost so.
final class NearNodeNamesTest {
  private static String asking(PodSketch pod) {
    return cluster()
        .node("n1", gpus(4).label("disk", "nvme").label("zone", "a"))
        .waiting("pod", "default", pod)
        .plan()
        .tells("pod");
  }

  @Test
  void aMisspeltNodeAffinityIsToldWithTheNearestLabel() {
    assertThat(asking(gang(1).wants("disk", Operator.IN, "nmve")))
        .endsWith(
            "outside the node affinity (disk in nmve). Helps: a new pod with another node"
                + " affinity (did you mean disk=nvme?), or nodes that the present one names.");
    assertThat(asking(gang(1).wants("dsik", Operator.IN, "nvme")))
        .contains("(did you mean disk=nvme?), or nodes");
    assertThat(asking(gang(1).wants("disk", Operator.IN, "hdd", "nmve")))
        .contains("(did you mean disk=nvme?), or nodes");
  }

  @Test
  void whatIsNotAlmostSoIsNoHint() {
    assertThat(asking(gang(1).wants("disk", Operator.IN, "hdd"))).doesNotContain("did you mean");
    assertThat(asking(gang(1).wants("disk", Operator.NOT_IN, "nvme")))
        .doesNotContain("did you mean");
    var both =
        List.of(
            new Expression(false, "disk", Operator.IN, List.of("nvme")),
            new Expression(false, "zone", Operator.IN, List.of("elsewhere")));
    assertThat(asking(gang(1).wantsAll(both))).doesNotContain("did you mean");
  }

  @Test
  void podAffinityTellsWhichPodsItLooksFor() {
    assertThat(asking(gang(1).near("zone", "app", "cache")))
        .contains("without the pods of its pod affinity (zone: app in cache). Helps: ");
    assertThat(asking(gang(1).near("zone", "app", "c".repeat(300))).length()).isLessThan(500);
  }
}
