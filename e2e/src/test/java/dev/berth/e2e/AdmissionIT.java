package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.CLAIMS;
import static dev.berth.e2e.AdmissionRequests.PODS;
import static dev.berth.e2e.AdmissionRequests.PODS_AT_HOME;
import static dev.berth.e2e.AdmissionRequests.QUEUES;
import static dev.berth.e2e.AdmissionRequests.SIZED;
import static dev.berth.e2e.AdmissionRequests.SIZED_AS_A_WHOLE;
import static dev.berth.e2e.AdmissionRequests.TRIED;
import static dev.berth.e2e.AdmissionRequests.atHome;
import static dev.berth.e2e.AdmissionRequests.bind;
import static dev.berth.e2e.AdmissionRequests.may;
import static dev.berth.e2e.AdmissionRequests.object;
import static dev.berth.e2e.AdmissionRequests.pod;
import static dev.berth.e2e.AdmissionRequests.queue;
import static dev.berth.e2e.AdmissionRequests.send;
import static dev.berth.e2e.AdmissionRequests.told;
import static dev.berth.e2e.AdmissionRequests.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.AdmissionPage.Case;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a real kube-apiserver refuses under the policies, word by word as
/// `docs/operators/admission.md` tells it, and what it makes of what it lets in. No scheduler and
/// no Berth run. What Berth itself may do is in [AccountRightsIT].
class AdmissionIT {
  private static final String OPTED_IN_PODS = "/api/v1/namespaces/opted-in/pods";
  private static final String AT_HOME = PODS_AT_HOME + TRIED;
  private static final String INJECTED = "metadata.annotations['berth.dev/gpu-inject']";
  private static final JsonNode HOLDER =
      tree(
          """
          {'schedulerName': 'default-scheduler', 'nodeName': 'node-0000',
           'automountServiceAccountToken': false, 'priorityClassName': 'system-node-critical',
           'labels': {'berth.dev/holder': 'true'}, 'annotations': {'berth.dev/holder-slot': '0'}}
          """);
  private static final JsonNode PROBE =
      tree(
          """
          {'schedulerName': 'default-scheduler', 'nodeName': 'node-0000',
           'labels': {'berth.dev/probe': 'true'}, 'annotations': {'berth.dev/probe-mode': 'nri'}}
          """);
  private static final String PLACEHOLDER = "{'labels': {'berth.dev/placeholder': 'w'}}";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/cluster";
  private static final String RBAC_VERSION = "rbac.authorization.k8s.io/v1";
  private static final JsonNode HALF = tree("{'annotations': {'gpu-fraction': '0.5'}}");
  private static final JsonNode OPTED_IN = tree("{'labels': {'berth.dev/scheduler': 'berth'}}");
  private static final String PLAN =
      tree("""
      {'metadata': {'annotations': {'berth.dev/plan': 'node=node-0000',
       'nvidia.com/container.main.gpus.devices': 'GPU-1'}}, 'spec': {'schedulingGates': null}}
      """)
          .toString();
  private static final String LIFT =
      tree("""
      {'metadata': {'annotations': {'berth.dev/plan': 'node=node-0000'}},
       'spec': {'schedulingGates': null}}
      """)
          .toString();
  private static final JsonNode DEVICES =
      tree("{'annotations': {'berth.dev/gpu-devices': 'GPU-1', 'berth.dev/gpu-share': '500'}}");
  private static final String CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
  private static final String CLASSES_VERSION = "node.k8s.io/v1";
  private static final String CONFIG_MAPS = "/api/v1/namespaces/berth-system/configmaps";
  private static final String SHARES = CONFIG_MAPS + "/berth-shares";
  private static final String OF_ANOTHER_SCHEDULER =
      "{'schedulerName': 'default-scheduler', 'annotations': {'gpu-fraction': '0.5'}}";
  private static final String OF_A_DAEMON_SET =
      """
      {'schedulerName': 'default-scheduler', 'ownerReferences': [{'apiVersion': 'apps/v1',
       'kind': 'DaemonSet', 'name': 'd', 'uid': 'u', 'controller': true}]}
      """;
  private static final String BUSY =
      tree("""
      {'status': {'conditions': [{'type': 'InUse', 'status': 'True', 'reason': 'Workloads',
       'lastTransitionTime': '2026-01-01T00:00:00Z', 'message': 'workloads run in it.'}]}}
      """)
          .toString();
  private static final String BINDS =
      """
      {'roleRef': {'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'ClusterRole', 'name': '%s'},
       'subjects': [{'apiGroup': 'rbac.authorization.k8s.io', 'kind': 'User', 'name': 'bob'}]}
      """;
  private static final JsonNode OWNS =
      tree(
          """
          {'rules': [{'apiGroups': ['berth.dev'], 'resources': ['queues'],
           'resourceNames': ['research'], 'verbs': ['own']}]}
          """);

