package dev.berth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The tests of `e2e/audit`: made histories, each of which breaks one of its laws.
class AuditLawsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @Test
  void eachLawOfTheAuditCanBeBroken() {
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "python3"))),
        "python3 is missing: e2e/audit is written in it");
    var tests = ControlPlane.root().resolve("e2e/audit").toString();
    var run =
        ControlPlane.run(
            PATIENCE, List.of("python3", "-B", "-m", "unittest", "discover", "-s", tests));
    assertThat(run.status()).as(run.output()).isZero();
    assertThat(run.output()).contains("OK").doesNotContain("Ran 0 tests");
  }
}
