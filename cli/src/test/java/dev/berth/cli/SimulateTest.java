package dev.berth.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class SimulateTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final StringWriter err = new StringWriter();

  @Test
  void whoSaysNotWhatToPlayIsToldBothWays() {
    assertEquals(2, simulate(), "the exit status");
    assertTrue(err.toString().contains("(FILE... | --seed=N)"), err::toString);
  }

  @Test
  void aFileAndASeedAreNotPlayedAtOnce() {
    assertEquals(2, simulate("--seed", "7", "../examples/scenarios/stale-gang.yaml"), "the status");
    assertTrue(err.toString().contains("(FILE... | --seed=N)"), err::toString);
  }

  @Test
  void aFileIsPlayed() {
    assertEquals(0, simulate("../examples/scenarios/stale-gang.yaml"), err::toString);
    assertTrue(out.toString().contains("evict stale  train"), out::toString);
  }

  @Test
  void whatDoesNotComeAsExpectedIsTheExitStatus(@TempDir Path folder) throws IOException {
    var scenario = Files.readString(Path.of("../examples/scenarios/stale-gang.yaml"));
    var file = folder.resolve("wrong.yaml");
    Files.writeString(
        file, scenario.replaceAll("evictions: *\\{max: *[0-9]+}", "evictions: {max: 0}"));
    assertEquals(1, simulate(file.toString()), "the exit status");
    assertTrue(out.toString().contains("Not as expected: "), out::toString);
  }

  @Test
  void aSeedIsReplayed() {
    assertEquals(0, simulate("--seed", "7"), err::toString);
    assertTrue(out.toString().startsWith("seed 7: no rule is broken"), out::toString);
  }

  private int simulate(String... arguments) {
    return new CommandLine(new Simulate(new PrintStream(out)))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }
}