  /// The users that a word of the page means.
  private static final Map<String, List<String>> USERS =
      Map.of(
          "any user",
          List.of("alice", "admin"),
          "all but Berth",
          List.of("alice", "admin"),
          "tenants",
          List.of("alice"),
          "administrators",
          List.of("admin"),
          "bob",
          List.of("bob"),
          "Berth",
          List.of("berth"));

  @AutoClose private static ControlPlane cluster;
  private static Map<String, Api> users;

  @BeforeAll
  static void up() throws IOException {
    cluster = ControlPlane.up(21000, "--nodes", "1", "--gpus", "1", "--no-berth", "--no-scheduler");
    users = new LinkedHashMap<>();
    for (String user : List.of("alice", "admin", "bob", "berth")) {
      users.put(user, cluster.as(user));
    }
    var admin = users.get("admin");
    admin.createOrFail("/api/v1/namespaces", object("v1", "Namespace", "opted-in", OPTED_IN));
    for (String name : List.of("gated", "planned")) {
      admin.createOrFail(PODS, pod(name, HALF));
    }
    admin.createOrFail(PODS, pod("sized", SIZED));
    admin.createOrFail(PODS, pod("whole", SIZED_AS_A_WHOLE));
    var planned = users.get("berth").patch(PODS + "/planned", PLAN);
    assertThat(planned.isOk()).as("Berth writes a plan: " + planned.message()).isTrue();
    for (String queue : List.of("ml", "research", "busy")) {
      admin.createOrFail(QUEUES, queue(queue, "{}"));
    }
    admin.createOrFail(QUEUES, queue("research.vision", "{'parent': 'research'}"));
    holdersAndAProbe();
    aClaimThatAPodUses();
    var busy = admin.patch(QUEUES + "/busy/status", BUSY);
    assertThat(busy.isOk()).as("a queue is in use: " + busy.message()).isTrue();
    admin.createOrFail(RBAC + "roles", object(RBAC_VERSION, "ClusterRole", "research", OWNS));
    for (var role : List.of("berth-queue-writer", "research")) {
      var binding = tree(BINDS.formatted(role));
      String name = "bob-" + role;
      admin.createOrFail(
          RBAC + "rolebindings", object(RBAC_VERSION, "ClusterRoleBinding", name, binding));
    }
    awaitRightsOfBob();
    serve("JobSet");
    serve("LeaderWorkerSet");
  }

