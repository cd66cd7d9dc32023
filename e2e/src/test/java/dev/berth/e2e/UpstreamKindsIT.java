package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Examples are objects of the kinds as their projects publish them: each is created in a dry run
/// by a kube-apiserver that has the upstream CRDs, and no field is unknown there.
class UpstreamKindsIT {
  private static final Path EXAMPLES = ControlPlane.root().resolve("examples");
  private static final String KINDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  /// Of kinds whose project publishes no Go module with CRDs, or none that could be fetched:
  /// `docs/operators/operators.md` says which were tried.
  private static final Set<String> NOT_TRIED =
      new TreeSet<>(
          List.of(
              "AmlJob",
              "DynamoGraphDeployment",
              "RunaiJob",
              "SPOTRequest",
              "SeldonDeployment",
              "ScheduledWorkflow",
              "VirtualMachineInstance"));

  private static final Map<String, String> BUILT_IN =
      Map.ofEntries(
          Map.entry("v1 Pod", "/api/v1/namespaces/default/pods"),
          Map.entry("batch/v1 Job", "/apis/batch/v1/namespaces/default/jobs"),
          Map.entry("batch/v1 CronJob", "/apis/batch/v1/namespaces/default/cronjobs"),
          Map.entry("apps/v1 Deployment", "/apis/apps/v1/namespaces/default/deployments"),
          Map.entry("apps/v1 ReplicaSet", "/apis/apps/v1/namespaces/default/replicasets"),
          Map.entry("apps/v1 StatefulSet", "/apis/apps/v1/namespaces/default/statefulsets"),
          Map.entry(
              "scheduling.k8s.io/v1alpha2 PodGroup",
              "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups"),
          Map.entry(
              "resource.k8s.io/v1 ResourceClaimTemplate",
              "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates"));

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  @BeforeAll
  static void up() {
    ControlPlane.require();
    String missing = Operators.missing("jobset");
    assumeTrue(missing.isEmpty(), missing);
    cluster =
        ControlPlane.up(
            31100,
            "--nodes",
            "1",
            "--no-berth",
            "--no-scheduler",
            "--apiserver-flags",
            "--feature-gates=GenericWorkload=true"
                + " --runtime-config=scheduling.k8s.io/v1alpha2=true");
    api = cluster.admin();
    Operators.kinds(
        cluster,
        "jobset",
        "lws",
        "training-operator",
        "kuberay",
        "mpi-operator",
        "trainer",
        "argo",
        "tekton",
        "knative",
        "kserve",
        "appwrapper",
        "scheduler-plugins",
        "devworkspace",
        "spark",
        "volcano",
        "grove",
        "notebook");
  }

  @Test
  void everyExampleIsAnObjectOfItsKind() throws IOException {
    var paths = new TreeMap<>(BUILT_IN);
    api.list(KINDS).forEach(kind -> paths.putAll(pathsOf(kind)));
    ControlPlane.await(
        "all kinds are served",
        Duration.ofMinutes(2),
        () ->
            paths.values().stream()
                .allMatch(path -> api.call("GET", path, "application/json", "").isOk()),
        paths::toString);
    var refused = new ArrayList<String>();
    var notTried = new TreeSet<String>();
    var tried = new TreeSet<String>();
    for (Path folder : List.of(EXAMPLES, EXAMPLES.resolve("workloads"))) {
      try (var files = Files.list(folder)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".yaml")).toList()) {
          for (JsonNode document : Api.documents(file)) {
            String kind = document.path("kind").asText();
            String full = document.path("apiVersion").asText() + " " + kind;
            String path = paths.get(full);
            if (path == null) {
              notTried.add(kind);
            } else {
              tried.add(full);
              var answer =
                  api.create(path + "?dryRun=All&fieldValidation=Strict", document.toString());
              if (!answer.isOk()) {
                refused.add(EXAMPLES.relativize(file) + ": " + answer.message());
              }
            }
          }
        }
      }
    }
    assertThat(refused).as("refused by kube-apiserver").isEmpty();
    assertThat(notTried).as("kinds without an upstream CRD here").isEqualTo(NOT_TRIED);
    assertThat(tried).as("kinds that were tried").hasSizeGreaterThan(30);
  }

  /// By `apiVersion kind`.
  private static Map<String, String> pathsOf(JsonNode kind) {
    var paths = new TreeMap<String, String>();
    String group = kind.at("/spec/group").asText();
    String namespace =
        kind.at("/spec/scope").asText().equals("Namespaced") ? "namespaces/default/" : "";
    for (JsonNode version : kind.at("/spec/versions")) {
      if (version.path("served").asBoolean()) {
        String name = group + "/" + version.path("name").asText();
        paths.put(
            name + " " + kind.at("/spec/names/kind").asText(),
            "/apis/" + name + "/" + namespace + kind.at("/spec/names/plural").asText());
      }
    }
    return paths;
  }
}
