package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.group;
import static dev.berth.e2e.PodYaml.pod;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The way of a pod, from gate to device, on a real control plane with 6 nodes of 8 devices.
class WholePathIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final String QUEUES = "/apis/berth.dev/v1alpha1/queues";

  private static final String ZONES = "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(23000, "--nodes", "6", "--gpus", "8", "--plain-scheduler");
    api = cluster.admin();
  }

  @AfterEach
  void clean() {
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "all pods are gone, holders too",
        () -> api.list(Api.ALL_BUT_PROBES).isEmpty(),
        () -> api.list(Api.ALL_BUT_PROBES).toString());
    awaitGone(GROUPS);
    awaitGone(QUEUES);
  }

  /// A queue goes as soon as its status says that nothing is in it any more.
  private static void awaitGone(String path) {
    ControlPlane.await(
        "nothing is left of " + path,
        () -> {
          api.delete(path);
          return api.list(path).isEmpty();
        },
        () -> api.list(path).toString());
  }

  @Test
  void aShareGetsADeviceThatItsHolderReports() {
    api.createOrFail(PODS, pod("half").share("0.5").toString());
    awaitBound("half");
    var half = api.get(PODS + "/half");
    assertThat(half.at("/metadata/annotations").path("berth.dev/gpu-devices").asText())
        .as("the device of the share")
        .startsWith("GPU-");
    assertThat(half.at("/spec/containers/0/env/0/name").asText())
        .as("the variable that admission puts in")
        .isEqualTo("NVIDIA_VISIBLE_DEVICES");
  }

  @Test
  void sharesPackOntoOneDeviceBeforeTheyOpenAnother() {
    for (int i = 0; i < 4; i++) {
      api.createOrFail(PODS, pod("quarter-" + i).share("0.25").toString());
      awaitBound("quarter-" + i);
    }
    assertThat(devices("quarter-")).as("devices of four quarters").hasSize(1);
    awaitHolders(1);
    api.createOrFail(PODS, pod("quarter-4").share("0.25").toString());
    awaitBound("quarter-4");
    assertThat(devices("quarter-")).as("devices of five quarters").hasSize(2);
    awaitHolders(2);
  }

  @Test
  void twoDevicesAndMemorySharesAreCounted() {
    api.createOrFail(
        PODS, pod("pair").share("0.6").annotated("gpu-fraction-num-devices", "2").toString());
    api.createOrFail(PODS, pod("memory").annotated("gpu-memory", "40000").toString());
    awaitBound("pair");
    awaitBound("memory");
    assertThat(devices("pair")).as("distinct devices of the pair").hasSize(2);
  }

  @Test
  void aGangStartsWhollyOrWaitsAndSaysWhy() {
    api.createOrFail(GROUPS, group("huge", 7, ""));
    for (int i = 0; i < 7; i++) {
      api.createOrFail(PODS, pod("huge-" + i).in("huge").gpus(8).toString());
    }
    ControlPlane.await(
        "the group says that it never fits, with numbers",
        () -> {
          var status = api.get(GROUPS + "/huge").path("status");
          return status.path("reason").asText().equals("NeverFits")
              && status.path("message").asText().contains("all nodes together fit 6 of 7 pods");
        },
        () -> api.get(GROUPS + "/huge").toString());
    assertThat(pods(Truth::isBound)).as("bound members of a gang that cannot fit").isEmpty();
    api.delete(PODS + "/huge-6");
    api.delete(PODS + "/huge-5");
    api.createOrFail(GROUPS, group("small", 4, ""));
    for (int i = 0; i < 4; i++) {
      api.createOrFail(PODS, pod("small-" + i).in("small").gpus(2).toString());
    }
    for (int i = 0; i < 4; i++) {
      awaitBound("small-" + i);
    }
    awaitStatusOfSmall();
    api.patch(
        GROUPS + "/small/status", "{\"status\":{\"phase\":\"Queued\",\"allocated\":{\"odd\":1}}}");
    awaitStatusOfSmall();
  }

  private static void awaitStatusOfSmall() {
    ControlPlane.await(
        "the group says what it has, be it that somebody wrote otherwise",
        () -> {
          var object = api.get(GROUPS + "/small");
          var status = object.path("status");
          return status.path("allocated").path("gpu").asText().equals("8")
              && !status.path("allocated").has("odd")
              && Set.of("Starting", "Running").contains(status.path("phase").asText())
              && status.path("observedGeneration").asLong()
                  == object.at("/metadata/generation").asLong();
        },
        () -> api.get(GROUPS + "/small").toString());
  }

  @Test
  void aJobWithAMinimumStartsTogether() {
    // Without a controller manager the test plays the Job controller: the Job, then its pods.
    var job =
        api.createOrFail(
            "/apis/batch/v1/namespaces/default/jobs",
            """
            {"apiVersion": "batch/v1", "kind": "Job",
             "metadata": {"name": "train", "annotations": {"berth.dev/min-member": "3"}},
             "spec": {"parallelism": 3, "completions": 3, "template": {"spec": {
               "schedulerName": "berth", "restartPolicy": "Never",
               "containers": [{"name": "main", "image": "workload"}]}}}}
            """);
    String owner =
        """
        "ownerReferences": [{"apiVersion": "batch/v1", "kind": "Job", "name": "train",
          "uid": "%s", "controller": true}]\
        """
            .formatted(job.at("/metadata/uid").asText());
    for (int i = 0; i < 2; i++) {
      api.createOrFail(PODS, owned("train-" + i, owner));
    }
    ControlPlane.await(
        "the group waits for its third member",
        () ->
            api.list(GROUPS).stream()
                .anyMatch(g -> g.at("/status/reason").asText().equals("TooFewMembers")),
        () -> api.list(GROUPS).toString());
    api.createOrFail(PODS, owned("train-2", owner));
    for (int i = 0; i < 3; i++) {
      awaitBound("train-" + i);
    }
    api.delete("/apis/batch/v1/namespaces/default/jobs/train?propagationPolicy=Background");
  }

  private static String owned(String name, String owner) {
    return pod(name).gpus(1).toString().replace("\"labels\"", owner + ", \"labels\"");
  }

  @Test
  void aRestartForgetsNoDevice() {
    for (int i = 0; i < 3; i++) {
      api.createOrFail(PODS, pod("first-" + i).share("0.6").toString());
      awaitBound("first-" + i);
    }
    cluster.kill("berth");
    api.createOrFail(PODS, pod("meanwhile").share("0.4").toString());
    cluster.restart("berth");
    awaitBound("meanwhile");
    assertThat(devices("first-")).as("devices that were known before").hasSize(3);
    assertThat(devices("first-"))
        .as("devices of which the fourth share joins one")
        .containsAll(devices("meanwhile"));
    awaitHolders(3);
  }

  /// Two schedulers may give the last device of a node away twice (decision 1): a kubelet refuses
  /// the second pod then, and the test creates it again, as a ReplicaSet would.
  @Test
  void theDefaultSchedulerGoesOnBeside() {
    var kubelets = Kubelets.berthFirst("nvidia.com/gpu", 8);
    for (int i = 0; i < 20; i++) {
      api.createOrFail(PODS, plain("plain-" + i));
      api.createOrFail(PODS, pod("share-" + i).share("0.7").toString());
    }
    ControlPlane.await(
        "20 pods of each scheduler run, and no device is given twice",
        () -> {
          kubelets.admit(api);
          for (JsonNode refused : pods(Truth::isOver)) {
            api.delete(PODS + "/" + Api.name(refused) + "?gracePeriodSeconds=0");
          }
          var there = names(api.list(PODS));
          for (int i = 0; i < 20; i++) {
            if (!there.contains("plain-" + i)) {
              api.createOrFail(PODS, plain("plain-" + i));
            }
          }
          return pods(Truth::isBound).size() == 40 && Truth.broken(api).isEmpty();
        },
        this::everything);
    assertThat(api.get(PODS + "/plain-0").at("/metadata/annotations"))
        .as("annotations on a pod of the default scheduler")
        .noneMatch(annotation -> annotation.asText().contains("node="));
    // a holder of a plan that lost may still be on its way to a node that is full by now
    api.delete(PODS + "?gracePeriodSeconds=0&labelSelector=app%3Dplain");
  }

  private static Set<String> names(List<JsonNode> pods) {
    return pods.stream().map(Api::name).collect(toSet());
  }

  private static String plain(String name) {
    return pod(name).by("default-scheduler").labelled("app", "plain").gpus(1).toString();
  }

  @Test
  void aNodeThatKubeSchedulerRefusesIsLeftOut() {
    // An anti-affinity against itself, which the engine does not model: one pod a node.
    String apart =
        """
        "affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
          {"labelSelector": {"matchLabels": {"app": "apart"}},
           "topologyKey": "kubernetes.io/hostname"}]}}\
        """;
    for (int i = 0; i < 3; i++) {
      api.createOrFail(
          PODS, pod("apart-" + i).labelled("app", "apart").gpus(1).with(apart).toString());
    }
    for (int i = 0; i < 3; i++) {
      awaitBound("apart-" + i);
    }
    assertThat(pods(Truth::isBound).stream().map(p -> p.at("/spec/nodeName").asText()).distinct())
        .as("nodes of three pods that keep apart")
        .hasSize(3);
  }

  /// Berth lists the zones before it plans; one that runs looks every half minute whether the kind
  /// is there by now.
  @Test
  void aNodeWhoseZonesAreTooSmallIsLeftOutAsLongAsItTellsOfThem() {
    cluster.kill("berth");
    cluster.define("numa/noderesourcetopologies.yaml", ZONES);
    try {
      api.createOrFail(ZONES, twoZonesOfFour("node-0005"));
      cluster.restart("berth");
      String there = "\"nodeSelector\": {\"kubernetes.io/hostname\": \"node-0005\"}";
      api.createOrFail(PODS, pod("six").gpus(6).with(there).toString());
      api.createOrFail(PODS, pod("four").gpus(4).with(there).toString());
      awaitBound("four");
      ControlPlane.await(
          "six tells that no zone has as many",
          () -> whoTell("no zone has 6 nvidia.com/gpu, the largest has 4").contains("six"),
          this::everything);
      assertThat(Truth.isBound(api.get(PODS + "/six"))).as("six is bound").isFalse();
      api.delete(PODS + "/four?gracePeriodSeconds=0");
      api.delete(ZONES + "/node-0005");
      awaitBound("six");
    } finally {
      api.delete(ZONES + "/node-0005");
    }
  }

  private static String twoZonesOfFour(String node) {
    String zone =
        """
        {"name": "%s", "type": "Node", "resources": [
         {"name": "nvidia.com/gpu", "capacity": 4, "allocatable": 4, "available": 4}]}\
        """;
    return """
    {"apiVersion": "topology.node.k8s.io/v1alpha2", "kind": "NodeResourceTopology",
     "metadata": {"name": "%s"},
     "attributes": [{"name": "topologyManagerPolicy", "value": "single-numa-node"},
      {"name": "topologyManagerScope", "value": "container"}],
     "zones": [%s, %s]}
    """
        .formatted(node, zone.formatted("node-0"), zone.formatted("node-1"));
  }

  @Test
  void aQueueHoldsItsLimit() {
    api.createOrFail(
        QUEUES,
        """
        {"apiVersion": "berth.dev/v1alpha1", "kind": "Queue", "metadata": {"name": "narrow"},
         "spec": {"limit": {"gpu": 2}}}
        """);
    for (int i = 0; i < 4; i++) {
      api.createOrFail(
          PODS, pod("narrow-" + i).labelled("berth.dev/queue", "narrow").gpus(1).toString());
    }
    ControlPlane.await(
        "two of four tell that the limit is reached",
        () -> whoTell("queue narrow has 2 of its limit of 2 GPUs in use").size() == 2,
        this::everything);
    ControlPlane.await("two of four run", () -> pods(Truth::isBound).size() == 2, this::everything);
  }

  /// Pods with an event of those words.
  private static TreeSet<String> whoTell(String words) {
    var who = new TreeSet<String>();
    for (JsonNode event : api.list("/apis/events.k8s.io/v1/namespaces/default/events")) {
      if (event.path("note").asText().contains(words)) {
        who.add(event.at("/regarding/name").asText());
      }
    }
    return who;
  }

  private void awaitBound(String name) {
    ControlPlane.await(
        name + " is bound",
        () -> Truth.isBound(api.get(PODS + "/" + name)),
        () -> api.get(PODS + "/" + name).toString());
  }

  private String everything() {
    return api.list(PODS).toString();
  }

  private List<JsonNode> pods(Predicate<JsonNode> which) {
    return api.list(PODS).stream().filter(which).toList();
  }

  /// Distinct devices of the pods whose names begin so.
  private TreeSet<String> devices(String prefix) {
    var devices = new TreeSet<String>();
    for (JsonNode pod : pods(pod -> Api.name(pod).startsWith(prefix))) {
      String named =
          pod.path("metadata").path("annotations").path("berth.dev/gpu-devices").asText();
      devices.addAll(List.of(named.split(",", -1)));
    }
    return devices;
  }

  /// One of a plan that was given up stays for some moments.
  private static void awaitHolders(int count) {
    ControlPlane.await(
        "there are " + count + " holders",
        () -> holders().size() == count,
        () -> holders().toString());
  }

  private static List<JsonNode> holders() {
    return api.list("/api/v1/namespaces/berth-system/pods").stream()
        .filter(Truth::isHolder)
        .filter(pod -> !Truth.isOver(pod))
        .toList();
  }
}
