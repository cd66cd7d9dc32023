package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Why a pod waits, on a real control plane with three nodes of four GPUs: the situations of
/// `e2e/reasons`, and what `docs/users/reasons.md` says that pod, event and PodGroup say in each,
/// word by word.
class ReasonsIT {
  private static final Path SITUATIONS = ControlPlane.root().resolve("e2e/reasons");
  private static final Path PAGE = ControlPlane.root().resolve("docs/users/reasons.md");
  private static final Pattern ROW =
      Pattern.compile(
          "\\| \\[([a-z-]+)]\\(\\.\\./\\.\\./e2e/reasons/([a-z-]+)\\.yaml\\) \\| (.*) \\|");

  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
  private static final String BERTH = "/apis/berth.dev/v1alpha1/";
  private static final Map<String, String> PATHS =
      Map.ofEntries(
          Map.entry("Pod", PODS),
          Map.entry("PodGroup", BERTH + "namespaces/default/podgroups"),
          Map.entry("Queue", BERTH + "queues"),
          Map.entry("Topology", BERTH + "topologies"),
          Map.entry("Node", "/api/v1/nodes"),
          Map.entry("PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses"),
          Map.entry(
              "PodDisruptionBudget", "/apis/policy/v1/namespaces/default/poddisruptionbudgets"),
          Map.entry("ResourceClaim", "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims"),
          Map.entry("DeviceClass", "/apis/resource.k8s.io/v1/deviceclasses"),
          Map.entry(
              "ValidatingAdmissionPolicy",
              "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"),
          Map.entry(
              "ValidatingAdmissionPolicyBinding",
              "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"),
          Map.entry("PersistentVolume", "/api/v1/persistentvolumes"),
          Map.entry("PersistentVolumeClaim", "/api/v1/namespaces/default/persistentvolumeclaims"),
          Map.entry("StorageClass", "/apis/storage.k8s.io/v1/storageclasses"));

