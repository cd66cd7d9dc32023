package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.PODS;
import static dev.berth.e2e.AdmissionRequests.TRIED;
import static dev.berth.e2e.AdmissionRequests.object;
import static dev.berth.e2e.AdmissionRequests.pod;
import static dev.berth.e2e.AdmissionRequests.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a tenant tries (`docs/operators/security.md`, "What was tried"), each in all its variants,
/// against a real kube-apiserver with the shipped policies: all of it is refused, by a policy or by
/// RBAC, and what is asked for in the ordinary way is not. No Berth runs. The words of refusals are
/// for [AdmissionIT].
class AttacksIT {
  /// Whether it was refused by a policy of Berth's.
  private static final String BY_POLICY = "ValidatingAdmissionPolicy 'berth-";

  private static final String BY_RBAC = "cannot";

  private static final List<String> WRITTEN =
      List.of(
          "berth.dev/plan",
          "berth.dev/preemptor",
          "berth.dev/gpu-devices",
          "berth.dev/gpu-inject",
          "berth.dev/gpu-share",
          "berth.dev/hami-device-memory-limit",
          "berth.dev/hami-device-sm-limit",
          "berth.dev/probe-mode",
          "berth.dev/probe-node",
          "nvidia.cdi.k8s.io/container.main");
  private static final List<String> ASKED =
      List.of(
          "gpu-fraction",
          "gpu-memory",
          "gpu-fraction-num-devices",
          "gpu-fraction-container-name",
          "gpu-fraction-limit",
          "gpu-memory-limit",
          "berth.dev/gpu-isolation",
          "berth.dev/gpu-model",
          "mps");
  private static final List<String> CHARGED =
      List.of(
          "berth.dev/queue",
          "kai.scheduler/queue",
          "berth.dev/preemptibility",
          "kai.scheduler/preemptibility",
          "priorityClassName",
          "berth.dev/pod-group",
          "scheduling.x-k8s.io/pod-group",
          "berth.dev/subgroup",
          "kai.scheduler/subgroup-name",
          "berth.dev/task-priority",
          "kai.scheduler/task-priority");
  private static final List<String> CHARGED_NOTES =
      List.of(
          "berth.dev/pod-group",
          "pod-group-name",
          "berth.dev/min-member",
          "kai.scheduler/batch-min-member");
  private static final List<String> OURS =
      List.of("berth.dev/holder", "berth.dev/probe", "berth.dev/placeholder");

  /// With these KAI marks pods that have a share of its devices.
  private static final List<String> OF_KAI = List.of("runai-gpu-group", "runai-gpu-group/g1");

  private static final List<String> MOUNTS =
      List.of(
          "/var/run/nvidia-container-devices/all",
          "/var//run/nvidia-container-devices/0",
          "/var/run/./nvidia-container-devices/cdi/all",
          "/run/../var/run/nvidia-container-devices/all");
  private static final List<String> READ =
      List.of(
          "berth.dev/gpu-inject",
          "berth.dev/hami-device-memory-limit",
          "berth.dev/hami-device-sm-limit");

  private static final String HALF = "{'annotations': {'gpu-fraction': '0.5'}}";
  private static final String HAMI =
      "{'annotations': {'gpu-fraction': '0.5', 'berth.dev/gpu-isolation': 'hami'}}";

  @AutoClose private static ControlPlane cluster;

