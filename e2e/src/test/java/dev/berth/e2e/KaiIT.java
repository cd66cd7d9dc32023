package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// A cluster with KAI's objects, of which no controller runs any more: Berth reads them where they
/// are, places pods of schedulerName kai-scheduler by them, and writes none of them.
class KaiIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String QUEUES = "/apis/scheduling.run.ai/v2/queues";
  private static final String GROUPS =
      "/apis/scheduling.run.ai/v2alpha2/namespaces/default/podgroups";
  private static final String TOPOLOGIES = "/apis/kai.scheduler/v1alpha1/topologies";

  @AutoClose private static ControlPlane cluster;
  private static Api api;
  private static TreeMap<String, String> versions;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(21200, "--nodes", "2", "--gpus", "8", "--kai");
    api = cluster.admin();
    queue("ml", "\"resources\": {\"gpu\": {\"quota\": 16, \"limit\": -1}, " + ROOM + "}");
    queue(
        "research",
        "\"parentQueue\": \"ml\", \"resources\": {\"gpu\": {\"quota\": 4, \"limit\": 4}, "
            + ROOM
            + "}");
    api.createOrFail(
        TOPOLOGIES,
        """
        {"apiVersion": "kai.scheduler/v1alpha1", "kind": "Topology", "metadata": {"name": "fabric"},
         "spec": {"levels": [{"nodeLabel": "kubernetes.io/hostname", "alias": "host"}]}}
        """);
    for (String name : List.of("train", "large")) {
      api.createOrFail(
          GROUPS,
          """
          {"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup",
           "metadata": {"name": "%s"}, "spec": {"minMember": 3, "queue": "research",
           "topologyConstraint": {"topology": "fabric", "requiredTopologyLevel": "host"}}}
          """
              .formatted(name));
    }
    versions = versions();
  }

  private static final String ROOM =
      "\"cpu\": {\"quota\": -1, \"limit\": -1}, \"memory\": {\"quota\": -1, \"limit\": -1}";

  private static void queue(String name, String spec) {
    api.createOrFail(
        QUEUES,
        """
        {"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {"name": "%s"},
         "spec": {%s}}
        """
            .formatted(name, spec));
  }

  @AfterEach
  void nothingOfTheirsWasWritten() {
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    assertThat(versions()).as("versions of KAI's objects").isEqualTo(versions);
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "everything is gone, holders too",
        () -> api.list(Api.ALL_BUT_PROBES).isEmpty(),
        () -> api.list(Api.ALL_BUT_PROBES).toString());
  }

  @Test
  void aGangOfTheirsStartsTogetherInOneDomain() {
    for (int i = 0; i < 3; i++) {
      var born = api.createOrFail(PODS, member("train", i).gpus(1).toString());
      assertThat(born.at("/spec/schedulingGates/0/name").asText())
          .as("the gate of a pod of kai-scheduler")
          .isEqualTo("berth.dev/queued");
    }
    for (int i = 0; i < 3; i++) {
      awaitBound("train-" + i);
    }
    assertThat(
            api.list(PODS).stream()
                .map(pod -> pod.at("/spec/nodeName").asText())
                .distinct()
                .toList())
        .as("the nodes of a gang that must share one")
        .hasSize(1);
  }

  @Test
  void aLimitOfTheirsHoldsAndAPodTellsIt() {
    for (int i = 0; i < 3; i++) {
      api.createOrFail(PODS, member("large", i).gpus(2).toString());
    }
    ControlPlane.await(
        "a pod tells that six devices are more than the limit of four",
        () -> notes().stream().anyMatch(note -> note.contains("limit of 4")),
        () -> notes().toString());
    assertThat(api.list(PODS).stream().filter(Truth::isBound)).as("bound pods").isEmpty();
  }

  @Test
  void aShareGetsItsDevice() {
    api.createOrFail(PODS, theirs("half").share("0.5").toString());
    awaitBound("half");
    assertThat(
            api.get(PODS + "/half")
                .at("/metadata/annotations")
                .path("berth.dev/gpu-devices")
                .asText())
        .as("the device of the share")
        .startsWith("GPU-");
  }

  private static PodYaml theirs(String name) {
    return pod(name).by("kai-scheduler").labelled("kai.scheduler/queue", "research");
  }

  private static PodYaml member(String group, int number) {
    return theirs(group + "-" + number).annotated("pod-group-name", group);
  }

  private static void awaitBound(String pod) {
    ControlPlane.await(
        pod + " is bound",
        () -> Truth.isBound(api.get(PODS + "/" + pod)),
        () -> api.get(PODS + "/" + pod).toString() + notes());
  }

  private static List<String> notes() {
    return api.list("/apis/events.k8s.io/v1/namespaces/default/events").stream()
        .filter(event -> event.path("reportingController").asText().startsWith("berth.dev"))
        .map(event -> event.at("/regarding/name").asText() + ": " + event.path("note").asText())
        .toList();
  }

  private static TreeMap<String, String> versions() {
    var versions = new TreeMap<String, String>();
    for (String path : List.of(QUEUES, GROUPS, TOPOLOGIES)) {
      for (JsonNode object : api.list(path)) {
        versions.put(
            path + "/" + Api.name(object), object.at("/metadata/resourceVersion").asText());
      }
    }
    return versions;
  }
}
