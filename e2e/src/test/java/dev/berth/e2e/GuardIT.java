package dev.berth.e2e;

import static dev.berth.e2e.AdmissionRequests.PODS;
import static dev.berth.e2e.AdmissionRequests.TRIED;
import static dev.berth.e2e.AdmissionRequests.object;
import static dev.berth.e2e.AdmissionRequests.pod;
import static dev.berth.e2e.AdmissionRequests.send;
import static dev.berth.e2e.AdmissionRequests.told;
import static dev.berth.e2e.AdmissionRequests.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.berth.e2e.AdmissionPage.Case;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What a real kube-apiserver refuses to pods of every scheduler under `manifests/guard-deny`, word
/// by word as `docs/operators/admission.md` tells it, and what `manifests/guard-void` makes of them
/// in another namespace. No Berth runs.
class GuardIT {
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final String CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";
  private static final String NAMESPACES = "/api/v1/namespaces";
  private static final String VOIDED = NAMESPACES + "/voided/pods";
  private static final String INJECTED = "metadata.annotations['berth.dev/gpu-inject']";
  private static final String BARE = "{'schedulerName': 'default-scheduler'}";
  private static final String TAKES_ALL =
      """
      {'schedulerName': 'default-scheduler', 'containers': [{'name': 'main', 'image': 'x',
       'env': [{'name': 'NVIDIA_VISIBLE_DEVICES', 'value': 'all'}]}]}
      """;