  /// @param user `alice` is a tenant; `admin` has every right that RBAC can give
  /// @param method `POST` or `PATCH`; `RESIZE` with the name of a pod for a path
  record Attack(String what, String user, String method, String path, String body, String refusal) {
    @Override
    public String toString() {
      return what;
    }
  }

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(22900, "--nodes", "1", "--gpus", "1", "--no-berth", "--no-scheduler");
    var admin = cluster.admin();
    admin.createOrFail(PODS, pod("gated", tree(HALF)));
    admin.createOrFail(PODS, pod("placed", tree(HALF)));
    admin.createOrFail(PODS, pod("sized", AdmissionRequests.SIZED));
    admin.createOrFail(PODS, pod("whole", AdmissionRequests.SIZED_AS_A_WHOLE));
    var lift =
        """
        {'metadata': {'annotations': {'berth.dev/plan': 'node=node-0000'}},
         'spec': {'schedulingGates': null}}
        """;
    var placed = cluster.as("berth").patch(PODS + "/placed", tree(lift).toString());
    assertThat(placed.isOk()).as("Berth lifts a gate: " + placed.message()).isTrue();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("attacks")
  void isRefused(Attack attack) {
    var user = cluster.as(attack.user());
    var answer =
        switch (attack.method()) {
          case "POST" -> user.create(attack.path(), attack.body());
          case "RESIZE" -> AdmissionRequests.resize(user, attack.path(), attack.body());
          default -> user.patch(attack.path(), attack.body());
        };
    assertThat(answer.isOk()).as("let in: %s", attack.body()).isFalse();
    assertThat(answer.message()).contains(attack.refusal());
  }

  @Test
  void thereAreMany() {
    assertThat(attacks()).hasSizeGreaterThan(150);
  }

  /// Else everything would be refused.
  @Test
  void whatIsAskedForInTheOrdinaryWayIsLetIn() {
    var alice = cluster.as("alice");
    for (String good :
        List.of(
            "{}",
            HALF,
            HAMI,
            "{'labels': {'berth.dev/queue': 'research', 'priorityClassName': 'train'}}",
            "{'annotations': {'mine': '" + "a".repeat(200_000) + "'}}",
            "{'schedulerName': 'default-scheduler'}")) {
      var answer = alice.create(PODS + TRIED, pod("good", tree(good)));
      assertThat(answer.isOk()).as("%.80s: %s", good, answer.message()).isTrue();
    }
    for (String patch :
        List.of(
            "{'metadata': {'labels': {'mine': 'x'}, 'annotations': {'mine': 'x'}}}",
            "{'metadata': {'annotations': {'berth.dev/max-runtime': '9h'}}}")) {
      var answer = alice.patch(PODS + "/placed" + TRIED, tree(patch).toString());
      assertThat(answer.isOk()).as("%s: %s", patch, answer.message()).isTrue();
    }
    var less =
        "{'spec': {'containers': [{'name': 'main', 'resources': {'requests': {'cpu': '1m'}}}]}}";
    var resized = AdmissionRequests.resize(cluster.admin(), "sized", tree(less).toString());
    assertThat(resized.isOk()).as("a lower request: %s", resized.message()).isTrue();
    var status = "{'status': {'phase': 'Running'}}";
    var answer = cluster.admin().patch(PODS + "/placed/status" + TRIED, tree(status).toString());
    assertThat(answer.isOk()).as("a status: %s", answer.message()).isTrue();
  }

  static List<Attack> attacks() {
    return Stream.of(
            forgedWords(),
            forgedPods(),
            variables(),
            references(),
            mounts(),
            priorities(),
            sizes(),
            changesBehindTheGate(),
            changesOfThePlaced(),
            resizes(),
            bindings(),
            withoutRights())
        .flatMap(List::stream)
        .toList();
  }

  /// What only Berth writes.
  private static List<Attack> forgedWords() {
    var attacks = new ArrayList<Attack>();
    for (String base : List.of("{}", HALF)) {
      for (String word : WRITTEN) {
        attacks.add(create("annotation " + word, annotated(base, word, "x")));
      }
    }
    attacks.add(
        create("annotation of NVIDIA's", annotated(HALF, "nvidia.com/container.main.gpus", "x")));
    return attacks;
  }

