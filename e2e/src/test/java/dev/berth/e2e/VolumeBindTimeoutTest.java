package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Berth charges room for as long as kube-scheduler waits for volumes: each of our kube-schedulers
/// waits no longer than the Berth beside it believes.
class VolumeBindTimeoutTest {
  private static final Pattern OURS = Pattern.compile("volumeBindTimeout: (\\d+)s");
  private static final Pattern THEIRS = Pattern.compile("bindTimeoutSeconds: (\\d+)");

  @ParameterizedTest
  @CsvSource({
    "manifests/berth/deployment.yaml, manifests/scheduler/deployment.yaml",
    "manifests/mtls/berth.yaml, manifests/scheduler/deployment.yaml",
    "manifests/plain-http/berth.yaml, manifests/plain-http/scheduler.yaml",
    "manifests/kai/kustomization.yaml, manifests/kai/kustomization.yaml",
    "e2e/lib/components.sh, e2e/lib/components.sh"
  })
  void bothAreTheSame(String berth, String scheduler) throws IOException {
    var theirs = THEIRS.matcher(read(scheduler)).results().map(it -> it.group(1)).distinct();
    var ours = OURS.matcher(read(berth)).results().map(it -> it.group(1)).distinct();
    assertThat(ours).hasSize(1).containsExactlyElementsOf(theirs.toList());
  }

  private static String read(String file) throws IOException {
    return Files.readString(ControlPlane.root().resolve(file));
  }
}
