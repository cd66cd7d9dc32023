package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `e2e/control-plane/build` waits for another build only where something is missing.
class ControlPlaneBuildTest {
  private static final String WAITS = "control-plane: another build is at work, waiting for it";

  @TempDir Path cache;

  @Test
  void anotherBuildIsWaitedForOnlyWhereSomethingIsMissing() throws Exception {
    var where = build("--where");
    Path bin = Path.of(said(where));
    Files.createDirectories(bin);
    for (var program :
        List.of(
            "etcd",
            "kube-apiserver",
            "kube-scheduler",
            "kube-controller-manager",
            "kubectl",
            "kwok")) {
      Files.createFile(
          bin.resolve(program),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    assertThat(said(build())).isEqualTo(bin.toString());

    var other =
        new ProcessBuilder(
                "flock", bin.resolveSibling("lock").toString(), "sh", "-c", "echo held; exec cat")
            .start();
    try (var _ = other.getOutputStream()) {
      assertThat(other.inputReader(StandardCharsets.UTF_8).readLine()).isEqualTo("held");
      assertThat(said(build())).isEqualTo(bin.toString());

      Files.delete(bin.resolve("kwok"));
      assertThat(said(build())).isEqualTo(WAITS);
    } finally {
      other.waitFor(10, TimeUnit.SECONDS);
    }
  }

  private Process build(String... words) throws IOException {
    var command = new ArrayList<String>();
    command.add(ControlPlane.root().resolve("e2e/control-plane/build").toString());
    command.addAll(List.of(words));
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    var environment = builder.environment();
    environment.put("BERTH_CACHE", cache.toString());
    for (var given :
        List.of(
            "KUBEBUILDER_ASSETS",
            "TEST_ASSET_ETCD",
            "TEST_ASSET_KUBE_APISERVER",
            "TEST_ASSET_KUBECTL")) {
      environment.remove(given);
    }
    return builder.start();
  }

  /// The first line, after which the program is ended.
  private static String said(Process process) throws IOException {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      return reader.readLine();
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
