package dev.berth.e2e;

import static dev.berth.e2e.PodYaml.pod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Workloads of `examples/workloads`, and pods with true chains of owners as their controllers
/// would make them, which the test plays: from gate to device on a real control plane.
class WorkloadsIT {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String GROUPS = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups";
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  private final List<String> made = new ArrayList<>();

  @BeforeAll
  static void up() {
    cluster =
        ControlPlane.up(
            22000,
            "--nodes",
            "20",
            "--gpus",
            "8",
            "--apiserver-flags",
            "--feature-gates=GenericWorkload=true"
                + " --runtime-config=scheduling.k8s.io/v1alpha2=true");
    api = cluster.admin();
    var kinds =
        Api.documents(ControlPlane.root().resolve("e2e/src/test/resources/workloads/kinds.yaml"));
    for (JsonNode kind : kinds) {
      api.createOrFail("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kind.toString());
    }
    for (String file : List.of("queues.yaml", "topology.yaml")) {
      for (JsonNode object : Api.documents(EXAMPLES.resolve(file))) {
        api.createOrFail(
            "/apis/berth.dev/v1alpha1/"
                + (object.path("kind").asText().equals("Queue") ? "queues" : "topologies"),
            object.toString());
      }
    }
    ControlPlane.await(
        "the kinds are served and discovered",
        () -> kinds.stream().allMatch(WorkloadsIT::isServed),
        () -> kinds.stream().filter(kind -> !isServed(kind)).toList().toString());
  }

  /// Served, and named by the discovery, which comes later: what Berth does not find there it holds
  /// for no kind at all for a minute.
  private static boolean isServed(JsonNode kind) {
    String version =
        "/apis/"
            + kind.at("/spec/group").asText()
            + "/"
            + kind.at("/spec/versions/0/name").asText();
    String plural = kind.at("/spec/names/plural").asText();
    var discovered = api.call("GET", version, "application/json", "");
    return discovered.body().path("resources").findValuesAsText("name").contains(plural)
        && api.call("GET", version + "/" + plural, "application/json", "").isOk();
  }

  @AfterEach
  void clean() {
    assertThat(Truth.broken(api)).as("rules about devices, read from the API").isEmpty();
    made.forEach(path -> api.delete(path + "?propagationPolicy=Background"));
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "all pods are gone",
        () -> api.list(Api.ALL_BUT_PROBES).isEmpty(),
        () -> api.list(Api.ALL_BUT_PROBES).toString());
    ControlPlane.await( // there is no garbage collector here, and one may be in the making
        "all groups are gone",
        () -> {
          api.delete(GROUPS);
          Api.pause(Duration.ofMillis(500));
          return api.list(GROUPS).isEmpty();
        },
        () -> api.list(GROUPS).toString());
  }

