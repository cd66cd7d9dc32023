package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every example must say, whatever its kind.
class ExamplesTest {
  private static final String IGNORE =
      "[{\"action\":\"Ignore\",\"onPodConditions\":[{\"type\":\"DisruptionTarget\"}]}]";

  /// Kubernetes counts an evicted pod as failed else, and a Job of many fails with the first
  /// reclaim.
  @Test
  void everyJobIgnoresEvictions() throws IOException {
    var jobs = new ArrayList<JsonNode>();
    for (Path folder : List.of(root("examples"), root("examples/workloads"), root("kind/demo"))) {
      try (var files = Files.list(folder)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
          Api.documents(file).forEach(document -> collect(document, jobs));
        }
      }
    }
    assertThat(jobs).as("Jobs in examples").hasSizeGreaterThan(8);
    assertThat(jobs)
        .allSatisfy(spec -> {
          assertThat(spec.at("/podFailurePolicy/rules").toString()).isEqualTo(IGNORE);
          assertThat(spec.at("/template/spec/restartPolicy").asText()).isEqualTo("Never");
        });
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
