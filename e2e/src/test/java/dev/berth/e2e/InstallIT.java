package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// In and out again, as `e2e/install` tells it: by Helm, with certificates that Berth makes for
/// both sides and renews. By kustomize it is the same objects (`ChartIT`); the upgrade from another
/// commit is by hand.
class InstallIT {
  private static final int PORT_BASE = 28700;

  @TempDir Path folder;

  @Test
  void fromNothingToAGangAndBackToNothing() throws Exception {
    ControlPlane.require();
    assumeTrue(built(), "Helm cannot be built here: see e2e/control-plane/build helm");
    var told = folder.resolve("told");
    var story =
        new ProcessBuilder(
                ControlPlane.root().resolve("e2e/install").toString(),
                "helm",
                "--from",
                "none",
                "--dir",
                folder.resolve("cluster").toString(),
                "--port-base",
                Integer.toString(PORT_BASE))
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    boolean isOver = story.waitFor(25, TimeUnit.MINUTES);
    if (!isOver) {
      story.destroy(); // it takes its cluster down
      story.waitFor(3, TimeUnit.MINUTES);
    }
    var lines = Files.readString(told, StandardCharsets.UTF_8);
    assertThat(isOver).as("over after 25 minutes\n" + lines).isTrue();
    assertThat(story.exitValue()).as(lines).isZero();
    assertThat(lines)
        .containsPattern("ok +helm --wait ends +after \\d+\\.\\d s")
        .contains("kube-scheduler's certificate is made anew", "nothing of Berth is left")
        .doesNotContain("FAILED");
  }

  private static boolean built() throws IOException, InterruptedException {
    return new ProcessBuilder(
                ControlPlane.root().resolve("e2e/control-plane/build").toString(), "helm")
            .inheritIO()
            .start()
            .waitFor()
        == 0;
  }
}
