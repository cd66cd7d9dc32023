package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/// The image and the manifests on k3s, where containers run: wherever Docker answers. The GPUs are
/// pretended: the node's status says eight, so pods are counted and compute nothing.
class ContainersIT {
  private static final String K3S = "rancher/k3s:v1.36.3-k3s1";
  private static final Path ROOT = ControlPlane.root();
  private static final Path IMAGE = ROOT.resolve("cli/target/berth-image.tar");
  private static final String EIGHT =
      "[{\"op\":\"add\",\"path\":\"/status/%s/nvidia.com~1gpu\",\"value\":\"8\"}]";

  @Test
  void theImageRunsTheManifestsAndAGang() throws Exception {
    assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "skipped: Docker does not answer here, so no container can run");
    assumeTrue(
        Files.exists(IMAGE),
        "skipped: there is no image. Build it: ./mvnw -Pimages -DskipTests -pl cli -am package");
    try (var k3s = new K3sContainer(DockerImageName.parse(K3S))) {
      for (String folder : new String[] {"crds", "manifests", "examples"}) {
        k3s.withCopyFileToContainer(
            MountableFile.forHostPath(ROOT.resolve(folder)), "/berth/" + folder);
      }
      k3s.withCopyFileToContainer(MountableFile.forHostPath(IMAGE), "/berth/image.tar");
      k3s.start();
      run(k3s, "ctr -n k8s.io images import /berth/image.tar");
      for (String part : new String[] {"capacity", "allocatable"}) {
        run(
            k3s,
            "kubectl patch $(kubectl get nodes -o name) --subresource status --type json -p '"
                + EIGHT.formatted(part)
                + "'");
      }
      run(k3s, "kubectl apply -k /berth/crds");
      run(k3s, "kubectl wait --for condition=established crd --all --timeout=60s");
      run(k3s, "kubectl apply -k /berth/manifests/default");
      for (String deployment : new String[] {"berth", "berth-scheduler"}) {
        run(
            k3s,
            "kubectl -n berth-system rollout status deployment/" + deployment + " --timeout=300s");
      }
      run(k3s, "kubectl apply -f /berth/examples/queues.yaml -f /berth/examples/topology.yaml");
      run(
          k3s,
          "sed 's#image: nvidia/.*#image: busybox:1.37#' /berth/examples/gang.yaml | kubectl apply"
              + " -f -");
      ControlPlane.await(
          "the gang runs",
          Duration.ofMinutes(3),
          () ->
              read(k3s, "kubectl get pods -l berth.dev/pod-group=ring").split("Running", -1).length
                  == 4,
          () ->
              read(
                  k3s,
                  "kubectl describe bpg,pods; kubectl -n berth-system logs deployment/berth"
                      + " --tail=50"));
      assertThat(read(k3s, "kubectl get pods -A -l app.kubernetes.io/name=berth"))
          .as("not restarted on the way")
          .containsPattern("Running\\s+0");
    }
  }

  private static void run(K3sContainer k3s, String command) throws Exception {
    var ran = k3s.execInContainer("sh", "-c", command);
    assertThat(ran.getExitCode()).as(command + "\n" + ran.getStdout() + ran.getStderr()).isZero();
  }

  private static String read(K3sContainer k3s, String command) {
    try {
      var ran = k3s.execInContainer("sh", "-c", command);
      return ran.getStdout() + ran.getStderr();
    } catch (IOException failed) {
      return failed.toString();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return stopped.toString();
    }
  }
}