  /// Pods that call themselves Berth's, or place themselves.
  private static List<Attack> forgedPods() {
    var attacks = new ArrayList<Attack>();
    for (String label : OURS) {
      attacks.add(create("label " + label, labelled("{}", label, "true")));
    }
    for (String label : OF_KAI) {
      for (String base : List.of("{}", "{'annotations': {'gpu-memory': '8Gi'}}")) {
        attacks.add(create("label " + label + " on " + base, labelled(base, label, "g1")));
      }
    }
    for (String label : OURS.subList(0, 2)) {
      String stranger = "{'schedulerName': 'default-scheduler'}";
      attacks.add(create("label " + label + " elsewhere", labelled(stranger, label, "true")));
    }
    attacks.add(create("nodeName", tree("{'nodeName': 'node-0000'}")));
    for (String whose : List.of("'namespaceSelector': {}", "'namespaces': ['berth-system']")) {
      for (String key : List.of("topology.kubernetes.io/zone", "kubernetes.io/os")) {
        attacks.add(create("apart from all, " + whose + " " + key, apart(key, whose)));
      }
    }
    return attacks;
  }

  private static JsonNode apart(String key, String whose) {
    return tree(
        "{'affinity': {'podAntiAffinity': {'requiredDuringSchedulingIgnoredDuringExecution': ["
            + ("{'topologyKey': '" + key + "', 'labelSelector': {}, " + whose + "}]}}}"));
  }

  private static List<Attack> variables() {
    var attacks = new ArrayList<Attack>();
    var sources =
        List.of(
            "'value': 'all'",
            "'value': '0'",
            "'value': 'GPU-1'",
            "'valueFrom': {'fieldRef': {'fieldPath': 'metadata.name'}}",
            "'valueFrom': {'configMapKeyRef': {'name': 'mine', 'key': 'x'}}",
            "'valueFrom': {'secretKeyRef': {'name': 'mine', 'key': 'x'}}");
    for (String base : List.of("{}", HALF)) {
      for (String list : List.of("containers", "initContainers")) {
        for (String source : sources) {
          String variable = "{'name': 'NVIDIA_VISIBLE_DEVICES', " + source + "}";
          attacks.add(create("variable " + source, withVariable(base, list, variable)));
        }
      }
    }
    for (String name :
        List.of(
            "CUDA_DISABLE_CONTROL",
            "GPU_CORE_UTILIZATION_POLICY",
            "CUDA_OVERSUBSCRIBE",
            "CUDA_DEVICE_SM_LIMIT",
            "CUDA_DEVICE_MEMORY_LIMIT",
            "CUDA_DEVICE_MEMORY_LIMIT_0")) {
      String variable = "{'name': '" + name + "', 'value': 'true'}";
      attacks.add(create("variable " + name, withVariable(HAMI, "containers", variable)));
    }
    return attacks;
  }

  /// Each annotation of Berth's is for one variable of one container.
  private static List<Attack> references() {
    var attacks = new ArrayList<Attack>();
    var right =
        List.of(
            "NVIDIA_VISIBLE_DEVICES", "CUDA_DEVICE_MEMORY_LIMIT", "CUDA_DEVICE_SM_LIMIT", "MINE");
    for (String list : List.of("containers", "initContainers")) {
      for (int of = 0; of < READ.size(); of++) {
        for (int by = 0; by < right.size(); by++) {
          if (list.equals("containers") && of == by) {
            continue; // the one that is meant
          }
          var pod = (ObjectNode) tree(HAMI);
          var container = container(pod, list);
          var variable = container.withArray("env").addObject().put("name", right.get(by));
          variable
              .putObject("valueFrom")
              .putObject("fieldRef")
              .put("fieldPath", "metadata.annotations['" + READ.get(of) + "']");
          attacks.add(create(right.get(by) + " reads " + READ.get(of) + " in " + list, pod));
        }
      }
    }
    return attacks;
  }

  private static List<Attack> mounts() {
    var attacks = new ArrayList<Attack>();
    for (String base : List.of("{}", HALF)) {
      for (String list : List.of("containers", "initContainers")) {
        for (String path : MOUNTS) {
          var pod = (ObjectNode) tree(base);
          pod.withArray("volumes").addObject().put("name", "v").putObject("emptyDir");
          container(pod, list)
              .withArray("volumeMounts")
              .addObject()
              .put("name", "v")
              .put("mountPath", path);
          attacks.add(create("mount " + path, pod));
        }
      }
    }
    return attacks;
  }

