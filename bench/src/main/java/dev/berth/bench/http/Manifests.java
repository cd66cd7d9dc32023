package dev.berth.bench.http;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.bench.ours.GpuNumbers;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import dev.berth.engine.model.Node;
import dev.berth.simulator.world.SimulatedGpuNode;
import dev.berth.simulator.world.SimulatedGpuNode.Model;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/// Nodes and pods of a trace as objects of the Kubernetes API, and one queue without limits.
final class Manifests {
  static final String NAMESPACE = "default";

  private static final String QUEUE = "all";
  private static final String PODS_PER_NODE = "250";

  /// Of one GPU, in MiB. No pod of a trace asks for memory of GPUs, so it is the same for all.
  private static final int GPU_MEMORY = 16_384;

  private Manifests() {}

  static Map<String, Object> namespace() {
    return of("apiVersion", "v1", "kind", "Namespace", "metadata", of("name", NAMESPACE));
  }

  static Map<String, Object> queue() {
    var quota = of("gpu", "unlimited", "cpu", "unlimited", "memory", "unlimited");
    return of(
        "apiVersion",
        "berth.dev/v1alpha1",
        "kind",
        "Queue",
        "metadata",
        of("name", QUEUE),
        "spec",
        of("priority", 100L, "quota", quota));
  }

  /// The node at a position of the run.
  static Map<String, Object> node(int n, Machine machine) {
    var amounts =
        of(
            "cpu",
            machine.cpu() + "m",
            "memory",
            machine.memory() + "Mi",
            "ephemeral-storage",
            "1Ti",
            "pods",
            PODS_PER_NODE);
    var model = new Model(machine.model(), GPU_MEMORY);
    return new SimulatedGpuNode(
            GpuNumbers.name(n).value(), machine.gpus(), model, amounts, Map.of())
        .tree();
  }

  /// A pod of its own, which may not be preempted: nothing is ever moved for another.
  static Map<String, Object> pod(String name, Ask ask) {
    var metadata =
        of(
            "namespace",
            NAMESPACE,
            "name",
            name,
            "labels",
            of("berth.dev/queue", QUEUE, "berth.dev/preemptibility", "non-preemptible"));
    if (ask.isShare()) {
      var share = BigDecimal.valueOf(ask.milli(), 3).stripTrailingZeros().toPlainString();
      metadata.put("annotations", of("gpu-fraction", share));
    }
    var amounts = of("cpu", ask.cpu() + "m", "memory", ask.memory() + "Mi");
    if (!ask.isShare() && !ask.isCpuOnly()) {
      amounts.put(SimulatedGpuNode.GPU, Integer.toString(ask.gpus()));
    }
    var container =
        of(
            "name",
            "main",
            "image",
            "trace",
            "resources",
            of("requests", amounts, "limits", amounts));
    var spec = of("schedulerName", "berth", "containers", List.of(container));
    if (!ask.spec().isEmpty()) {
      spec.put("affinity", of("nodeAffinity", anyOf(List.of(ask.spec().split("\\|")))));
    }
    return of("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec);
  }

  private static Map<String, Object> anyOf(List<String> models) {
    var expression = of("key", Node.Accelerator.MODEL, "operator", "In", "values", models);
    var term = of("matchExpressions", List.of(expression));
    return of(
        "requiredDuringSchedulingIgnoredDuringExecution", of("nodeSelectorTerms", List.of(term)));
  }
}