  private static void serve(String wanted) throws IOException {
    var kinds = ControlPlane.root().resolve("e2e/src/test/resources/workloads/kinds.yaml");
    var admin = users.get("admin");
    for (JsonNode kind : Api.documents(kinds)) {
      if (kind.at("/spec/names/kind").asText().equals(wanted)) {
        admin.createOrFail(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", kind.toString());
      }
    }
    var sent =
        tree(
            "{'kind': '%s', 'template': {'labels': {'gpu-fraction': '0.5'}}, 'spec': {'size': 1}}"
                .formatted(wanted));
    var row = new Case("workload", sent, "administrators", "");
    ControlPlane.await(
        wanted + " is served and warned about",
        () -> told(send(row, admin), "admin").startsWith("warns: "),
        () -> told(send(row, admin), "admin"));
  }

  /// As kube-scheduler leaves it.
  private static void aClaimThatAPodUses() {
    var claim =
        tree(
            """
            {'spec': {'devices': {'requests':
             [{'name': 'gpus', 'exactly': {'deviceClassName': 'gpu'}}]}}}
            """);
    var held = tree("{'metadata': {'finalizers': ['resource.kubernetes.io/delete-protection']}}");
    var admin = users.get("admin");
    admin.createOrFail(CLAIMS, object("resource.k8s.io/v1", "ResourceClaim", "used", claim));
    assertThat(admin.patch(CLAIMS + "/used", held.toString()).isOk()).isTrue();
    var used =
        admin.patch(
            CLAIMS + "/used/status",
            tree("""
            {'status': {'allocation': {'devices': {'results': [{'request': 'gpus',
             'driver': 'gpu.nvidia.com', 'pool': 'node-0000', 'device': 'gpu-0'}]}},
             'reservedFor': [{'resource': 'pods', 'name': 'train-0', 'uid': 'u'}]}}
            """)
                .toString());
    assertThat(used.isOk()).as("a pod uses a claim: " + used.message()).isTrue();
  }

  private static void holdersAndAProbe() {
    for (String holder : List.of("holder-x", "holder-given-up")) {
      users.get("berth").createOrFail(PODS_AT_HOME, atHome(holder, HOLDER));
    }
    var givenUp = "{\"metadata\": {\"labels\": {\"berth.dev/abandon\": \"true\"}}}";
    var labelled = users.get("admin").patch(PODS_AT_HOME + "/holder-given-up", givenUp);
    assertThat(labelled.isOk()).as("an administrator gives a holder up: " + labelled).isTrue();
    users.get("berth").createOrFail(PODS_AT_HOME, atHome("probe-node-0000", PROBE));
  }

  private static void awaitRightsOfBob() {
    var bob = users.get("bob");
    ControlPlane.await(
        "kube-apiserver knows what bob may do",
        () ->
            may(bob, "delete", "berth.dev", "queues", "")
                && may(bob, "own", "berth.dev", "queues/research", ""),
        () -> "he may neither write queues nor own research, or one of both only");
  }

  @Test
  void answersAsThePageTells() throws IOException {
    AdmissionPage.mustTell(AdmissionIT::answer, "admission.md");
  }

  @Test
  void noRefusalIsMissingOnThePage() {
    var page = AdmissionPage.read();
    var sentences = RefusalSentences.of("manifests/policies", "crds");
    assertThat(sentences).as("sentences of policies and kinds").hasSizeGreaterThan(50);
    assertThat(sentences.stream().filter(sentence -> !page.says(sentence)))
        .as("sentences that no row of docs/operators/admission.md shows")
        .isEmpty();
  }

  /// One answer if all users that are meant get the same, otherwise the answer of each.
  private static String answer(Case row) {
    if (AccountRightsIT.isTriedHere(row) || GuardIT.isTriedHere(row)) {
      return row.answer();
    }
    var answers = new LinkedHashMap<String, String>();
    for (String user : USERS.get(row.user())) {
      answers.put(user, told(send(row, users.get(user)), user));
    }
    if (row.user().equals("all but Berth")) {
      String berth = told(send(row, users.get("berth")), "berth");
      if (!berth.equals("accepted")) {
        answers.put("berth", berth);
      }
    }
    boolean same = new TreeSet<>(answers.values()).size() == 1;
    return same ? answers.values().iterator().next() : answers.toString();
  }

  // What is let in, and what becomes of it.

  @Test
  void aPodIsBornBehindTheGateAndGatesOfOthersStay() {
    assertThat(gates(born("{}"))).containsExactly("berth.dev/queued");
    assertThat(gates(born("{'schedulingGates': [{'name': 'mine'}]}")))
        .containsExactly("mine", "berth.dev/queued");
    assertThat(gates(born("{'schedulingGates': [{'name': 'berth.dev/queued'}]}")))
        .containsExactly("berth.dev/queued");
    assertThat(gates(born("{'schedulerName': 'default-scheduler'}"))).isEmpty();
    var placeholder = users.get("berth").createOrFail(AT_HOME, atHome("p", tree(PLACEHOLDER)));
    assertThat(gates(placeholder)).as("Berth's, for autoscalers to see").isEmpty();
  }

  @Test
  void theContainerThatGetsTheShareReadsItsDeviceAndTheOthersSeeNone() {
    var first = born("{'annotations': {'gpu-fraction': '0.5'}}");
    assertThat(variables(first, "containers")).containsExactly(INJECTED, "void");
    var named =
        born("{'annotations': {'gpu-memory': '100', 'gpu-fraction-container-name': 'side'}}");
    assertThat(variables(named, "containers")).containsExactly("void", INJECTED);
    var init =
        born(
            """
            {'annotations': {'gpu-fraction': '0.5'}, 'initContainers': [{'name': 'i', 'image': 'x'}]}
            """);
    assertThat(variables(init, "initContainers")).containsExactly("void");
    var fromElsewhere =
        born(
            """
            {'annotations': {'gpu-fraction': '0.5'}, 'containers': [{'name': 'main', 'image': 'x'},
             {'name': 'side', 'image': 'x', 'envFrom': [{'configMapRef': {'name': 'theirs'}}]}]}
            """);
    assertThat(variables(fromElsewhere, "containers"))
        .as("env wins over envFrom")
        .containsExactly(INJECTED, "void");
    assertThat(variables(born("{}"), "containers"))
        .as("a pod without a share")
        .containsExactly("void", "void");
    var whole =
        born(
            """
            {'containers': [{'name': 'main', 'image': 'x', 'resources': {'limits':
             {'nvidia.com/gpu': 1}}}, {'name': 'side', 'image': 'x', 'envFrom':
             [{'prefix': 'NVIDIA_', 'configMapRef': {'name': 'theirs'}}]}]}
            """);
    assertThat(variables(whole, "containers")).as("beside a whole GPU").containsExactly("void");
    var claims =
        born(
            """
            {'resourceClaims': [{'name': 'c', 'resourceClaimName': 'empty'}],
             'containers': [{'name': 'main', 'image': 'x', 'resources': {'claims':
             [{'name': 'c'}]}}]}
            """);
    assertThat(variables(claims, "containers"))
        .as("a claim may be for nothing, and a driver needs no variable")
        .containsExactly("void");
  }

  @Test
  void theContainerThatGetsTheShareReadsItsLimitsWhereTheyAreEnforced() {
    var hami =
        List.of(
            "CUDA_DEVICE_MEMORY_LIMIT=berth.dev/hami-device-memory-limit",
            "CUDA_DEVICE_SM_LIMIT=berth.dev/hami-device-sm-limit");
    var asked = born("{'annotations': {'gpu-fraction': '0.5', 'berth.dev/gpu-isolation': 'hami'}}");
    assertThat(limits(asked, "containers", 0)).isEqualTo(hami);
    assertThat(limits(asked, "containers", 1)).as("the other container").isEmpty();
    assertThat(variables(asked, "containers")).containsExactly(INJECTED, "void");
    var side =
        born(
            """
            {'annotations': {'gpu-fraction': '0.5', 'gpu-fraction-container-name': 'i',
             'berth.dev/gpu-isolation': 'hami'}, 'initContainers': [{'name': 'h', 'image': 'x'},
             {'name': 'i', 'image': 'x', 'env': [{'name': 'MINE', 'value': '1'}]}]}
            """);
    assertThat(limits(side, "initContainers", 1)).isEqualTo(hami);
    assertThat(limits(side, "initContainers", 0)).as("the other init container").isEmpty();
    assertThat(limits(side, "containers", 0)).as("a container").isEmpty();
    for (String other : List.of("none", "nvidia")) {
      var pod = tree("{'annotations': {'gpu-fraction': '0.5'}}");
      ((ObjectNode) pod.get("annotations")).put("berth.dev/gpu-isolation", other);
      assertThat(limits(born(pod), "containers", 0)).as(other).isEmpty();
    }
    ObjectNode copy = again(born("{'annotations': {'gpu-fraction': '0.5'}}"));
    copy.withObject("annotations")
        .put("gpu-fraction", "0.5")
        .put("berth.dev/gpu-isolation", "hami");
    assertThat(limits(born(copy), "containers", 0)).as("that has a device").isEqualTo(hami);
    var whole = born("{'annotations': {'berth.dev/gpu-isolation': 'hami'}}");
    assertThat(limits(whole, "containers", 0)).as("no share").isEmpty();
  }

  /// What a pod is made of anew: the containers, with the variables that they were given.
  private static ObjectNode again(JsonNode pod) {
    return Api.JSON.createObjectNode().set("containers", pod.at("/spec/containers"));
  }

  /// Variables of one container that are read from annotations, but for that of the devices.
  private static List<String> limits(JsonNode pod, String containers, int container) {
    var limits = new ArrayList<String>();
    for (JsonNode variable : pod.path("spec").path(containers).path(container).path("env")) {
      String path = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      if (path.startsWith("metadata.annotations['") && !path.contains("gpu-inject")) {
        limits.add(variable.path("name").asText() + "=" + path.split("'", -1)[1]);
      }
    }
    return limits;
  }

  @Test
  void aLabelledNamespaceGivesItsPodsTheScheduler() {
    assertThat(scheduler("{'schedulerName': 'default-scheduler'}"))
        .isEqualTo("berth berth.dev/queued");
    assertThat(scheduler("{'schedulerName': 'another'}")).isEqualTo("another ");
    assertThat(scheduler("{'schedulerName': 'default-scheduler', 'nodeName': 'node-0000'}"))
        .isEqualTo("default-scheduler ");
    assertThat(scheduler(OF_A_DAEMON_SET)).isEqualTo("default-scheduler ");
    assertThat(born("{'schedulerName': 'default-scheduler'}").at("/spec/schedulerName").asText())
        .as("a namespace without the label")
        .isEqualTo("default-scheduler");
  }

  @Test
  void aPodThatItsNamespaceGaveUsHasAllThatOursAreBornWith() {
    var asked =
        """
        {'schedulerName': 'default-scheduler',
         'annotations': {'gpu-fraction': '0.5', 'berth.dev/gpu-isolation': 'hami'}}
        """;
    var adopted = users.get("admin").createOrFail(OPTED_IN_PODS + TRIED, pod("p", tree(asked)));
    assertThat(gates(adopted)).containsExactly("berth.dev/queued");
    assertThat(variables(adopted, "containers")).containsExactly(INJECTED, "void");
    assertThat(limits(adopted, "containers", 0)).hasSize(2);
    var ours = users.get("admin").createOrFail(OPTED_IN_PODS + TRIED, pod("p", HALF));
    assertThat(ours.path("spec")).isEqualTo(born(HALF).path("spec"));
  }

  @Test
  void aShareHasTheRuntimeClassOfTheClusterUnlessItNamesOne() {
    var admin = users.get("admin");
    var overhead = tree("{'handler': 'nvidia', 'overhead': {'podFixed': {'cpu': '10m'}}}");
    admin.createOrFail(CLASSES, object(CLASSES_VERSION, "RuntimeClass", "nvidia", overhead));
    admin.createOrFail(
        CLASSES, object(CLASSES_VERSION, "RuntimeClass", "mine", tree("{'handler': 'mine'}")));
    assertThat(runtimeClass(born(HALF))).as("before Berth has said one").isEmpty();
    shareClass("nvidia");
    var half = born(HALF);
    assertThat(runtimeClass(half)).isEqualTo("nvidia");
    assertThat(half.at("/spec/overhead/cpu").asText()).as("that of the class").isEqualTo("10m");
    assertThat(runtimeClass(born("{}"))).as("no share").isEmpty();
    assertThat(runtimeClass(born(OF_ANOTHER_SCHEDULER))).as("of another scheduler").isEmpty();
    var named = "{'annotations': {'gpu-fraction': '0.5'}, 'runtimeClassName': 'mine'}";
    assertThat(runtimeClass(born(named))).isEqualTo("mine");
    var asked = tree(OF_ANOTHER_SCHEDULER);
    var adopted = admin.createOrFail(OPTED_IN_PODS + TRIED, pod("p", asked));
    assertThat(runtimeClass(adopted)).as("that its namespace gave to Berth").isEqualTo("nvidia");
    assertThat(adopted.at("/spec/overhead/cpu").asText()).isEqualTo("10m");
    shareClass("");
    assertThat(runtimeClass(born(HALF))).as("none").isEmpty();
    shareClass("gone");
    assertThat(users.get("alice").create(PODS + TRIED, pod("train-0", HALF)).message())
        .contains("RuntimeClass \"gone\" not found");
    assertThat(users.get("berth").delete(SHARES).message()).contains("cannot delete");
    admin.delete(SHARES);
    awaitShareClass("");
  }

  /// As Berth writes it, by the rights that it has, and waits until kube-apiserver knows it.
  private static void shareClass(String name) {
    var berth = users.get("berth");
    var data =
        Api.JSON.createObjectNode().set("data", tree("{'runtimeClass': '%s'}".formatted(name)));
    if (users.get("admin").call("GET", SHARES, "application/json", "").status() == 404) {
      berth.createOrFail(CONFIG_MAPS, object("v1", "ConfigMap", "berth-shares", data));
    } else {
      var written = berth.patch(SHARES, data.toString());
      assertThat(written.isOk()).as("Berth changes its ConfigMap: " + written).isTrue();
    }
    awaitShareClass(name);
  }

  private static void awaitShareClass(String name) {
    ControlPlane.await(
        "shares are given the runtime class \"" + name + "\"",
        () -> {
          var answer = users.get("alice").create(PODS + TRIED, pod("train-0", HALF));
          return answer.isOk()
              ? runtimeClass(answer.body()).equals(name)
              : !name.isEmpty() && answer.message().contains("\"" + name + "\" not found");
        },
        () -> users.get("alice").create(PODS + TRIED, pod("train-0", HALF)).toString());
  }

  private static String runtimeClass(JsonNode pod) {
    return pod.at("/spec/runtimeClassName").asText();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "system:kube-controller-manager",
        "system:serviceaccount:kube-system:generic-garbage-collector",
        "system:serviceaccount:kube-system:pod-garbage-collector",
        "system:serviceaccount:kube-system:namespace-controller",
        "system:serviceaccount:kube-system:node-controller",
        "system:serviceaccount:kube-system:taint-eviction-controller"
      })
  void theControlPlaneMayDeleteHolders(String controller) {
    var api = users.get("admin").impersonating(controller, "system:masters");
    var deleted = api.delete(PODS_AT_HOME + "/holder-x?dryRun=All");
    assertThat(deleted.isOk()).as(deleted.message()).isTrue();
  }

