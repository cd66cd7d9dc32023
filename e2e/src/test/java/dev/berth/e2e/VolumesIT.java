package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Pods leave where the preemptor's volume is reached, and nowhere else, whatever becomes of the
/// volume.
class VolumesIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
  private static final String VOLUMES = "/api/v1/persistentvolumes";
  private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
  private static final String CLASSES = "/apis/storage.k8s.io/v1/storageclasses";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(23300, "--nodes", "3", "--gpus", "4");
    api = cluster.admin();
  }

  /// Each finds all GPUs free.
  @AfterEach
  void clean() {
    api.delete(PODS);
    ControlPlane.await("the pods are gone", () -> api.list(PODS).isEmpty(), () -> state());
  }

  @Test
  void podsLeaveWhereTheVolumeIsAndNowhereElse() {
    api.createQueue("lender", 12);
    api.createQueue("borrower", 0);
    for (int i = 0; i < 12; i++) {
      api.createOrFail(PODS, pod("runs-" + i, "borrower", 1).toString());
    }
    ControlPlane.await("the cluster is full", () -> running().size() == 12, () -> running() + "");
    api.createOrFail(CLASSES, CLASS);
    api.createOrFail(CLAIMS, claim("data", ""));

    api.createOrFail(PODS, pod("x", "lender", 2).volume("data").toString());
    awaitReason("x", "VolumeNotReady");
    api.createOrFail(VOLUMES, volume("lost", "node-0099"));
    bind("data", "lost");
    awaitReason("x", "NoRoom");
    Api.pause(Duration.ofSeconds(5));
    assertThat(running()).as("nobody is evicted in vain").hasSize(12);

    var before = running();
    api.createOrFail(VOLUMES, volume("found", "node-0002"));
    api.createOrFail(CLAIMS, claim("other", "found"));
    api.createOrFail(PODS, pod("y", "lender", 2).volume("other").toString());
    ControlPlane.await("y is bound", () -> nodeOf("y").equals("node-0002"), () -> state());
    Api.pause(Duration.ofSeconds(2));
    var left = new TreeSet<>(before);
    left.removeAll(running());
    assertThat(left).hasSize(2).allMatch(pod -> pod.endsWith(" on node-0002"));
    assertThat(nodeOf("x")).isEmpty();
  }

  /// kube-scheduler waits ten minutes for it, and writes nothing meanwhile.
  @Test
  void whoWaitsForAVolumeThatNobodyProvisionsSaysSo() {
    api.createQueue("solo", 1);
    api.createOrFail(CLASSES, LATE_CLASS);
    api.createOrFail(CLAIMS, claim("late", "").replace("\"disks\"", "\"late-disks\""));
    api.createOrFail(PODS, pod("z", "solo", 1).volume("late").toString());
    awaitReason("z", "Starting");
    String node =
        api.get(CLAIMS + "/late").at("/metadata/annotations").path(SELECTED_NODE).asText();
    assertThat(messages("z"))
        .containsExactly(
            "Starting: Waits: a place is found: StorageClass late-disks has no volume yet for"
                + " PersistentVolumeClaim late on node "
                + node
                + ". Helps: a volume from the provisioner of that class: kubectl -n default"
                + " describe pvc late tells why there is none.");
    api.createOrFail(VOLUMES, volume("late", node).replace("\"disks\"", "\"late-disks\""));
    bind("late", "late");
    ControlPlane.await("z is bound", () -> nodeOf("z").equals(node), () -> state());
  }

  /// A provisioner that gives up takes the node from the claim; kube-scheduler then writes the
  /// condition of the pod, so an annotation says what the pod still waits for.
  @Test
  void besideTheConditionOfKubeSchedulerAnAnnotationSaysWhyThePodWaits() {
    api.createQueue("annotated", 1);
    api.createOrFail(CLASSES, LATE_CLASS.replace("late-disks", "given-up"));
    api.createOrFail(CLAIMS, claim("retried", "").replace("\"disks\"", "\"given-up\""));
    api.createOrFail(PODS, pod("w", "annotated", 1).volume("retried").toString());
    ControlPlane.await(
        "kube-scheduler waits for the volume",
        () -> !selectedNode("retried").isEmpty(),
        () -> state());
    assertThat(waiting("w")).as("the condition says it").isEmpty();
    var answer =
        api.patch(
            CLAIMS + "/retried",
            "{\"metadata\": {\"annotations\": {\"%s\": null}}}".formatted(SELECTED_NODE));
    assertThat(answer.isOk()).as(answer.message()).isTrue();
    ControlPlane.await(
        "the annotation says why it waits",
        () -> waiting("w").startsWith("Starting: Waits: a place is found"),
        () -> api.get(PODS + "/w").toString());
    assertThat(api.get(PODS + "/w").at("/status/conditions").findValuesAsText("reason"))
        .as("kube-scheduler's word")
        .containsAnyOf("SchedulerError", "Unschedulable");
    ControlPlane.await(
        "kube-scheduler tries again", () -> !selectedNode("retried").isEmpty(), () -> state());
    String node = selectedNode("retried");
    api.createOrFail(VOLUMES, volume("retried", node).replace("\"disks\"", "\"given-up\""));
    bind("retried", "retried");
    ControlPlane.await("w is bound", () -> nodeOf("w").equals(node), () -> state());
    ControlPlane.await(
        "the annotation goes", () -> waiting("w").isEmpty(), () -> api.get(PODS + "/w") + "");
  }

  private static String waiting(String pod) {
    return api.get(PODS + "/" + pod).at("/metadata/annotations").path("berth.dev/waiting").asText();
  }

  /// kube-scheduler keeps the room of a pod whose volume it waits for, whatever became of its gang:
  /// the queue is charged for it, so a limit holds.
  @Test
  void roomThatKubeSchedulerKeepsIsCharged() {
    api.createOrFail(
        AdmissionRequests.QUEUES,
        """
        {"apiVersion": "berth.dev/v1alpha1", "kind": "Queue", "metadata": {"name": "tight"},
         "spec": {"quota": {"gpu": 1, "cpu": "unlimited", "memory": "unlimited"}, "limit": {"gpu": 1}}}
        """);
    api.createOrFail(CLASSES, LATE_CLASS.replace("late-disks", "never"));
    for (String each : List.of("first", "second")) {
      api.createOrFail(CLAIMS, claim(each, "").replace("\"disks\"", "\"never\""));
    }
    phantom("first");
    ControlPlane.await(
        "kube-scheduler waits for the volume",
        () -> !selectedNode("first").isEmpty(),
        () -> state());
    api.delete(PODS + "/first-other");

    phantom("second");
    Api.pause(Duration.ofSeconds(30)); // twice the deadline of a plan
    assertThat(selectedNode("second")).as("beyond the limit of 1 GPU").isEmpty();
    assertThat(api.get(AdmissionRequests.QUEUES + "/tight").at("/status/allocated/gpu").asText())
        .isEqualTo("1");

    api.delete(PODS + "/first-gpu");
    ControlPlane.await(
        "the room is free with the pod", () -> !selectedNode("second").isEmpty(), () -> state());
  }

  /// The volume of a claim that is gone is that of no other, even of one made anew under its name;
  /// and one that is not available yet is no reason to evict either.
  @Test
  void noPodLeavesForAVolumeThatIsNotAvailable() {
    api.createQueue("owed", 12);
    api.createQueue("borrows", 0);
    for (int i = 0; i < 12; i++) {
      api.createOrFail(PODS, pod("runs-" + i, "borrows", 1).toString());
    }
    ControlPlane.await("the cluster is full", () -> running().size() == 12, () -> running() + "");
    api.createOrFail(CLASSES, LOCAL_CLASS);
    api.createOrFail(VOLUMES, local("released", "node-0001"));
    var answer =
        api.patch(
            VOLUMES + "/released",
            """
            {"spec": {"claimRef": {"apiVersion": "v1", "kind": "PersistentVolumeClaim",
              "namespace": "default", "name": "anew", "uid": "of-another"}}}
            """);
    assertThat(answer.isOk()).as(answer.message()).isTrue();
    phase("released", "Released");
    api.createOrFail(CLAIMS, claim("anew", "").replace("\"disks\"", "\"local\""));
    api.createOrFail(PODS, pod("v", "owed", 2).volume("anew").toString());
    awaitReason("v", "VolumeNotReady");
    Api.pause(Duration.ofSeconds(5));
    assertThat(running()).as("no pod leaves for it").hasSize(12);

    var before = running();
    api.createOrFail(VOLUMES, local("fresh", "node-0002"));
    phase("fresh", "Available");
    ControlPlane.await("two leave for it", () -> running().size() == 10, () -> running() + "");
    before.removeAll(running());
    assertThat(before).hasSize(2).allMatch(pod -> pod.endsWith(" on node-0002"));
  }

  private static String local(String name, String node) {
    return volume(name, node).replace("\"disks\"", "\"local\"");
  }

  /// As the controller of volumes writes it.
  private static void phase(String volume, String phase) {
    var answer =
        api.patch(
            VOLUMES + "/" + volume + "/status", "{\"status\": {\"phase\": \"" + phase + "\"}}");
    assertThat(answer.isOk()).as(answer.message()).isTrue();
  }

  /// A gang of two, of which one asks for a GPU and for a volume that is never provisioned.
  private static void phantom(String name) {
    api.createOrFail(
        "/apis/berth.dev/v1alpha1/namespaces/default/podgroups",
        """
        {"apiVersion": "berth.dev/v1alpha1", "kind": "PodGroup", "metadata": {"name": "%s"},
         "spec": {"minMember": 2, "queue": "tight"}}
        """
            .formatted(name));
    api.createOrFail(PODS, pod(name + "-gpu", "tight", 1).in(name).volume(name).toString());
    api.createOrFail(
        PODS,
        PodYaml.pod(name + "-other").labelled("berth.dev/queue", "tight").in(name).toString());
  }

  private static String selectedNode(String claim) {
    return api.get(CLAIMS + "/" + claim).at("/metadata/annotations").path(SELECTED_NODE).asText();
  }

  private static String state() {
    return api.list(PODS).toString();
  }

  private static Set<String> running() {
    return api.list(PODS).stream()
        .filter(pod -> Api.name(pod).startsWith("runs-"))
        .filter(Truth::isBound)
        .filter(pod -> pod.at("/metadata/deletionTimestamp").isMissingNode())
        .map(pod -> Api.name(pod) + " on " + pod.at("/spec/nodeName").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String nodeOf(String pod) {
    return api.get(PODS + "/" + pod).at("/spec/nodeName").asText();
  }

  private static void awaitReason(String pod, String reason) {
    ControlPlane.await(
        pod + " says " + reason,
        () -> messages(pod).stream().anyMatch(message -> message.startsWith(reason + ": ")),
        () -> messages(pod).toString());
  }

  private static List<String> messages(String pod) {
    return api.get(PODS + "/" + pod).at("/status/conditions").findValuesAsText("message");
  }

  private static final String CLASS =
      """
      {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "disks"},
       "provisioner": "example.com/disks", "volumeBindingMode": "Immediate"}
      """;

  private static final String LATE_CLASS =
      CLASS.replace("\"disks\"", "\"late-disks\"").replace("Immediate", "WaitForFirstConsumer");

  private static final String LOCAL_CLASS =
      """
      {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "local"},
       "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"}
      """;

  private static String volume(String name, String node) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "%s"},
     "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"],
      "hostPath": {"path": "/data"}, "storageClassName": "disks",
      "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
        {"key": "kubernetes.io/hostname", "operator": "In", "values": ["%s"]}]}]}}}}
    """
        .formatted(name, node);
  }

  /// As the controller of volumes leaves it, which does not run here.
  ///
  /// @param volume empty = not bound yet
  private static String claim(String name, String volume) {
    return """
    {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "%s"%s},
     "spec": {"accessModes": ["ReadWriteOnce"], "storageClassName": "disks"%s,
      "resources": {"requests": {"storage": "1Gi"}}}}
    """
        .formatted(
            name,
            volume.isEmpty()
                ? ""
                : ", \"annotations\": {\"pv.kubernetes.io/bind-completed\": \"yes\"}",
            volume.isEmpty() ? "" : ", \"volumeName\": \"" + volume + "\"");
  }

  private static void bind(String claim, String volume) {
    var answer =
        api.patch(
            CLAIMS + "/" + claim,
            """
            {"metadata": {"annotations": {"pv.kubernetes.io/bind-completed": "yes"}},
             "spec": {"volumeName": "%s"}}
            """
                .formatted(volume));
    assertThat(answer.isOk()).as(answer.message()).isTrue();
  }
}