  private static List<Attack> priorities() {
    var attacks = new ArrayList<Attack>();
    for (String name : List.of("system-node-critical", "system-cluster-critical")) {
      attacks.add(create("class " + name, tree("{'priorityClassName': '" + name + "'}")));
      attacks.add(create("label of class " + name, labelled("{}", "priorityClassName", name)));
    }
    return attacks;
  }

  /// Nothing can be written on a pod whose annotations are full, not even its eviction.
  private static List<Attack> sizes() {
    var one = annotated(HALF, "mine", "a".repeat(250_000));
    var few = (ObjectNode) tree(HALF);
    var many = (ObjectNode) tree(HALF);
    for (int i = 0; i < 3; i++) {
      few.withObject("annotations").put("mine-" + i, "ä".repeat(42_000));
    }
    for (int i = 0; i < 300; i++) {
      many.withObject("annotations").put("mine-" + i, "a".repeat(850));
    }
    String patch = annotation("mine", "a".repeat(250_000));
    return List.of(
        create("one annotation of 250,000", one),
        create("three of 84,000", few),
        create("three hundred of 850", many),
        patch("an annotation that comes later", "alice", "gated", patch),
        patch("by the status", "admin", "gated/status", patch));
  }

  private static List<Attack> changesBehindTheGate() {
    var attacks = new ArrayList<Attack>();
    String open = "{'spec': {'schedulingGates': null}}";
    attacks.add(patch("gate", "alice", "gated", tree(open).toString()));
    for (String pod : List.of("gated", "gated/status")) {
      String user = pod.equals("gated") ? "alice" : "admin";
      for (String word : WRITTEN) {
        attacks.add(patch(word + " on " + pod, user, pod, annotation(word, "x")));
      }
      for (String word : ASKED) {
        attacks.add(patch(word + " on " + pod, user, pod, annotation(word, "0.9")));
      }
      for (String label : OURS) {
        attacks.add(patch(label + " on " + pod, user, pod, label(label, "true")));
      }
      for (String label : OF_KAI) {
        attacks.add(patch(label + " on " + pod, user, pod, label(label, "g1")));
      }
    }
    return attacks;
  }

  /// What a pod is charged as stays.
  private static List<Attack> changesOfThePlaced() {
    var attacks = new ArrayList<Attack>();
    for (String pod : List.of("placed", "placed/status")) {
      String user = pod.equals("placed") ? "alice" : "admin";
      for (String label : CHARGED) {
        attacks.add(patch("label " + label + " of " + pod, user, pod, label(label, "x")));
      }
      for (String label : OF_KAI) {
        attacks.add(patch("label " + label + " of " + pod, user, pod, label(label, "g1")));
      }
      for (String word : CHARGED_NOTES) {
        attacks.add(patch(word + " of " + pod, user, pod, annotation(word, "9")));
      }
      attacks.add(patch("plan of " + pod, user, pod, annotation("berth.dev/plan", null)));
    }
    return attacks;
  }

  /// A queue was charged for what a pod requested when it was created.
  private static List<Attack> resizes() {
    var attacks = new ArrayList<Attack>();
    for (String how :
        List.of(
            "'containers': [{'name': 'main', 'resources': {'requests': {'cpu': '501m'}}}]",
            "'containers': [{'name': 'main', 'resources': {'requests': {'memory': '1Ti'}}}]",
            "'containers': [{'name': 'main', 'resources': {'requests': {'cpu': '1m', 'memory':"
                + " '2G'}}}]",
            "'containers': [{'name': 'side', 'resources': {'limits': {'memory': '1Ti'}, 'requests':"
                + " {'memory': '1Gi'}}}]",
            "'initContainers': [{'name': 'first', 'resources': {'requests': {'cpu': '9'}}}]",
            "'initContainers': [{'name': 'first', 'resources': {'limits': {'memory': '9Gi'}}}]",
            "'resources': {'requests': {'cpu': '9'}}",
            "'resources': {'requests': {'memory': '9Gi'}}")) {
      String patch = tree("{'spec': {" + how + "}}").toString();
      String pod = how.startsWith("'resources'") ? "whole" : "sized";
      attacks.add(new Attack("resize: " + how, "admin", "RESIZE", pod, patch, BY_POLICY));
    }
    return attacks;
  }

