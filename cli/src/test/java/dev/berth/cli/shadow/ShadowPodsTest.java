package dev.berth.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Pod;
import dev.berth.engine.request.PodManifest;
import dev.berth.simulator.world.ObjectTree;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Pods as the schedulers of others have them.
class ShadowPodsTest {
  private static final Map<String, Object> TWO =
      ObjectTree.of("limits", ObjectTree.of("nvidia.com/gpu", "2"));

  private final ShadowPods all = new ShadowPods(ShadowRules.DEFAULT);

  private static Map<String, Object> pod(Map<String, Object> more) {
    var pod =
        ObjectTree.thaw(
            ObjectTree.of(
                "apiVersion",
                "v1",
                "kind",
                "Pod",
                "metadata",
                ObjectTree.of("name", "p", "namespace", "team", "uid", "u"),
                "spec",
                ObjectTree.of(
                    "schedulerName",
                    "default-scheduler",
                    "containers",
                    List.of(ObjectTree.of("name", "main", "resources", TWO)))));
    ObjectTree.merge(pod, more);
    return pod;
  }

  private static Map<String, Object> spec(Object... fields) {
    return ObjectTree.of("spec", ObjectTree.of(fields));
  }

  private static Map<String, Object> metadata(Object... fields) {
    return ObjectTree.of("metadata", ObjectTree.of(fields));
  }

  private static Map<String, Object> scheduled(String is, String at) {
    return ObjectTree.of(
        "type",
        "PodScheduled",
        "status",
        is,
        "reason",
        "Unschedulable",
        "message",
        "0/1 nodes",
        "lastTransitionTime",
        at);
  }

  private static Pod rewritten(Map<String, Object> pod) {
    ShadowPods.rewrite(pod);
    return PodManifest.read(pod).orElseThrow();
  }

  @Test
  void podsThatAskForGpusCount() {
    assertThat(all.counts(pod(Map.of()))).as("whole GPUs").isTrue();
    assertThat(all.counts(without(metadata("annotations", ObjectTree.of("gpu-fraction", "0.5")))))
        .as("a share")
        .isTrue();
    assertThat(all.counts(without(spec("resourceClaims", List.of(claim()))))).as("DRA").isTrue();
    var slice = ObjectTree.of("limits", ObjectTree.of("nvidia.com/mig-1g.10gb", "1"));
    assertThat(
            all.counts(
                pod(
                    spec(
                        "containers", List.of(ObjectTree.of("name", "main", "resources", slice))))))
        .as("MIG")
        .isTrue();
    assertThat(all.counts(without(Map.of()))).as("no GPU").isFalse();
  }

  private static Map<String, Object> claim() {
    return ObjectTree.of("name", "gpu", "resourceClaimName", "mine");
  }

  private static Map<String, Object> without(Map<String, Object> more) {
    var pod = pod(spec("containers", List.of(ObjectTree.of("name", "main"))));
    ObjectTree.merge(pod, more);
    return pod;
  }

  @Test
  void podsThatNoSchedulerChoosesANodeForDoNotCount() {
    for (String kind : List.of("DaemonSet", "Node")) {
      var owner = ObjectTree.ownedBy("v1", kind, "o", "o-uid");
      assertThat(all.counts(pod(metadata("ownerReferences", owner)))).as(kind).isFalse();
    }
    var job = ObjectTree.ownedBy("batch/v1", "Job", "o", "o-uid");
    assertThat(all.counts(pod(metadata("ownerReferences", job)))).as("Job").isTrue();
    var holder = ObjectTree.of("berth.dev/holder", "true");
    assertThat(all.counts(pod(metadata("labels", holder)))).as("holder").isFalse();
  }

  @Test
  void theNamedSchedulersAloneCount() {
    var some =
        new ShadowPods(
            new ShadowRules(new TreeSet<>(List.of("kai-scheduler", "volcano")), "", false));
    assertThat(some.counts(pod(Map.of()))).as("default-scheduler").isFalse();
    assertThat(some.counts(pod(spec("schedulerName", "volcano")))).as("volcano").isTrue();
    var byDefault =
        new ShadowPods(
            new ShadowRules(new TreeSet<>(Collections.singleton("default-scheduler")), "", false));
    assertThat(byDefault.counts(pod(spec("schedulerName", "")))).as("none named").isTrue();
  }

  /// The default scheduler found no node: Berth has not looked yet.
  @Test
  void aPodWithoutANodeWaitsAtBerthsGate() {
    var pod =
        rewritten(
            pod(
                ObjectTree.of(
                    "status",
                    ObjectTree.of(
                        "phase",
                        "Pending",
                        "nominatedNodeName",
                        "worker",
                        "conditions",
                        List.of(scheduled("False", "2026-01-01T12:00:00Z"))))));
    assertThat(pod.scheduler()).isEqualTo("berth");
    assertThat(pod.life().gates()).containsExactly("berth.dev/queued");
    assertThat(pod.life().refusal()).isEmpty();
    assertThat(pod.written()).isEqualTo(Pod.Written.NOTHING);
  }

  @Test
  void theGatesOfKueueAreWhatBerthsGateStandsForAndOthersStay() {
    var gates =
        List.of(
            ObjectTree.of("name", "kueue.x-k8s.io/admission"),
            ObjectTree.of("name", "kueue.x-k8s.io/topology"),
            ObjectTree.of("name", "example.com/checked"));
    assertThat(rewritten(pod(spec("schedulingGates", gates))).life().gates())
        .containsExactly("berth.dev/queued", "example.com/checked");
  }

  /// Not since its kubelet took it.
  @Test
  void aPodOnANodeRunsSinceItWasBound() {
    var pod =
        rewritten(
            pod(
                ObjectTree.of(
                    "spec",
                    ObjectTree.of("nodeName", "worker"),
                    "status",
                    ObjectTree.of(
                        "phase",
                        "Running",
                        "startTime",
                        "2026-01-01T12:00:09Z",
                        "conditions",
                        List.of(scheduled("True", "2026-01-01T12:00:03Z"))))));
    assertThat(pod.life().gates()).isEmpty();
    assertThat(pod.life().started()).isEqualTo(Instant.parse("2026-01-01T12:00:03Z"));
    assertThat(pod.life().node().value()).isEqualTo("worker");
  }

  @Test
  void aPodOfBerthStaysAsItIs() {
    var pod = pod(spec("schedulerName", "berth"));
    var before = ObjectTree.freeze(pod);
    ShadowPods.rewrite(pod);
    assertThat(pod).isEqualTo(before);
  }
}
