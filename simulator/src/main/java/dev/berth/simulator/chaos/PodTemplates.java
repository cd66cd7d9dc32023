package dev.berth.simulator.chaos;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectTree;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// The pods that users of a simulation create: what they request, in which queue, with which
/// priority. Numbers their workloads.
final class PodTemplates {
  /// The label that all pods of a workload carry.
  static final String APP = "app";

  private final Chance chance;
  private final List<String> queues;
  private final Consumer<Map<String, Object>> dress;
  private int number;

  /// @param dress adds to every pod of Berth what tenants say of it
  PodTemplates(Chance chance, List<String> queues, Consumer<Map<String, Object>> dress) {
    this.chance = chance;
    this.queues = queues;
    this.dress = dress;
  }

  /// Of the next workload: 1 or more.
  int nextNumber() {
    return ++number;
  }

  Map<String, Object> pod(String name, String scheduler) {
    return of(
        "metadata",
        of("namespace", ClusterGenerator.NAMESPACE, "name", name),
        "spec",
        of(
            "schedulerName",
            scheduler,
            "terminationGracePeriodSeconds",
            (long) chance.between(1, 6)));
  }

  /// A pod of Berth without a name, and without a request.
  Map<String, Object> nameless() {
    var pod = pod("", "berth");
    ObjectTree.under(pod, "metadata").remove("name");
    ObjectTree.under(pod, "metadata").remove("namespace");
    return pod;
  }

  static void amounts(Map<String, Object> pod, Map<String, Object> amounts) {
    ObjectTree.under(pod, "spec")
        .put(
            "containers",
            List.of(of("name", "main", "resources", of("requests", amounts, "limits", amounts))));
  }

  /// A pod of Berth without a name, with a request, a queue and a priority.
  Map<String, Object> template() {
    var pod = nameless();
    var labels = ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels");
    var annotations = ObjectTree.under(ObjectTree.under(pod, "metadata"), "annotations");
    var spec = ObjectTree.under(pod, "spec");
    labels.put("berth.dev/queue", chance.of(queues));
    spec.put("priorityClassName", chance.of(ClusterGenerator.PRIORITIES));
    if (chance.comes(0.1)) {
      labels.put("berth.dev/preemptibility", chance.comes(0.5) ? "preemptible" : "non-preemptible");
    }
    if (chance.comes(0.1)) {
      spec.put("nodeSelector", of(ClusterGenerator.POOL, chance.of(List.of("blue", "red"))));
    }
    if (chance.comes(0.05)) {
      annotations.put("berth.dev/preemption-delay", "5s");
    }
    var amounts = of("cpu", chance.of(List.of("1", "1", "2")), "memory", "1Gi");
    int dice = chance.below(100);
    if (dice < 40) {
      annotations.put("gpu-fraction", chance.of(List.of("0.2", "0.3", "0.5", "0.5", "0.7", "0.9")));
    } else if (dice < 50) {
      annotations.put("gpu-memory", chance.of(List.of("8192", "20Gi", "36Gi")));
    }
    if (dice < 50 && chance.comes(0.15)) {
      annotations.put("gpu-fraction-num-devices", "2");
    } else if (dice >= 50 && dice < 92) {
      amounts.put(ClusterGenerator.GPU, chance.of(List.of("1", "1", "1", "2", "4")));
    }
    amounts(pod, amounts);
    dress.accept(pod);
    return pod;
  }
}