  /// A Binding's annotations go onto the pod past the policies on pods.
  private static List<Attack> bindings() {
    var attacks = new ArrayList<Attack>();
    for (String word : WRITTEN) {
      attacks.add(binding("admin", "Binding with " + word, word, BY_POLICY));
    }
    attacks.add(binding("alice", "Binding", "mine", BY_RBAC));
    return attacks;
  }

  private static Attack binding(String user, String what, String word, String refusal) {
    var fields = (ObjectNode) annotated("{}", word, "x");
    fields.putObject("target").put("kind", "Node").put("name", "node-0000");
    String body = object("v1", "Binding", "placed", fields);
    return new Attack(what, user, "POST", PODS + "/placed/binding" + TRIED, body, refusal);
  }

  private static List<Attack> withoutRights() {
    String queues = "/apis/berth.dev/v1alpha1/queues";
    String group = "/apis/berth.dev/v1alpha1/namespaces/default/podgroups/x/status";
    return List.of(
        new Attack(
            "queue",
            "alice",
            "POST",
            queues + TRIED,
            object("berth.dev/v1alpha1", "Queue", "mine", tree("{'spec': {}}")),
            BY_RBAC),
        new Attack(
            "topology",
            "alice",
            "POST",
            "/apis/berth.dev/v1alpha1/topologies" + TRIED,
            object("berth.dev/v1alpha1", "Topology", "mine", tree("{'spec': {}}")),
            BY_RBAC),
        new Attack("status of a group", "alice", "PATCH", group + TRIED, "{}", BY_RBAC),
        new Attack(
            "status of a pod", "alice", "PATCH", PODS + "/placed/status" + TRIED, "{}", BY_RBAC),
        new Attack(
            "a pod in Berth's namespace",
            "alice",
            "POST",
            AdmissionRequests.PODS_AT_HOME + TRIED,
            pod("holder-x", labelled("{}", OURS.getFirst(), "true")),
            BY_RBAC));
  }

  private static Attack create(String what, JsonNode pod) {
    return new Attack(what, "alice", "POST", PODS + TRIED, pod("train-0", pod), BY_POLICY);
  }

  private static Attack patch(String what, String user, String pod, String patch) {
    return new Attack(what, user, "PATCH", PODS + "/" + pod + TRIED, patch, BY_POLICY);
  }

  private static JsonNode annotated(String base, String word, String value) {
    var pod = (ObjectNode) tree(base);
    pod.withObject("/annotations").put(word, value);
    return pod;
  }

  private static JsonNode labelled(String base, String label, String value) {
    var pod = (ObjectNode) tree(base);
    pod.withObject("/labels").put(label, value);
    return pod;
  }

  private static String annotation(String word, String value) {
    var patch = Api.JSON.createObjectNode();
    patch.putObject("metadata").putObject("annotations").put(word, value);
    return patch.toString();
  }

  private static String label(String word, String value) {
    var patch = Api.JSON.createObjectNode();
    patch.putObject("metadata").putObject("labels").put(word, value);
    return patch.toString();
  }

  private static JsonNode withVariable(String base, String list, String variable) {
    var pod = (ObjectNode) tree(base);
    container(pod, list).withArray("env").add(tree(variable));
    return pod;
  }

  /// The container that gets the device is `main`.
  private static ObjectNode container(ObjectNode pod, String list) {
    boolean first = list.equals("containers");
    return pod.withArray("/" + list)
        .addObject()
        .put("name", first ? "main" : "i")
        .put("image", "x");
  }
}
