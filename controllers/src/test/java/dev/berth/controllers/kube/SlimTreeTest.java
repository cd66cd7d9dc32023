package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.PersistentVolumeClaim;
import dev.berth.engine.request.VolumeManifests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SlimTreeTest {
  @Test
  void keepsWhatIsReadAndLeavesOutTheBulk() throws IOException {
    String text = bigPod();
    assertThat(text.length()).as("a pod as they are").isGreaterThan(6_000);
    Map<String, Object> pod = read(Kind.POD, text);

    assertThat(JsonBodies.at(pod, "metadata", "name")).isEqualTo("train-0");
    assertThat(JsonBodies.at(pod, "metadata", "annotations", "gpu-fraction")).isEqualTo("0.5");
    assertThat(JsonBodies.at(pod, "spec", "nodeName")).isEqualTo("n1");
    assertThat(JsonBodies.at(pod, "spec", "priority")).isEqualTo("50");
    assertThat(JsonBodies.at(first(pod, "spec", "schedulingGates"), "name"))
        .isEqualTo("berth.dev/queued");
    assertThat(
            JsonBodies.at(
                first(pod, "status", "containerStatuses"), "lastState", "terminated", "message"))
        .isEqualTo("GPU-1");
    assertThat(first(pod, "status", "containerStatuses"))
        .containsOnlyKeys("name", "lastState", "allocatedResourcesStatus");
    var container = first(pod, "spec", "containers");
    assertThat(container).containsOnlyKeys("name", "resources", "ports", "aFieldOfTomorrow");
    assertThat(JsonBodies.at(container, "resources", "limits", "nvidia.com/gpu")).isEqualTo("1");

    assertThat(below(pod, "metadata")).doesNotContainKeys("managedFields");
    assertThat(below(pod, "metadata", "annotations")).containsOnlyKeys("gpu-fraction");
    assertThat(below(pod, "spec")).doesNotContainKeys("dnsPolicy");
    assertThat(below(pod, "spec").get("volumes"))
        .isEqualTo(
            List.of(
                Map.of("name", "tmp"),
                Map.of("name", "data", "persistentVolumeClaim", Map.of("claimName", "d")),
                Map.of("name", "own", "ephemeral", Map.of())));
    assertThat(below(pod, "status")).doesNotContainKeys("initContainerStatuses", "podIPs");
    assertThat(JsonBodies.text(pod).length()).as("what is kept").isLessThan(1_200);
  }

  @Test
  void keepsFieldsOfTomorrow() throws IOException {
    Map<String, Object> pod = read(Kind.POD, bigPod());
    assertThat(JsonBodies.at(pod, "spec", "quantumGate", "state")).isEqualTo("both");
  }

  @Test
  void anAbsentFieldAndANullAreTheSame() throws IOException {
    assertThat(read(Kind.POD, "{\"a\":null,\"b\":[null,1,2.5,true,{}]}"))
        .isEqualTo(Map.of("b", List.of(1, 2.5, true, Map.of())));
  }

  /// A reader sees the same in what is kept as in the whole.
  @Test
  void whatIsReadOfVolumesIsKept() throws IOException {
    for (String phase : List.of("Pending", "Available", "Bound", "Released", "Failed")) {
      for (String more : List.of("", ",\"deletionTimestamp\":\"2026-01-01T00:00:00Z\"")) {
        String text = VOLUME.formatted(more, phase);
        var whole = VolumeManifests.volume(whole(text));
        assertThat(VolumeManifests.volume(read(Kind.VOLUME, text))).as(text).isEqualTo(whole);
        assertThat(whole.orElseThrow().isFree())
            .as("%s, the check sees it", text)
            .isEqualTo(phase.equals("Available") && more.isEmpty());
      }
    }
    for (String phase : List.of("Pending", "Bound", "Lost")) {
      String text = VOLUME_CLAIM.formatted(phase);
      var whole = VolumeManifests.claim(whole(text));
      assertThat(VolumeManifests.claim(read(Kind.VOLUME_CLAIM, text))).as(text).isEqualTo(whole);
      assertThat(whole.orElseThrow().state() == PersistentVolumeClaim.State.LOST)
          .as("%s, the check sees it", text)
          .isEqualTo(phase.equals("Lost"));
    }
  }

  private static final String VOLUME =
      """
      {"metadata":{"name":"v","uid":"u","resourceVersion":"7","labels":{"a":"b"}%s},
       "spec":{"csi":{"driver":"x"},"capacity":{"storage":"1Gi"},"storageClassName":"local",
       "nodeAffinity":{"required":{"nodeSelectorTerms":[{"matchExpressions":[
       {"key":"kubernetes.io/hostname","operator":"In","values":["n1"]}]}]}}},
       "status":{"phase":"%s","message":"m","reason":"r"}}\
      """;
  private static final String VOLUME_CLAIM =
      """
      {"metadata":{"name":"c","namespace":"team","uid":"u","resourceVersion":"7",
       "annotations":{"volume.kubernetes.io/selected-node":"n1","pv.kubernetes.io/bind-completed":"yes"}},
       "spec":{"volumeName":"v","storageClassName":"local","accessModes":["ReadWriteOncePod"],
       "resources":{"requests":{"storage":"1Gi"}}},
       "status":{"phase":"%s","conditions":[{"type":"x"}]}}\
      """;

  private static Map<?, ?> whole(String text) throws IOException {
    return new ObjectMapper().readValue(text, Map.class);
  }

  @Test
  void leavesOutTheImagesOfANode() throws IOException {
    var node =
        read(
            Kind.NODE,
            """
            {"metadata":{"name":"n1","labels":{"a":"b"}},"spec":{"taints":[{"key":"k","effect":"NoSchedule"}]},
             "status":{"images":[{"names":["x"]}],"nodeInfo":{"a":"b"},"allocatable":{"nvidia.com/gpu":"8"},
             "conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":"now"}]}}\
            """);
    assertThat(below(node, "status")).containsOnlyKeys("nodeInfo", "allocatable", "conditions");
    assertThat(first(node, "status", "conditions")).containsOnlyKeys("type", "status");
  }

  @Test
  void leavesOutTheDistancesOfZones() throws IOException {
    var zones =
        read(
            Kind.NODE_RESOURCE_TOPOLOGY,
            """
            {"metadata":{"name":"n1"},"attributes":[{"name":"topologyManagerPolicy","value":"none"}],
             "zones":[{"name":"node-0","type":"Node","parent":"socket-0","attributes":[{"name":"a","value":"b"}],
             "costs":[{"name":"node-0","value":10}],"resources":[{"name":"cpu","available":"4"}]}]}\
            """);
    assertThat(zones).containsOnlyKeys("metadata", "attributes", "zones");
    assertThat(((List<?>) zones.get("zones")).getFirst())
        .isEqualTo(
            Map.of(
                "name",
                "node-0",
                "type",
                "Node",
                "resources",
                List.of(Map.of("name", "cpu", "available", "4"))));
  }

  @Test
  void oneStringOfEachIsEnough() throws IOException {
    var slim = SlimTree.of(Kind.POD);
    Object one = read(slim, "{\"spec\":{\"nodeName\":\"worker-17\"}}").get("spec");
    Object two = read(slim, "{\"spec\":{\"nodeName\":\"worker-17\"}}").get("spec");
    assertThat(((Map<?, ?>) one).get("nodeName")).isSameAs(((Map<?, ?>) two).get("nodeName"));
  }

  /// The API server quotes UIDs of owners as names of fields, and tenants choose both.
  @Test
  void namesAndTextsMayBeAsLongAsAnObject() throws Exception {
    String uid = "u".repeat(1_000_000);
    var pod =
        read(
            Kind.POD,
            "{\"metadata\":{\"name\":\"p\",\"managedFields\":[{\"fieldsV1\":{\"k:%s\":{}}}],"
                    .formatted(uid)
                + "\"annotations\":{\"%s\":\"%s\"},\"labels\":{\"a\":%s}}}"
                    .formatted(uid, uid, "1".repeat(5_000)));
    assertThat(below(pod, "metadata"))
        .containsEntry("name", "p")
        .doesNotContainKey("managedFields");
    assertThat(below(pod, "metadata", "annotations")).containsEntry(uid, uid);
  }

  /// The API server keeps parameters of a driver as they were sent.
  @Test
  void halvesOfSurrogatePairsEndNoStream() throws Exception {
    var claim =
        read(
            Kind.RESOURCE_CLAIM,
            "{\"spec\":{\"devices\":{\"config\":[{\"opaque\":{\"parameters\":"
                + "{\"\\ud800\":1,\"\\u0000\\ud800\":\"\\udfff\",\"n\":1e999999}}}]}},\"metadata\":{\"name\":\"c\"}}");
    assertThat(below(claim, "metadata")).containsEntry("name", "c");
  }

  /// And all else stays as it is, however it is cut.
  @Test
  void onlyHalvesOfSurrogatePairsAreChanged() throws Exception {
    String json = "\\ud800 \\\\ud800 \\uD7ff \\u00d8 \\udFFF \\ud83d\\ude00 \\n\\\\ é 😀";
    String whole = "\\ud700 \\\\ud800 \\uD7ff \\u00d8 \\ud7FF \\ud73d\\ud700 \\n\\\\ é 😀";
    for (int most = 1; most < 20; most++) {
      var into = new byte[200];
      int end = 0;
      try (var read =
          new WholeCharacters(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)))) {
        for (int count = read.read(into, end, most);
            count > 0;
            count = read.read(into, end, most)) {
          end += count;
        }
      }
      assertThat(new String(into, 0, end, StandardCharsets.UTF_8)).isEqualTo(whole);
    }
  }

  /// Deeper than a thread's stack: the object is read, and what follows it.
  @Test
  void whatLiesTooDeepIsLeftOut() throws Exception {
    int depth = 400_000;
    for (String[] nested : new String[][] {{"[", "]"}, {"{\"a\":", "}"}}) {
      String deep = nested[0].repeat(depth) + "1" + nested[1].repeat(depth);
      var pod = read(Kind.POD, "{\"spec\":" + deep + ",\"metadata\":{\"name\":\"p\"}}");
      assertThat(below(pod, "metadata")).containsEntry("name", "p");
    }
  }

  private static Map<String, Object> read(Kind kind, String text) throws IOException {
    return read(SlimTree.of(kind), text);
  }

  private static Map<String, Object> read(SlimTree slim, String text) throws IOException {
    try (var parser =
        ApiJson.parser(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)))) {
      parser.nextToken();
      return slim.read(parser);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> below(Map<String, Object> tree, String... path) {
    Map<String, Object> here = tree;
    for (String name : path) {
      here = (Map<String, Object>) here.get(name);
    }
    return here;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> first(Map<String, Object> tree, String above, String list) {
    return ((List<Map<String, Object>>) below(tree, above).get(list)).getFirst();
  }

  private static String bigPod() {
    String managed =
        "{\"manager\":\"kubelet\",\"fieldsV1\":{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}}}},"
            .repeat(50);
    String mounts = "{\"name\":\"data\",\"mountPath\":\"/data\"},".repeat(20);
    return """
    {"kind":"Pod","apiVersion":"v1","metadata":{"name":"train-0","namespace":"default","uid":"u",
    "resourceVersion":"7","annotations":{"gpu-fraction":"0.5",
    "kubectl.kubernetes.io/last-applied-configuration":"{}"},"managedFields":[%s{}]},
    "spec":{"schedulerName":"berth","nodeName":"n1","priority":50,"dnsPolicy":"ClusterFirst",
    "quantumGate":{"state":"both","since":null},
    "schedulingGates":[{"name":"berth.dev/queued"}],"volumes":[{"name":"tmp","emptyDir":{}},
    {"name":"data","persistentVolumeClaim":{"claimName":"d"}},
    {"name":"own","ephemeral":{"volumeClaimTemplate":{"spec":{}}}}],
    "containers":[{"name":"main","image":"cuda","env":[{"name":"A","value":"%s"}],
    "resources":{"limits":{"nvidia.com/gpu":"1"}},"ports":[{"hostPort":80}],
    "aFieldOfTomorrow":1,"volumeMounts":[%s{}]}]},
    "status":{"phase":"Running","podIPs":[{"ip":"10.0.0.1"}],"initContainerStatuses":[{"name":"i"}],
    "containerStatuses":[{"name":"hold","imageID":"x","lastState":{"terminated":{"message":"GPU-1"}},
    "allocatedResourcesStatus":[{"name":"nvidia.com/gpu"}]}],
    "conditions":[{"type":"PodScheduled","status":"True"}]}}\
    """
        .formatted(managed, "v".repeat(1000), mounts);
  }
}
