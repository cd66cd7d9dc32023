package dev.berth.cli.demo;

import static dev.berth.simulator.world.ObjectTree.of;

import dev.berth.simulator.world.Kubelet;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What users of the demo write: pods, jobs and groups as trees.
final class DemoManifests {
  private static final String GPU = "nvidia.com/gpu";

  /// The job that a pod is of.
  static final String JOB_LABEL = "batch.kubernetes.io/job-name";

  private static final String IMPOSSIBLE_LABEL = "demo.berth.dev/impossible";

  /// @param annotations of the pod
  /// @param devices whole ones
  record Wish(Map<String, Object> annotations, int devices) {}

  /// A request that cannot be granted.
  record Impossible(String name, String queue, Map<String, String> annotations, int devices) {}

  static final List<Impossible> IMPOSSIBLE =
      List.of(
          new Impossible("giant", "", Map.of(), 16),
          new Impossible("newest", "", Map.of("berth.dev/gpu-model", "NVIDIA-B300"), 1),
          new Impossible("lost", "marketing", Map.of("gpu-fraction", "0.5"), 0),
          new Impossible("greedy", "", Map.of("gpu-fraction", "1.5"), 0),
          new Impossible("hoarder", "", Map.of("gpu-memory", "200Gi"), 0),
          new Impossible("misplaced", "research", Map.of("gpu-fraction", "0.3"), 0));

  private DemoManifests() {}

  static Wish fraction(int millis) {
    return new Wish(of("gpu-fraction", decimal(millis)), 0);
  }

  static Wish fractionOfTwo(int millis) {
    return new Wish(of("gpu-fraction", decimal(millis), "gpu-fraction-num-devices", "2"), 0);
  }

  static Wish memory(int gibibytes) {
    return new Wish(of("gpu-memory", gibibytes + "Gi"), 0);
  }

  static Wish whole(int devices) {
    return new Wish(of(), devices);
  }

  private static String decimal(int millis) {
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }

  /// A pod without name, as a template has it.
  static Map<String, Object> pod(String team, String priority, Wish wish, Duration duration) {
    var annotations = of(Kubelet.DURATION, duration.toMillis() + "ms");
    annotations.putAll(wish.annotations());
    var amounts = of("cpu", "2", "memory", "8Gi");
    if (wish.devices() > 0) {
      amounts.put(GPU, Integer.toString(wish.devices()));
    }
    return of(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        of("labels", of("berth.dev/queue", team), "annotations", annotations),
        "spec",
        of(
            "schedulerName",
            "berth",
            "priorityClassName",
            priority,
            "terminationGracePeriodSeconds",
            2L,
            "containers",
            List.of(
                of(
                    "name",
                    "main",
                    "image",
                    "demo",
                    "resources",
                    of("requests", amounts, "limits", amounts)))));
  }

  static Map<String, Object> impossible(String team, String priority, Impossible wish) {
    var annotations = of();
    annotations.putAll(wish.annotations());
    var pod = pod(team, priority, new Wish(annotations, wish.devices()), Duration.ofSeconds(10));
    var labels = ObjectTree.under(ObjectTree.under(pod, "metadata"), "labels");
    labels.put("berth.dev/queue", wish.queue().isEmpty() ? team : wish.queue());
    labels.put(IMPOSSIBLE_LABEL, "true");
    return pod;
  }

  static boolean isImpossible(Map<String, ?> pod) {
    return !ObjectTree.label(pod, IMPOSSIBLE_LABEL).isEmpty();
  }

  static void nameGroup(Map<String, Object> template, String group) {
    ObjectTree.under(ObjectTree.under(template, "metadata"), "labels")
        .put("berth.dev/pod-group", group);
  }

  /// On a pod template or on its job.
  static void minMember(Map<String, Object> object, int members) {
    ObjectTree.under(ObjectTree.under(object, "metadata"), "annotations")
        .put("berth.dev/min-member", Integer.toString(members));
  }

  static Map<String, Object> job(String team, String name, int pods, Map<String, Object> template) {
    ObjectTree.under(ObjectTree.under(template, "metadata"), "labels").put(JOB_LABEL, name);
    return of(
        "apiVersion",
        "batch/v1",
        "kind",
        "Job",
        "metadata",
        of("namespace", team, "name", name, "labels", of("berth.dev/queue", team)),
        "spec",
        of(
            "parallelism",
            (long) pods,
            "completions",
            (long) pods,
            "ttlSecondsAfterFinished",
            2L,
            "template",
            template));
  }

  /// @param topology `required`, `preferred`, or empty = none asked
  static Map<String, Object> group(
      Map<String, Object> job, int members, String topology, String priority) {
    var spec =
        of(
            "minMember",
            (long) members,
            "queue",
            ObjectTree.text(job, "metadata", "namespace"),
            "priorityClassName",
            priority);
    if (!topology.isEmpty()) {
      spec.put("topology", of("name", "fabric", topology, "rack"));
    }
    return of(
        "apiVersion",
        "berth.dev/v1alpha1",
        "kind",
        "PodGroup",
        "metadata",
        of(
            "namespace",
            ObjectTree.text(job, "metadata", "namespace"),
            "name",
            ObjectTree.name(job),
            "ownerReferences",
            ObjectTree.ownedBy("batch/v1", "Job", ObjectTree.name(job), ObjectTree.uid(job))),
        "spec",
        spec);
  }

  /// Thousandths of devices that a pod asks for; memory counted on the smaller model.
  static int millis(PodView pod) {
    return pod.isShare()
        ? pod.deviceCount() * pod.shareMillis(40960)
        : (int) (pod.amounts().getOrDefault(GPU, 0L) * 1000);
  }
}
