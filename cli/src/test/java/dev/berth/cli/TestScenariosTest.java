package dev.berth.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TestScenariosTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Path EXAMPLES = ROOT.resolve("examples/scenarios");

  @TempDir private Path folder;

  private record Ran(int status, List<String> lines) {
    String last() {
      return lines.getLast();
    }

    String all() {
      return String.join("\n", lines);
    }
  }

  private static Ran run(Object... arguments) {
    var bytes = new ByteArrayOutputStream();
    int status =
        new CommandLine(new TestScenarios(new PrintStream(bytes, true, StandardCharsets.UTF_8)))
            .execute(Stream.of(arguments).map(Object::toString).toArray(String[]::new));
    return new Ran(status, bytes.toString(StandardCharsets.UTF_8).lines().toList());
  }

  private Path impossible() throws IOException {
    return Files.writeString(
        folder.resolve("impossible.yaml"),
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: impossible}
        spec:
          objects:
            - {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {schedulerName: berth}}
          expect: {pods: {a: {phase: Running}}}
        """);
  }

  @Test
  void theExamplesHold() {
    var ran = run(EXAMPLES);
    assertTrue(ran.last().endsWith(" passed, 0 failed, 0 deviations"), ran.all());
    assertFalse(ran.last().startsWith("0 "), ran.all());
    assertEquals(0, ran.status());
  }

  @Test
  void oneMayBePlayedAlone() {
    var ran = run(EXAMPLES, "--only", "a-gang-that-fits-starts");
    assertEquals(List.of("1 passed, 0 failed, 0 deviations"), ran.lines());
    assertEquals(2, run(EXAMPLES, "--only", "nobody-knows-it").status());
  }

  @Test
  void whatFailsSaysWhatWasSeenAndWhy() throws IOException {
    Path file = impossible();
    var ran = run(file);
    assertEquals(
        List.of(
            "FAILED: impossible (" + file + ")",
            "  default/a: expected Running, but it is Pending. Waits: there are no nodes. Helps:"
                + " more nodes.",
            "0 passed, 1 failed, 0 deviations"),
        ran.lines());
    assertEquals(1, ran.status());
  }

  @Test
  void whatCannotBeReadFails() throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), "{apiVersion: v1, kind: Pod}");
    var ran = run(folder);
    assertEquals(
        List.of(
            "FAILED: " + file,
            "  a.yaml: document 1.metadata.name is missing on this Pod",
            "0 passed, 1 failed, 0 deviations"),
        ran.lines());
    assertEquals(1, ran.status());
  }

  @Test
  void settingsAreFieldsOfTheConfiguration() throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: a}
        spec: {settings: {placement: {gpus: binpack}}}
        """);
    var ran = run(folder);
    assertEquals(
        "  spec.settings: placement.gpus is not a field that Berth knows in placement (did you mean"
            + " gpu?); known are cpu, gpu",
        ran.lines().get(1));
  }

  @Test
  void theExampleOfThePageComesAsItSays() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "contributors", "scenarios.md"));
    int from = page.indexOf("```yaml\n") + "```yaml\n".length();
    Files.writeString(folder.resolve("page.yaml"), page.substring(from, page.indexOf("```", from)));
    var ran = run(folder);
    assertEquals("1 passed, 0 failed, 0 deviations", ran.lines().getLast(), ran.lines()::toString);
  }

  /// Else it would be counted, and nothing would ever ask for it.
  @Test
  void aQueueCountsResourcesThatThereAre() throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        """
        apiVersion: berth.dev/v1alpha1
        kind: Scenario
        metadata: {name: a}
        spec:
          objects:
            - apiVersion: berth.dev/v1alpha1
              kind: Queue
              metadata: {name: q}
              spec: {quota: {gpuu: 4, example.com/fpga: 1, gpu/H100: 2}, limits: {gpu: 4}}
        """);
    var lines = String.join("\n", run(folder).lines());
    assertTrue(
        lines.contains(
            "spec.objects[0].spec.quota.gpuu on Queue q is not a resource that Berth knows (did you"
                + " mean gpu?); known are gpu, cpu, memory,"),
        lines);
    assertTrue(lines.contains("spec.limits"), lines);
    assertTrue(lines.contains("(did you mean limit?)"), lines);
  }

  @Test
  void aDeviationNeitherPassesNorFails() throws IOException {
    Path list =
        Files.writeString(
            folder.resolve("deviations.md"),
            """
            | name | reason |
            |---|---|
            | impossible | nobody can |
            | a-gang-that-fits-starts | not any more |
            """);
    Path report = folder.resolve("reports/junit.xml");
    Path gangs = EXAMPLES.resolve("gang-all-or-nothing.yaml");
    var ran = run(impossible(), gangs, "--deviations", list, "--report", report);
    assertEquals(0, ran.status(), ran.all());
    assertEquals("2 passed, 0 failed, 1 deviations", ran.last());
    assertTrue(ran.all().contains("deviates: impossible"), ran.all());
    assertTrue(ran.all().contains("though it is listed as a deviation: take it off"), ran.all());
    assertTrue(Files.readString(report).contains("<skipped message=\"nobody can\">"));
  }

  @Test
  void theTraceTellsTheStory() {
    var ran = run(EXAMPLES.resolve("stale-gang.yaml"), "--trace");
    assertTrue(
        ran.all().contains("evict stale  train of queue research: train-0 leaves"), ran.all());
    assertTrue(
        ran.all().contains("allocate     next of queue research: next on worker-a"), ran.all());
  }

  /// The policy cases lie beside the repository, where there are any.
  @Test
  void thePolicyCasesAreReadAndPlayed() {
    Path cases = ROOT.resolveSibling("shared").resolve("scenarios");
    assumeTrue(Files.isDirectory(cases), "skipped: there are no policy cases in " + cases);
    Path list = ROOT.resolve("docs").resolve("deviations.md");
    var folders = Stream.of("reference", "random", "more").map(cases::resolve);
    var ran = run(Stream.concat(folders, Stream.of("--deviations", list)).toArray());
    System.out.println("policy cases: " + ran.last());
    var failed =
        ran.lines().stream()
            .filter(line -> line.startsWith("FAILED"))
            .map(line -> line.split(" ", 3)[1])
            .sorted()
            .toList();
    assertEquals(List.of(), failed, ran.all());
    assertTrue(!ran.all().contains("never comes to rest"), ran.all());
    assertTrue(!ran.all().contains("a planning cycle failed"), ran.all());
    assertTrue(!ran.all().contains("not a field that Berth knows"), ran.all());
  }
}