  /// Moments differ from run to run.
  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(22100, "--nodes", "3", "--gpus", "4");
    api = cluster.admin();
  }

  @Test
  void eachPodSaysWhyItWaitsAsThePageTells() throws IOException {
    var said = new TreeMap<String, String>();
    try (var files = Files.list(SITUATIONS)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString().replace(".yaml", "");
        said.put(name, play(name, Api.documents(file)));
      }
    }
    var now = new ArrayList<String>();
    for (String line : Files.readAllLines(PAGE)) {
      var row = ROW.matcher(line);
      now.add(
          row.matches()
              ? "| [%s](../../e2e/reasons/%s.yaml) | %s |"
                  .formatted(row.group(1), row.group(2), said.remove(row.group(2)))
              : line);
    }
    said.forEach((name, words) ->
        now.add("| [%s](../../e2e/reasons/%s.yaml) | %s |".formatted(name, name, words)));
    var target = Files.createDirectories(Path.of("target")).resolve("reasons.md");
    Files.write(target, now);
    assertThat(Files.readAllLines(PAGE))
        .as("docs/users/reasons.md; if what is different is meant, it stands in " + target)
        .containsExactlyElementsOf(now);
  }

  private static String play(String situation, List<JsonNode> objects) {
    for (JsonNode object : objects) {
      if (!isOfInterest(object)) {
        create(object);
      }
    }
    ControlPlane.await(
        situation + ": those run who are there before, and have failed where they are to",
        () ->
            api.list(PODS).stream()
                .allMatch(pod -> Truth.isBound(pod) && (!isToFail(pod) || hasFailed(pod))),
        () -> api.list(PODS).toString());
    if (objects.stream().anyMatch(ReasonsIT::isPolicy)) {
      Api.pause(Duration.ofSeconds(5)); // until kube-apiserver has compiled it
    }
    if (objects.stream().anyMatch(object -> object.path("kind").asText().equals("Node"))) {
      Api.pause(Duration.ofSeconds(3)); // until Berth and kube-scheduler have seen them
    }
    objects.stream().filter(ReasonsIT::isOfInterest).forEach(ReasonsIT::create);
    var waiting = new LinkedHashMap<String, String>();
    ControlPlane.await(
        situation + ": all who wait say why, in the same words, and it stays so",
        () -> {
          waiting.clear();
          for (JsonNode pod : api.list(PODS)) {
            if (isOfInterest(pod)) {
              waiting.put(Api.name(pod), message(pod));
            }
          }
          return !waiting.isEmpty()
              && waiting.values().stream().noneMatch(String::isEmpty)
              && waiting.values().stream().distinct().count() == 1;
        },
        () -> waiting + " of " + api.list(PODS));
    Api.pause(Duration.ofSeconds(1));
    String words = message(api.get(PODS + "/" + waiting.keySet().iterator().next()));
    for (String pod : waiting.keySet()) {
      ControlPlane.await(
          situation + ": an event of " + pod + " says it, too",
          () -> notes(pod).contains(words),
          () -> notes(pod).toString());
    }
    var named = groups(objects);
    for (JsonNode group : api.list(PATHS.get("PodGroup"))) {
      if (!named.contains(Api.name(group))) {
        continue; // of no pod that waits
      }
      String ofGroup =
          group.at("/status/reason").asText() + ": " + group.at("/status/message").asText();
      assertThat(words)
          .as(situation + ": what the PodGroup says")
          .isEqualTo(ofGroup + " (PodGroup " + Api.name(group) + ")");
    }
    api.delete(EVENTS); // as kube-apiserver does after an hour
    for (String pod : waiting.keySet()) {
      assertThat(message(api.get(PODS + "/" + pod)))
          .as(situation + ": what " + pod + " says when its events are gone")
          .isEqualTo(words);
    }
    clean(objects);
    return MOMENT.matcher(words).replaceAll("2026-01-01T12:00:00Z");
  }

  /// PodGroups that pods of interest name.
  private static List<String> groups(List<JsonNode> objects) {
    return objects.stream()
        .filter(ReasonsIT::isOfInterest)
        .map(pod -> pod.at("/metadata/labels").path("berth.dev/pod-group").asText())
        .toList();
  }

  /// As annotations for the fake kubelets have it.
  private static boolean isToFail(JsonNode pod) {
    return pod.at("/metadata/annotations").has("e2e/exit-code");
  }

  private static boolean hasFailed(JsonNode pod) {
    return pod.at("/status/phase").asText().equals("Failed");
  }

  private static boolean isPolicy(JsonNode object) {
    return object.path("kind").asText().startsWith("ValidatingAdmissionPolicy");
  }

  /// Those whose reasons are told; what else there is comes before.
  private static boolean isOfInterest(JsonNode object) {
    String name = Api.name(object);
    return object.path("spec").has("containers") && (name.equals("x") || name.startsWith("x-"));
  }

  private static String message(JsonNode pod) {
    for (JsonNode condition : pod.at("/status/conditions")) {
      if (condition.path("type").asText().equals("PodScheduled")
          && condition.path("reason").asText().equals("SchedulingGated")) {
        return condition.path("message").asText().contains(": ")
            ? condition.path("message").asText()
            : "";
      }
    }
    return "";
  }

  private static List<String> notes(String pod) {
    return api.list(EVENTS).stream()
        .filter(event -> event.at("/regarding/kind").asText().equals("Pod"))
        .filter(event -> event.at("/regarding/name").asText().equals(pod))
        .map(event -> event.path("reason").asText() + ": " + event.path("note").asText())
        .toList();
  }

  private static void create(JsonNode object) {
    String path = PATHS.get(object.path("kind").asText());
    String name = Api.name(object);
    if (object.path("kind").asText().equals("Node")) {
      assertThat(api.patch(path + "/" + name, object.toString()).isOk()).as(name).isTrue();
    } else {
      api.createOrFail(path, object.toString());
    }
  }

  private static void clean(List<JsonNode> objects) {
    api.delete(PODS + "?gracePeriodSeconds=0");
    ControlPlane.await(
        "all pods are gone",
        () -> api.list(Api.ALL_BUT_PROBES).isEmpty(),
        () -> api.list(Api.ALL_BUT_PROBES).toString());
    for (JsonNode object : objects.reversed()) {
      String path = PATHS.get(object.path("kind").asText()) + "/" + Api.name(object);
      switch (object.path("kind").asText()) {
        case "Pod" -> {}
        case "Node" -> api.patch(path, undoing(object).toString());
        default ->
            ControlPlane.await(
                path + " is gone",
                () -> {
                  api.delete(path);
                  api.patch(path, "{\"metadata\": {\"finalizers\": null}}"); // of volumes
                  return api.call("GET", path, "application/json", "").status() == 404;
                },
                () -> path);
      }
    }
  }

  private static ObjectNode undoing(JsonNode node) {
    ObjectNode patch = Api.JSON.createObjectNode();
    var labels = patch.putObject("metadata").putObject("labels");
    node.at("/metadata/labels").fieldNames().forEachRemaining(labels::putNull);
    var spec = patch.putObject("spec");
    node.path("spec").fieldNames().forEachRemaining(spec::putNull);
    return patch;
  }
}
