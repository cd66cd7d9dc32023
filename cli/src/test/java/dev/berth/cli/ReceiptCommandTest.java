package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// Receipts of a shipped scenario, as users read them.
class ReceiptCommandTest {
  @TempDir private Path log = Path.of("");

  private final CommandOutput output = new CommandOutput();

  @BeforeEach
  void simulate() {
    var quiet = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    assertThat(
            new CommandLine(new Simulate(quiet))
                .execute(
                    "../examples/scenarios/disruption-budget.yaml",
                    "--decision-log",
                    log.toString()))
        .isZero();
  }

  private int receipt(String... arguments) {
    return output.run(ReceiptCommand::new, arguments);
  }

  private String told() {
    return output.told();
  }

  @Test
  void tellsWhichGroupGainedByWhichRuleAndWhatElseWouldHaveBeen() {
    assertThat(receipt(log.toString(), "default/old-0")).as(this::told).isZero();
    assertThat(told())
        .startsWith(
            """
            default/old-0 of default/old (queue speech, priority 0): evicted at \
            2026-01-01T01:00:00.002500Z
              Reclaimed: its queue, or one above it, had more than its share, and another queue is owed it
              For default/train (queue vision, priority 0).
              Before and after the plan:
                speech gpu: allocated 2 → 1, quota 0, fair share 1 → 1
                vision gpu: allocated 0 → 1, quota 1, fair share 1 → 1
              Without it: default/young-0 (queue speech, priority 0) would have left in the place of \
            default/old-0 (queue speech, priority 0): only against a disruption budget
              Without these either: it would have waited.\
            """);
  }

  @Test
  void aPodThatWasNotEvictedHasNone() {
    assertThat(receipt(log.toString(), "nobody")).isEqualTo(1);
    assertThat(told()).startsWith("no plan of the log evicts a pod nobody");
    assertThat(receipt(log.resolve("nowhere").toString(), "old-0")).isEqualTo(2);
    assertThat(output.wrong()).contains("there is no file and no folder");
  }
}
