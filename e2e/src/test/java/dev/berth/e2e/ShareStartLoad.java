package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// How long a share takes from its creation until it runs, on a real node: *cold*, the first share
/// of a node without proof (holder, probe, Binding, containers); *proven*, the first share of a
/// node that is proven; *warm*, beside a share that has a holder.
///
/// ```
/// ./mvnw -pl e2e -am verify -Dit.test=ShareStartLoad -Drounds=50
///   -Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false
/// ```
class ShareStartLoad {
  private static final int PORT = 22800;
  private static final String SYSTEM = "/api/v1/namespaces/berth-system/pods";

  private Api api;

  @Test
  void fromNothingToRunning() {
    RealNode.require();
    int rounds = Integer.getInteger("rounds", 3);
    try (var cluster = ControlPlane.up(PORT, "--nodes", "0", "--plain-scheduler", "--real-nodes")) {
      api = cluster.admin();
      try (var node =
          RealNode.up(
              cluster, "real-0", PORT + 100, "--gpus", "2", "--default-runtime", "nvidia")) {
        start("images"); // the first pod of a node unpacks the image
        clean(true);
        var cold = new ArrayList<Double>();
        var proven = new ArrayList<Double>();
        var warm = new ArrayList<Double>();
        for (int round = 0; round < rounds; round++) {
          cold.add(start("cold"));
          clean(false);
          proven.add(start("first"));
          warm.add(start("second"));
          clean(true);
          System.out.printf(
              "round %d: cold %.2f s, proven %.2f s, warm %.2f s%n",
              round, cold.getLast(), proven.getLast(), warm.getLast());
        }
        print("cold (holder and probe)", cold);
        print("proven node (holder)", proven);
        print("warm (beside another share)", warm);
        assertThat(node.allocations()).as("nothing is left").isEmpty();
      }
    }
  }

  /// @return seconds
  private double start(String name) {
    long begun = System.nanoTime();
    GpuPod.named(name).by("berth").annotated("gpu-fraction", "0.5").running().create(api);
    while (!GpuPod.named(name).phase(api).equals("Running")) {
      Api.pause(Duration.ofMillis(20));
      if (System.nanoTime() - begun > 60e9) {
        throw new AssertionError(name + " does not run: " + GpuPod.named(name).get(api));
      }
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  /// @param probes whether the proof goes, too
  private void clean(boolean probes) {
    api.delete(GpuPod.PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "pods and holders are gone",
        () ->
            api.list(GpuPod.PODS).isEmpty()
                && api.list(SYSTEM + "?labelSelector=berth.dev%2Fholder").isEmpty(),
        () -> api.list(SYSTEM).toString());
    if (probes) {
      for (JsonNode probe : api.list(SYSTEM + "?labelSelector=berth.dev%2Fprobe")) {
        api.delete(SYSTEM + "/" + Api.name(probe) + "?gracePeriodSeconds=0");
      }
      ControlPlane.await(
          "probes are gone",
          () -> api.list(SYSTEM + "?labelSelector=berth.dev%2Fprobe").isEmpty(),
          () -> "");
    }
  }

  private static void print(String what, List<Double> seconds) {
    var sorted = new ArrayList<>(seconds);
    Collections.sort(sorted);
    System.out.printf(
        "%s: n %d, p50 %.2f s, p95 %.2f s, longest %.2f s%n",
        what,
        sorted.size(),
        sorted.get((sorted.size() - 1) / 2),
        sorted.get((int) Math.ceil(sorted.size() * 0.95) - 1),
        sorted.getLast());
  }
}