  @Test
  void aKubeletMayDeleteAHolderAndNoSchedulerMay() {
    var admin = users.get("admin");
    String holder = PODS_AT_HOME + "/holder-x?dryRun=All";
    var kubelet = admin.impersonating("system:node:node-0000", "system:nodes", "system:masters");
    var deleted = kubelet.delete(holder);
    assertThat(deleted.isOk()).as(deleted.message()).isTrue();
    for (String scheduler :
        List.of("system:kube-scheduler", "system:serviceaccount:berth-system:berth-scheduler")) {
      assertThat(admin.impersonating(scheduler).delete(holder).message())
          .contains("keeps a GPU of node node-0000 for shares, so " + scheduler);
    }
  }

  @Test
  void anEvictionOfAHolderIsToComeAgainLater() {
    var admin = users.get("admin");
    ControlPlane.await(
        "kwok runs the holder",
        () -> admin.get(PODS_AT_HOME + "/holder-x").at("/status/phase").asText().equals("Running"),
        () -> admin.get(PODS_AT_HOME + "/holder-x").toString());
    var eviction = object("policy/v1", "Eviction", "holder-x", tree("{}"));
    var answer = admin.createOnce(PODS_AT_HOME + "/holder-x/eviction?dryRun=All", eviction);
    assertThat(answer.status()).as(answer.message()).isEqualTo(429);
  }

