package dev.berth.controllers.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// As kubectl does.
class KubeconfigPathTest {
  private static Path of(Map<String, String> environment) {
    return KubeconfigPath.of(environment, "/root");
  }

  @Test
  void theHomeOfTheEnvironmentComesBeforeThatOfTheAccount() {
    assertThat(of(Map.of("HOME", "/home/ada"))).isEqualTo(Path.of("/home/ada/.kube/config"));
    assertThat(of(Map.of("HOME", ""))).isEqualTo(Path.of("/root/.kube/config"));
    assertThat(of(Map.of())).isEqualTo(Path.of("/root/.kube/config"));
  }

  @Test
  void theFirstFileThatIsNamedComesBeforeHome() {
    var both = Map.of("HOME", "/home/ada", "KUBECONFIG", "/a" + File.pathSeparator + "/b");
    assertThat(of(both)).isEqualTo(Path.of("/a"));
  }
}
