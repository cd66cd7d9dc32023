package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// What every example must say, whatever its kind.
class ExamplesTest {
  /// Kinds of examples that cannot say which scheduler places their pods, and why.
  private static final Map<String, String> NAMES_NO_SCHEDULER =
      new TreeMap<>(
          Map.of(
              "AmlJob", "its schema is not public; Azure's controller makes the pods",
              "PodGroup", "has no pods: the Pods beside it name the scheduler",
              "SPOTRequest", "its schema is not public",
              "TrainJob", "has no such field: the TrainingRuntime beside it names the scheduler"));

  private static final String IGNORE =
      "[{\"action\":\"Ignore\",\"onPodConditions\":[{\"type\":\"DisruptionTarget\",\"status\":\"True\"}]}]";

  /// Kubernetes counts an evicted pod as failed else, and a Job of many fails with the first
  /// reclaim.
  @Test
  void everyJobIgnoresEvictions() throws IOException {
    var jobs = new ArrayList<JsonNode>();
    all().forEach(document -> collect(document, jobs));
    for (String demo : List.of("gang", "product", "too-large")) {
      Api.documents(root("kind/demo/" + demo + ".yaml"))
          .forEach(document -> collect(document, jobs));
    }
    assertThat(jobs).as("Jobs in examples").hasSizeGreaterThan(8);
    assertThat(jobs)
        .allSatisfy(spec -> {
          assertThat(spec.at("/podFailurePolicy/rules").toString()).isEqualTo(IGNORE);
          assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
        });
  }

  /// All of them can be applied to one namespace: neither objects nor the pods that come of them
  /// have the name of another's.
  @Test
  void namesAreUnique() throws IOException {
    var seen = new TreeSet<String>();
    for (JsonNode document : all()) {
      String kind = document.path("kind").asText();
      if (!List.of("Queue", "Topology").contains(kind)) {
        String name = Api.name(document);
        assertThat(seen.add(name.toLowerCase(Locale.ROOT))).as(kind + " " + name).isTrue();
      }
    }
  }

  @Test
  void everyPodIsOfBerth() throws IOException {
    for (JsonNode document : all()) {
      var schedulers = document.findValuesAsText("schedulerName");
      String what = document.path("kind").asText() + " " + Api.name(document);
      assertThat(schedulers).as(what).allMatch("berth"::equals);
      for (JsonNode spec : document.findParents("containers")) {
        assertThat(spec.path("schedulerName").asText()).as("pods of " + what).isEqualTo("berth");
      }
    }
  }

  /// Pods of an example without it go to kube-scheduler's own profile. Some kinds name pods by
  /// other fields than `containers`, so every example must say it.
  @Test
  void everyWorkloadNamesBerthsScheduler() throws IOException {
    var silent = new TreeSet<String>();
    for (JsonNode document : in("examples/workloads")) {
      if (document.findValues("schedulerName").isEmpty()) {
        silent.add(document.path("kind").asText());
      }
    }
    assertThat(silent).as("kinds without schedulerName").isEqualTo(NAMES_NO_SCHEDULER.keySet());
  }