  @Test
  void aJobSetStartsWholeAndEachOfItsBlocksInOneRack() {
    var set = example("jobset.yaml", "/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets");
    member("llm-driver-0-0", 0, jobSet("driver", 0), job("llm-driver-0", set));
    var first = job("llm-workers-0", set);
    var second = job("llm-workers-1", set);
    member("llm-workers-0-0", 1, jobSet("workers", 0), first);
    member("llm-workers-0-1", 1, jobSet("workers", 0), first);
    member("llm-workers-1-0", 1, jobSet("workers", 1), second);
    awaitReason("llm", "TooFewMembers");
    assertThat(bound()).as("bound members of a JobSet that lacks one").isEmpty();
    member("llm-workers-1-1", 1, jobSet("workers", 1), second);
    awaitBound("llm-driver-0-0", "llm-workers-0-0", "llm-workers-0-1", "llm-workers-1-1");
    var group = group("llm");
    assertThat(group.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("JobSet");
    assertThat(group.at("/spec/queue").asText()).isEqualTo("research");
    assertThat(group.at("/spec/subGroups")).as("a tree of Jobs").hasSize(5);
    assertThat(rackOf("llm-workers-0-0")).isEqualTo(rackOf("llm-workers-0-1"));
  }

  @Test
  void aPyTorchJobStartsWhole() {
    var job = example("pytorchjob.yaml", "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs");
    for (int i = 0; i < 4; i++) {
      member("train-worker-" + i, 1, replica("worker", i), owner(job));
    }
    awaitReason("train", "TooFewMembers");
    member("train-master-0", 1, replica("master", 0), owner(job));
    awaitBound("train-master-0", "train-worker-0", "train-worker-3");
    var names = new ArrayList<String>();
    group("train").at("/spec/subGroups").forEach(role -> names.add(role.path("name").asText()));
    assertThat(names).containsExactly("master", "worker", "worker-0", "worker-1");
    assertThat(rackOf("train-worker-0")).isEqualTo(rackOf("train-worker-1"));
  }

  @Test
  void aRayJobStartsItsClusterThenItsSubmitter() {
    var job = example("rayjob.yaml", "/apis/ray.io/v1/namespaces/default/rayjobs");
    var cluster =
        create(
            "/apis/ray.io/v1/namespaces/default/rayclusters",
            changed(
                Api.documents(EXAMPLES.resolve("workloads/raycluster.yaml")).getFirst(),
                "report-c1",
                owner(job)));
    member("report-head", 0, ray("head", "headgroup"), owner(cluster));
    member("report-small-0", 1, ray("worker", "small"), owner(cluster));
    member("report-small-1", 1, ray("worker", "small"), owner(cluster));
    member("report-pair-0", 1, ray("worker", "pair"), owner(cluster));
    awaitReason("report-report-c1", "TooFewMembers");
    member("report-pair-1", 1, ray("worker", "pair"), owner(cluster));
    awaitBound("report-head", "report-small-0", "report-small-1", "report-pair-1");
    api.patch(
        "/apis/ray.io/v1/namespaces/default/rayjobs/report",
        "{\"status\": {\"rayClusterName\": \"report-c1\"}}");
    member("report-submit", 0, "", job("report", job));
    member("report-small-2", 1, ray("worker", "small"), owner(cluster));
    awaitBound("report-submit", "report-small-2");
  }

  @Test
  void aRayClusterStartsWithWhatItNeedsThenGrows() {
    var cluster = example("raycluster.yaml", "/apis/ray.io/v1/namespaces/default/rayclusters");
    member("ray-small-0", 1, ray("worker", "small"), owner(cluster));
    member("ray-small-1", 1, ray("worker", "small"), owner(cluster));
    member("ray-pair-0", 1, ray("worker", "pair"), owner(cluster));
    member("ray-pair-1", 1, ray("worker", "pair"), owner(cluster));
    awaitReason("ray", "TooFewMembers");
    assertThat(bound()).as("bound members of a cluster without head").isEmpty();
    member("ray-head", 0, ray("head", "headgroup"), owner(cluster));
    awaitBound("ray-head", "ray-small-0", "ray-small-1", "ray-pair-0", "ray-pair-1");
    member("ray-small-2", 1, ray("worker", "small"), owner(cluster));
    awaitBound("ray-small-2");
    assertThat(rackOf("ray-pair-0")).isEqualTo(rackOf("ray-pair-1"));
  }

  @Test
  void aLeaderThatMustBeReadyFirstStartsAloneThenItsWorkers() {
    var set =
        example(
            "leaderworkerset-leaderready.yaml",
            "/apis/leaderworkerset.x-k8s.io/v1/namespaces/default/leaderworkersets");
    var leaders = statefulSet("ready", owner(set));
    member("ready-0", 1, replicaOf(0, 0), owner(leaders));
    awaitBound("ready-0");
    var workers = statefulSet("ready-0", owner(api.get(PODS + "/ready-0")));
    member("ready-0-1", 1, replicaOf(0, 1), owner(workers));
    awaitReason("ready-group-0", "TooFewMembers");
    member("ready-0-2", 1, replicaOf(0, 2), owner(workers));
    awaitBound("ready-0-1", "ready-0-2");
  }

  @Test
  void stepsOfAWorkflowStartByThemselvesInItsQueue() {
    var workflow =
        example("workflow.yaml", "/apis/argoproj.io/v1alpha1/namespaces/default/workflows");
    member("pipeline-one", 1, "", owner(workflow));
    awaitBound("pipeline-one");
    assertThat(groupsOf("pipeline")).as("groups of steps").isEmpty();
  }

  @Test
  void executorsOfSparkComeAfterTheirDriver() {
    var application =
        example(
            "sparkapplication.yaml",
            "/apis/sparkoperator.k8s.io/v1beta2/namespaces/default/sparkapplications");
    member("pi-driver", 0, "\"spark-role\": \"driver\"", owner(application));
    awaitBound("pi-driver");
    var driver = owner(api.get(PODS + "/pi-driver"));
    member("pi-exec-1", 1, "\"spark-role\": \"executor\"", driver);
    member("pi-exec-2", 1, "\"spark-role\": \"executor\"", driver);
    awaitBound("pi-exec-1", "pi-exec-2");
    assertThat(groupsOf("pi")).as("groups of Spark").isEmpty();
  }

  @Test
  void anOwnerThatBerthMayNotReadEndsTheChain() {
    var fleet =
        create(
            "/apis/example.com/v1/namespaces/default/secretfleets",
            """
            {"apiVersion": "example.com/v1", "kind": "SecretFleet", "metadata": {"name": "fleet",
              "annotations": {"berth.dev/min-member": "2"}}}
            """);
    member("fleet-0", 1, "", owner(fleet));
    awaitBound("fleet-0");
  }

  @Test
  void aNativePodGroupIsAGang() {
    var documents = Api.documents(EXAMPLES.resolve("workloads/native-podgroup.yaml"));
    var group = (ObjectNode) documents.getFirst();
    ((ObjectNode) group.path("spec")).remove("schedulingConstraints"); // a gate of its own
    create("/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups", group.toString());
    api.createOrFail(PODS, documents.get(1).toString());
    awaitReason("native", "TooFewMembers");
    api.createOrFail(PODS, documents.get(2).toString());
    awaitBound("native-0", "native-1");
  }

  private static String jobSet(String replicatedJob, int index) {
    return """
    "jobset.sigs.k8s.io/replicatedjob-name": "%s", "jobset.sigs.k8s.io/job-index": "%d"\
    """
        .formatted(replicatedJob, index);
  }

  private static String replica(String type, int index) {
    return """
    "training.kubeflow.org/replica-type": "%s", "training.kubeflow.org/replica-index": "%d"\
    """
        .formatted(type, index);
  }

  private static String ray(String type, String group) {
    return "\"ray.io/node-type\": \"%s\", \"ray.io/group\": \"%s\"".formatted(type, group);
  }

  private static String replicaOf(int group, int worker) {
    return """
    "leaderworkerset.sigs.k8s.io/group-index": "%d",
    "leaderworkerset.sigs.k8s.io/worker-index": "%d"\
    """
        .formatted(group, worker);
  }

  private JsonNode example(String file, String path) {
    return create(path, Api.documents(EXAMPLES.resolve("workloads/" + file)).getFirst().toString());
  }

  private JsonNode create(String path, String object) {
    var created = api.createOrFail(path, object);
    made.add(path + "/" + Api.name(created));
    return created;
  }

  /// A Job of a workload, as an owner.
  private String job(String name, JsonNode workload) {
    return owner(
        create(
            "/apis/batch/v1/namespaces/default/jobs",
            """
            {"apiVersion": "batch/v1", "kind": "Job",
             "metadata": {"name": "%s", "ownerReferences": [%s]},
             "spec": {"template": {"spec": {"restartPolicy": "Never",
               "containers": [{"name": "main", "image": "workload"}]}}}}
            """
                .formatted(name, owner(workload))));
  }

  private JsonNode statefulSet(String name, String owner) {
    return create(
        "/apis/apps/v1/namespaces/default/statefulsets",
        """
        {"apiVersion": "apps/v1", "kind": "StatefulSet",
         "metadata": {"name": "%s", "ownerReferences": [%s]},
         "spec": {"selector": {"matchLabels": {"a": "b"}}, "serviceName": "s", "template":
           {"metadata": {"labels": {"a": "b"}}, "spec": {
             "containers": [{"name": "main", "image": "workload"}]}}}}
        """
            .formatted(name, owner));
  }

  private static String owner(JsonNode object) {
    return """
    {"apiVersion": "%s", "kind": "%s", "name": "%s", "uid": "%s", "controller": true}\
    """
        .formatted(
            object.path("apiVersion").asText(),
            object.path("kind").asText(),
            Api.name(object),
            object.at("/metadata/uid").asText());
  }

  private static String changed(JsonNode object, String name, String owner) {
    var metadata = (ObjectNode) object.path("metadata");
    metadata.put("name", name);
    try {
      metadata.set("ownerReferences", Api.JSON.readTree("[" + owner + "]"));
    } catch (IOException notJson) {
      throw new UncheckedIOException(notJson);
    }
    return object.toString();
  }

  private void member(String name, int gpus, String labels, String owner) {
    var pod = gpus > 0 ? pod(name).gpus(gpus) : pod(name);
    api.createOrFail(
        PODS,
        pod.toString()
            .replace(
                "\"labels\": {}",
                "\"ownerReferences\": [" + owner + "], \"labels\": {" + labels + "}"));
  }

  /// Of the groups of that workload, whose names end with a hash; missing where there is none.
  private static JsonNode group(String name) {
    for (JsonNode group : api.list(GROUPS)) {
      if (Api.name(group).replaceAll("-[0-9a-f]{8}$", "").equals(name)) {
        return group;
      }
    }
    return Api.JSON.getNodeFactory().missingNode();
  }

  /// Called after a workload or its pods, or owned by one of them.
  private static List<JsonNode> groupsOf(String workload) {
    return api.list(GROUPS).stream()
        .filter(group ->
            isOf(workload, Api.name(group))
                || group.at("/metadata/ownerReferences").findValuesAsText("name").stream()
                    .anyMatch(owner -> isOf(workload, owner)))
        .toList();
  }

  private static boolean isOf(String workload, String name) {
    return name.equals(workload) || name.startsWith(workload + "-");
  }

  private void awaitReason(String group, String reason) {
    ControlPlane.await(
        group + " says " + reason,
        () -> group(group).at("/status/reason").asText().equals(reason),
        () -> api.list(GROUPS).toString());
  }

  private void awaitBound(String... names) {
    for (String name : names) {
      ControlPlane.await(
          name + " is bound",
          () -> Truth.isBound(api.get(PODS + "/" + name)),
          () -> api.get(PODS + "/" + name) + "\n" + api.list(GROUPS));
    }
  }

  private static List<JsonNode> bound() {
    return api.list(PODS).stream().filter(Truth::isBound).toList();
  }

  private static String rackOf(String pod) {
    String node = api.get(PODS + "/" + pod).at("/spec/nodeName").asText();
    return api.get("/api/v1/nodes/" + node).at("/metadata/labels").path("berth.dev/rack").asText();
  }
}