  private static String scheduler(String different) {
    var pod = users.get("admin").createOrFail(OPTED_IN_PODS + TRIED, pod("p", tree(different)));
    return pod.at("/spec/schedulerName").asText() + " " + String.join(" ", gates(pod));
  }

  @Test
  void berthLiftsTheGateAndBindsWithDevicesAndADebugContainerSeesNone() {
    var admin = users.get("admin");
    var berth = users.get("berth");
    admin.createOrFail(PODS, pod("bound", HALF));
    var debug = "{'spec': {'ephemeralContainers': [{'name': 'dbg', 'image': 'x'}]}}";
    var debugged = admin.patch(PODS + "/bound/ephemeralcontainers", tree(debug).toString());
    assertThat(variables(debugged.body(), "ephemeralContainers")).containsExactly("void");
    var early = bind(berth, "bound", DEVICES, "");
    assertThat(early.message()).as("a gated pod").contains("has non-empty .spec.schedulingGates");
    var lift = berth.patch(PODS + "/bound", LIFT);
    assertThat(lift.isOk()).as("gate off and plan on: " + lift.message()).isTrue();
    var bound = bind(berth, "bound", DEVICES, "");
    assertThat(bound.isOk()).as("a Binding with devices: " + bound.message()).isTrue();
    var pod = admin.get(PODS + "/bound");
    assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("node-0000");
    assertThat(pod.at("/metadata/annotations").path("berth.dev/gpu-devices").asText())
        .isEqualTo("GPU-1");
  }

  /// What becomes of a pod of alice's.
  private static JsonNode born(String different) {
    return born(tree(different));
  }

  private static JsonNode born(JsonNode different) {
    return users.get("alice").createOrFail(PODS + TRIED, pod("train-0", different));
  }

  private static List<String> gates(JsonNode pod) {
    return pod.at("/spec/schedulingGates").findValuesAsText("name");
  }

  /// Value or field path of the variable that says which devices a container sees.
  private static List<String> variables(JsonNode pod, String containers) {
    var values = new ArrayList<String>();
    for (JsonNode container : pod.path("spec").path(containers)) {
      for (JsonNode variable : container.path("env")) {
        if (variable.path("name").asText().equals("NVIDIA_VISIBLE_DEVICES")) {
          String path = variable.at("/valueFrom/fieldRef/fieldPath").asText();
          values.add(path.isEmpty() ? variable.path("value").asText() : path);
        }
      }
    }
    return values;
  }
}