  @AutoClose private static ControlPlane cluster;
  private static Api admin;
  private static Api alice;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(21700, "--nodes", "1", "--gpus", "1", "--no-berth", "--no-scheduler");
    admin = cluster.admin();
    alice = cluster.as("alice");
    for (String name : List.of("nvidia", "nvidia-legacy")) {
      var handler = tree("{'handler': '%s'}".formatted(name));
      admin.createOrFail(CLASSES, object("node.k8s.io/v1", "RuntimeClass", name, handler));
    }
    var otherwise = tree("{'handler': 'nvidia'}");
    admin.createOrFail(CLASSES, object("node.k8s.io/v1", "RuntimeClass", "fast", otherwise));
    var free = tree("{'labels': {'berth.dev/gpu-guard': 'off'}}");
    admin.createOrFail(NAMESPACES, object("v1", "Namespace", "free", free));
    admin.createOrFail(NAMESPACES, object("v1", "Namespace", "voided", tree("{}")));
    for (String namespace : List.of("default", "voided")) {
      String pods = NAMESPACES + "/" + namespace + "/pods";
      admin.createOrFail(pods, pod("guarded", tree(BARE)));
    }
    guard();
  }

  /// Applies both folders, and waits until kube-apiserver keeps them.
  private static void guard() {
    var manifests = ControlPlane.root().resolve("manifests");
    Api.documents(manifests.resolve("guard-deny/guard.yaml")).forEach(GuardIT::apply);
    for (JsonNode object : Api.documents(manifests.resolve("guard-void/void.yaml"))) {
      var except = object.at("/spec/matchResources/namespaceSelector/matchExpressions/1/values");
      if (except instanceof ArrayNode namespaces) {
        namespaces.add("default"); // there the guard is tried without it
      }
      apply(object);
    }
    var taker = pod("train-0", tree(TAKES_ALL));
    ControlPlane.await(
        "the guard judges",
        () -> alice.create(PODS + TRIED, taker).message().contains("was not given"),
        () -> alice.create(PODS + TRIED, taker).toString());
    var otherwise = tree("{'schedulerName': 'default-scheduler', 'runtimeClassName': 'fast'}");
    var classed = pod("train-0", otherwise);
    ControlPlane.await(
        "the guard knows classes by their handlers",
        () -> alice.create(PODS + TRIED, classed).message().contains("whose handler"),
        () -> alice.create(PODS + TRIED, classed).toString());
    ControlPlane.await(
        "containers are given void",
        () -> !variables(made(VOIDED, BARE)).isEmpty(),
        () -> made(VOIDED, BARE).toString());
  }

  private static void apply(JsonNode object) {
    String kind = object.path("kind").asText().toLowerCase(Locale.ROOT);
    String plural = kind.endsWith("policy") ? kind.replaceAll("y$", "ies") : kind + "s";
    admin.createOrFail(POLICIES + plural, object.toString());
  }

  @Test
  void answersAsThePageTells() throws IOException {
    AdmissionPage.mustTell(GuardIT::answer, "admission-guard.md");
  }

  static boolean isTriedHere(Case row) {
    return row.table().contains("guarded pod");
  }

  private static String answer(Case row) {
    if (!isTriedHere(row)) {
      return row.answer();
    }
    var answers = new TreeSet<String>();
    answers.add(told(send(row, admin), "admin"));
    if (row.user().equals("any user")) {
      answers.add(told(send(row, alice), "alice"));
    }
    return String.join(" or ", answers);
  }

  @Test
  void noRefusalIsMissingOnThePage() {
    var page = AdmissionPage.read();
    var sentences = RefusalSentences.of("manifests/guard-deny");
    assertThat(sentences).as("sentences of the guard").isNotEmpty();
    assertThat(sentences.stream().filter(sentence -> !page.says(sentence)))
        .as("sentences that no row of docs/operators/admission.md shows")
        .isEmpty();
  }

  @Test
  void aNamespaceThatIsLabelledAndKubeSystemAreLeftAlone() {
    for (String namespace : List.of("free", "kube-system")) {
      var made = made(NAMESPACES + "/" + namespace + "/pods", TAKES_ALL);
      assertThat(variables(made)).as(namespace).containsExactly("all");
    }
    assertThat(variables(made(NAMESPACES + "/free/pods", BARE))).isEmpty();
  }

  @Test
  void containersThatRequestNoGpuSeeNone() {
    var made =
        made(
            VOIDED,
            """
            {'schedulerName': 'default-scheduler', 'initContainers': [{'name': 'i', 'image': 'x'}],
             'containers': [{'name': 'main', 'image': 'x', 'resources': {'limits':
             {'nvidia.com/gpu': 1}}}, {'name': 'side', 'image': 'x', 'env': [{'name': 'A'}]},
             {'name': 'zero', 'image': 'x', 'resources': {'limits': {'nvidia.com/gpu': 0}}},
             {'name': 'said', 'image': 'x', 'env': [{'name': 'NVIDIA_VISIBLE_DEVICES'}]}]}
            """);
    assertThat(seen(made, "containers"))
        .containsExactly("main ", "side void", "zero void", "said \"\"");
    assertThat(seen(made, "initContainers")).containsExactly("i void");
  }

  @Test
  void aShareReadsWhatBerthInjectsWhicheverPolicyWasFirst() {
    var half = "{'annotations': {'gpu-fraction': '0.5', 'gpu-fraction-container-name': 'side'}}";
    var made = made(VOIDED, half);
    assertThat(seen(made, "containers")).containsExactly("main void", "side " + INJECTED);
    assertThat(made.at("/spec/schedulingGates/0/name").asText()).isEqualTo("berth.dev/queued");
  }

  @Test
  void aContainerForDebuggingSeesNone() {
    var debug = "{'spec': {'ephemeralContainers': [{'name': 'dbg', 'image': 'x'}]}}";
    var path = VOIDED + "/guarded/ephemeralcontainers" + TRIED;
    var debugged = admin.patch(path, tree(debug).toString());
    assertThat(debugged.isOk()).as(debugged.message()).isTrue();
    assertThat(seen(debugged.body(), "ephemeralContainers")).containsExactly("dbg void");
  }

  private static JsonNode made(String path, String different) {
    return admin.createOrFail(path + TRIED, pod("train-0", tree(different)));
  }

  private static List<String> variables(JsonNode pod) {
    return seen(pod, "containers").stream()
        .map(container -> container.split(" ", 2)[1])
        .filter(value -> !value.isEmpty())
        .toList();
  }

  /// Each container, and the value or field path of its variable.
  private static List<String> seen(JsonNode pod, String containers) {
    var seen = new ArrayList<String>();
    for (JsonNode container : pod.path("spec").path(containers)) {
      String value = "";
      for (JsonNode variable : container.path("env")) {
        if (variable.path("name").asText().equals("NVIDIA_VISIBLE_DEVICES")) {
          String path = variable.at("/valueFrom/fieldRef/fieldPath").asText();
          String text = variable.path("value").asText();
          value = !path.isEmpty() ? path : text.isEmpty() ? "\"\"" : text;
        }
      }
      seen.add(container.path("name").asText() + " " + value);
    }
    return seen;
  }
}
