package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// `berth doctor` as users run it, on a healthy cluster and on what is commonly wrong with one.
class DoctorIT {
  private static final int PORT = 26700;
  private static final String NODE = "/api/v1/nodes/node-0000";
  private static final String POLICIES = "/apis/nvidia.com/v1/clusterpolicies";
  private static final String CLASSES = "/apis/node.k8s.io/v1/runtimeclasses";

  @AutoClose private static ControlPlane cluster;
  private static Api api;

  /// @param output standard output and standard error
  private record Told(int status, String output) {
    JsonNode json() {
      try {
        return Api.JSON.readTree(output);
      } catch (IOException notJson) {
        throw new AssertionError(output, notJson);
      }
    }

    /// `ERROR injection/NoRuntimeClass node a`, of all that are no OK.
    List<String> wrong() {
      var wrong = new ArrayList<String>();
      for (JsonNode finding : json().path("findings")) {
        if (!finding.path("severity").asText().equals("OK")) {
          wrong.add(
              finding.path("severity").asText()
                  + " "
                  + finding.path("check").asText()
                  + " "
                  + finding.path("object").asText());
        }
      }
      return wrong;
    }
  }

  @BeforeAll
  static void up() {
    cluster = ControlPlane.up(PORT, "--nodes", "2", "--gpus", "8", "--replicas", "2");
    api = cluster.admin();
    cluster.define("doctor/clusterpolicies.yaml", POLICIES);
  }

  @Test
  void aHealthyClusterHasNoErrors() {
    var told = doctor("admin", "--scheduler-config", config());
    assertThat(told.output()).contains("No errors found: 0 errors, 4 warnings.");
    assertThat(told.output())
        .containsPattern("OK +lease berth-system/berth +held by berth_")
        .containsPattern("OK +extender http://127.0.0.1:" + (PORT + 8) + "/extender +Berth answers")
        .containsPattern("OK +serviceaccount berth-system/berth +has all of the \\d+ rights")
        .containsPattern("(?m)^node-0001 +8 +env, env-cdi +- +unknown +not yet$");
    assertThat(told.status()).isZero();
    // Berth runs as processes here
    assertThat(doctor("admin", "--json", "--scheduler-config", config()).wrong())
        .containsExactly(
            // no ClusterPolicy, no RuntimeClass: unknown before the first share
            "WARN injection/RuntimeUnknown node node-0000",
            "WARN injection/RuntimeUnknown node node-0001",
            "WARN install/DeploymentMissing deployment berth-system/berth",
            "WARN install/DeploymentMissing deployment berth-system/berth-scheduler");
  }

  @Test
  void beforeAnInstallItSaysWhetherBerthCanBeInstalled() {
    var told = doctor("admin", "--preflight");
    assertThat(told.output())
        .contains("Berth is installed here already: 0 errors")
        .doesNotContain("can be installed");
    assertThat(told.status()).isZero();
    var tenant = doctor("alice", "--preflight");
    assertThat(tenant.output()).contains("may not create clusterroles.rbac.authorization.k8s.io");
    assertThat(tenant.status()).isEqualTo(2);
  }

  @Test
  void cdiWithoutARuntimeClass() {
    api.createOrFail(
        POLICIES,
        """
        {"apiVersion": "nvidia.com/v1", "kind": "ClusterPolicy",
         "metadata": {"name": "cluster-policy", "labels": {"app.kubernetes.io/version": "v25.10.1"}},
         "spec": {"cdi": {"enabled": true}}}
        """);
    try {
      var told = doctor("admin", "--json", "--scheduler-config", config());
      assertThat(told.status()).isEqualTo(1);
      assertThat(told.wrong())
          .contains(
              "ERROR injection/CdiWithoutRuntimeClass node node-0000",
              "ERROR injection/CdiWithoutRuntimeClass node node-0001");
      api.createOrFail(
          CLASSES,
          """
          {"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "nvidia"}, "handler": "nvidia"}
          """);
      var mended = doctor("admin", "--json", "--scheduler-config", config());
      assertThat(mended.status()).isZero();
      assertThat(mended.json().at("/nodes/0/modes/0").asText()).isEqualTo("env-cdi");
      assertThat(mended.json().at("/nodes/0/runtimeClass").asText()).isEqualTo("nvidia");
    } finally {
      api.delete(CLASSES + "/nvidia");
      api.delete(POLICIES + "/cluster-policy");
    }
  }

  @Test
  void replicas() {
    label("\"4\"");
    try {
      var told = doctor("admin", "--json", "--scheduler-config", config());
      assertThat(told.status()).isEqualTo(1);
      assertThat(told.wrong()).contains("ERROR injection/ReplicatedGpus node node-0000");
      assertThat(told.output()).contains("label nvidia.com/gpu.replicas is 4");
    } finally {
      label("null");
    }
  }

  @Test
  void withoutPermissionItNamesEachMissingRight() {
    var told = doctor("bob");
    assertThat(told.status()).isEqualTo(2);
    assertThat(told.output())
        .containsPattern("WARN +list nodes +not checked: forbidden to user bob")
        .containsPattern("WARN +list pods +not checked: forbidden to user bob")
        .containsPattern(
            "WARN +list clusterpolicies.nvidia.com +not checked: forbidden to user bob")
        .contains("rights were not checked: ")
        .contains("The cluster could not be looked at")
        .doesNotContain("Exception")
        .doesNotContain("\tat ");
  }

  @Test
  void anExtenderUrlThatLeadsNowhere() throws IOException {
    var wrong = cluster.dir().resolve("wrong-url.yaml");
    String nowhere = "http://127.0.0.1:" + (PORT + 60) + "/extender";
    Files.writeString(
        wrong,
        Files.readString(Path.of(config()))
            .replace("http://127.0.0.1:" + (PORT + 8) + "/extender", nowhere));
    var told = doctor("admin", "--json", "--scheduler-config", wrong.toString());
    assertThat(told.status()).isEqualTo(1);
    assertThat(told.wrong()).contains("ERROR scheduler/Unreachable extender " + nowhere);
  }

  @Test
  void withoutAClusterItSaysSoInOneLine() {
    var told = run(List.of("doctor", "--kubeconfig", "/nonexistent/kubeconfig"));
    assertThat(told.status()).isEqualTo(2);
    assertThat(told.output())
        .startsWith("berth: kubeconfig /nonexistent/kubeconfig does not exist.");
    assertThat(told.output().strip().lines()).hasSize(1);
  }

  private static String config() {
    return cluster.dir().resolve("kube-scheduler.yaml").toString();
  }

  private static void label(String value) {
    var answer =
        api.call(
            "PATCH",
            NODE,
            "application/merge-patch+json",
            "{\"metadata\": {\"labels\": {\"nvidia.com/gpu.replicas\": " + value + "}}}");
    assertThat(answer.isOk()).as("label set: %s", answer).isTrue();
  }

  private static Told doctor(String user, String... options) {
    var command = new ArrayList<>(List.of("doctor", "--kubeconfig"));
    command.add(cluster.dir().resolve(user + ".kubeconfig").toString());
    command.addAll(List.of(options));
    return run(command);
  }

  private static Told run(List<String> arguments) {
    var command = new ArrayList<>(List.of(ControlPlane.root().resolve("berth").toString()));
    command.addAll(arguments);
    try {
      var output = Files.createTempFile("berth-doctor-", ".out");
      var process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("still running: " + command);
      }
      String text = Files.readString(output);
      Files.delete(output);
      return new Told(process.exitValue(), text);
    } catch (IOException failed) {
      throw new AssertionError(failed);
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
