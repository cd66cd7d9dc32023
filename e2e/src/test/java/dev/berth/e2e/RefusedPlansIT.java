package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A pod that no node suits for a reason which only kube-scheduler knows: others are not evicted
/// for it on one node after the other.
class RefusedPlansIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(21800, "--nodes", "3", "--gpus", "4");
    api = cluster.admin();
    api.createQueue("lender", 12);
    api.createQueue("borrower", 0);
  }

  @Test
  void nobodyElseIsEvictedForAWhileOnceKubeSchedulerRefusedTheNode() {
    for (int i = 0; i < 12; i++) {
      api.createOrFail(PODS, pod("runs-" + i, "borrower", 1).toString());
    }
    ControlPlane.await("the cluster is full", () -> running() == 12, () -> api.list(PODS) + "");
    api.createOrFail("/api/v1/persistentvolumes", VOLUME);
    api.createOrFail("/api/v1/namespaces/default/persistentvolumeclaims", CLAIM);

    api.createOrFail(PODS, pod("x", "lender", 4).volume("data").toString());
    awaitBackoff();
    assertThat(running()).as("those of one node are gone").isEqualTo(8);
    Api.pause(Duration.ofSeconds(7));
    assertThat(running()).as("nobody else is evicted for a while").isEqualTo(8);

    ControlPlane.await(
        "then it is tried on another node", () -> running() == 4, () -> String.join("\n", said()));
    Api.pause(Duration.ofSeconds(20));
    assertThat(running()).as("and for longer the second time").isEqualTo(4);
  }

  private static List<String> said() {
    return api.list(EVENTS).stream()
        .filter(event -> event.at("/regarding/name").asText().equals("x"))
        .map(event -> event.path("reason").asText() + ": " + event.path("note").asText())
        .toList();
  }

  private static void awaitBackoff() {
    ControlPlane.await(
        "the pod says why nobody leaves for it now",
        () ->
            said().stream()
                .anyMatch(note ->
                    note.startsWith("EvictionBackoff: ")
                        && note.contains(
                            ", since 1 plan of it for which others left came to nothing")
                        && note.contains("no available volume zone")),
        () -> String.join("\n", said()));
  }

  private static long running() {
    return api.list(PODS).stream()
        .filter(pod -> Api.name(pod).startsWith("runs-"))
        .filter(Truth::isBound)
        .filter(RefusedPlansIT::stays)
        .count();
  }

  private static boolean stays(JsonNode pod) {
    return pod.at("/metadata/deletionTimestamp").isMissingNode();
  }

  /// In no zone of a node, and without a node affinity that says so.
  private static final String VOLUME =
      """
      {"apiVersion": "v1", "kind": "PersistentVolume",
       "metadata": {"name": "disk", "labels": {"topology.kubernetes.io/zone": "elsewhere"}},
       "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
        "hostPath": {"path": "/data"}, "storageClassName": "",
        "claimRef": {"namespace": "default", "name": "data"}}}
      """;

  /// As the controller of volumes leaves it, which does not run here.
  private static final String CLAIM =
      """
      {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
       "metadata": {"name": "data",
        "annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
       "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "", "volumeName": "disk",
        "resources": {"requests": {"storage": "1Gi"}}}}
      """;
}