  /// Its fields that bear pods have no `containers` to find them by.
  @Test
  void everyRoleOfSparkAndDynamoNamesBerthsScheduler() throws IOException {
    var named = new TreeMap<String, String>();
    for (JsonNode document : in("examples/workloads")) {
      switch (document.path("kind").asText()) {
        case "SparkApplication" -> {
          for (String role : List.of("driver", "executor")) {
            named.put(role, document.at("/spec/" + role + "/schedulerName").asText());
          }
        }
        case "DynamoGraphDeployment" ->
            document
                .at("/spec/services")
                .properties()
                .forEach(service ->
                    named.put(
                        service.getKey(),
                        service.getValue().at("/extraPodSpec/schedulerName").asText()));
        default -> {}
      }
    }
    assertThat(named)
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "Frontend",
                    "berth",
                    "Worker",
                    "berth",
                    "driver",
                    "berth",
                    "executor",
                    "berth")));
  }

  /// Grove's schema requires a role of every clique.
  @Test
  void cliquesNameTheirRole() throws IOException {
    var roles = new ArrayList<String>();
    for (JsonNode document : all()) {
      if (document.path("kind").asText().equals("PodCliqueSet")) {
        for (JsonNode clique : document.at("/spec/template/cliques")) {
          assertThat(clique.at("/spec/roleName").asText()).isEqualTo(clique.path("name").asText());
          roles.add(clique.at("/spec/roleName").asText());
        }
      }
    }
    assertThat(roles).containsExactly("prefill", "decode");
  }

  /// What the operators refuse, or do not find, otherwise.
  @Test
  void containersHaveTheNamesThatOperatorsLookFor() throws IOException {
    var wanted =
        Map.of(
            "PyTorchJob", "pytorch",
            "TFJob", "tensorflow",
            "XGBoostJob", "xgboost",
            "JAXJob", "jax",
            "PaddleJob", "paddle");
    var found = new TreeSet<String>();
    for (JsonNode document : all()) {
      String kind = document.path("kind").asText();
      if (wanted.containsKey(kind)) {
        found.add(kind);
        for (JsonNode containers : document.findValues("containers")) {
          assertThat(containers.findValuesAsText("name")).as(kind).contains(wanted.get(kind));
        }
      }
    }
    assertThat(found).isEqualTo(new TreeSet<>(wanted.keySet()));
  }

  /// A level that no Topology of the examples has would be waited for in vain.
  @Test
  void levelsAreThoseOfTheTopology() throws IOException {
    var levels = new TreeSet<String>();
    for (JsonNode document : all()) {
      if (document.path("kind").asText().equals("Topology")) {
        for (JsonNode level : document.at("/spec/levels")) {
          levels.add(level.path("nodeLabel").asText());
          levels.add(level.path("alias").asText());
        }
      }
    }
    var asked = new ArrayList<String>();
    for (JsonNode document : all()) {
      for (String key :
          List.of(
              "berth.dev/topology-required",
              "berth.dev/topology-preferred",
              "berth.dev/segment-topology-required",
              "berth.dev/segment-topology-preferred",
              "required",
              "preferred")) {
        document.findValues(key).stream()
            .filter(JsonNode::isTextual)
            .forEach(level -> asked.add(level.asText()));
      }
      for (JsonNode constraint : document.at("/spec/schedulingConstraints/topology")) {
        asked.add(constraint.path("key").asText());
      }
    }
    assertThat(asked).hasSizeGreaterThan(8).allMatch(levels::contains);
  }

  private static List<JsonNode> all() throws IOException {
    var documents = new ArrayList<JsonNode>();
    documents.addAll(in("examples"));
    documents.addAll(in("examples/workloads"));
    return documents;
  }

  private static List<JsonNode> in(String folder) throws IOException {
    var documents = new ArrayList<JsonNode>();
    try (var files = Files.list(root(folder))) {
      files
          .filter(each -> each.toString().endsWith(".yaml"))
          .sorted()
          .forEach(file -> documents.addAll(Api.documents(file)));
    }
    return documents;
  }

  /// Specs of Jobs: of the kind itself, and below `jobTemplate` and `replicatedJobs`.
  private static void collect(JsonNode node, List<JsonNode> jobs) {
    if (node.path("kind").asText().equals("Job")
        && node.path("apiVersion").asText().equals("batch/v1")) {
      jobs.add(node.path("spec"));
    }
    if (node.has("jobTemplate")) {
      jobs.add(node.at("/jobTemplate/spec"));
    }
    for (JsonNode replicated : node.path("replicatedJobs")) {
      jobs.add(replicated.at("/template/spec"));
    }
    node.forEach(below -> collect(below, jobs));
  }

  private static Path root(String path) {
    return ControlPlane.root().resolve(path);
  }
}
