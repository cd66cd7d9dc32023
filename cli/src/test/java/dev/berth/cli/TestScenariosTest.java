package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;
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
    assertThat(ran.last().endsWith(" passed, 0 failed, 0 deviations")).as(ran.all()).isTrue();
    assertThat(ran.last().startsWith("0 ")).as(ran.all()).isFalse();
    assertThat(ran.status()).isEqualTo(0);
  }

  @Test
  void oneMayBePlayedAlone() {
    var ran = run(EXAMPLES, "--only", "a-gang-that-fits-starts");
    assertThat(ran.lines()).isEqualTo(List.of("1 passed, 0 failed, 0 deviations"));
    assertThat(run(EXAMPLES, "--only", "nobody-knows-it").status()).isEqualTo(2);
  }

  @Test
  void whatFailsSaysWhatWasSeenAndWhy() throws IOException {
    Path file = impossible();
    var ran = run(file);
    assertThat(ran.lines())
        .isEqualTo(
            List.of(
                "FAILED: impossible (" + file + ")",
                "  default/a: expected Running, but it is Pending. Waits: there are no nodes."
                    + " Helps: more nodes.",
                "0 passed, 1 failed, 0 deviations"));
    assertThat(ran.status()).isEqualTo(1);
  }

  @Test
  void whatCannotBeReadFails() throws IOException {
    Path file = Files.writeString(folder.resolve("a.yaml"), "{apiVersion: v1, kind: Pod}");
    var ran = run(folder);
    assertThat(ran.lines())
        .isEqualTo(
            List.of(
                "FAILED: " + file,
                "  a.yaml: document 1.metadata.name is missing on this Pod",
                "0 passed, 1 failed, 0 deviations"));
    assertThat(ran.status()).isEqualTo(1);
  }

  /// Of which nothing is expected: `berth simulate` plays them.
  @Test
  void objectsWithoutAScenarioAreNothingToPlay() throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"), "{apiVersion: v1, kind: Node, metadata: {name: n}}");
    var ran = run(folder);
    assertThat(ran.lines()).isEqualTo(List.of("0 passed, 0 failed, 0 deviations"));
    assertThat(ran.status()).isEqualTo(2);
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
    assertThat(ran.lines().get(1))
        .isEqualTo(
            "  spec.settings: placement.gpus is not a field that Berth knows in placement (did you"
                + " mean gpu?); known are cpu, gpu");
  }

  @Test
  void theExampleOfThePageComesAsItSays() throws IOException {
    var page = Files.readString(Path.of("..", "docs", "contributors", "scenarios.md"));
    int from = page.indexOf("```yaml\n") + "```yaml\n".length();
    Files.writeString(folder.resolve("page.yaml"), page.substring(from, page.indexOf("```", from)));
    var ran = run(folder);
    assertThat(ran.lines().getLast())
        .as(ran.lines()::toString)
        .isEqualTo("1 passed, 0 failed, 0 deviations");
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
    assertThat(
            lines.contains(
                "spec.objects[0].spec.quota.gpuu on Queue q is not a resource that Berth knows (did"
                    + " you mean gpu?); known are gpu, cpu, memory,"))
        .as(lines)
        .isTrue();
    assertThat(lines.contains("spec.limits")).as(lines).isTrue();
    assertThat(lines.contains("(did you mean limit?)")).as(lines).isTrue();
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
    assertThat(ran.status()).as(ran.all()).isEqualTo(0);
    assertThat(ran.last()).isEqualTo("2 passed, 0 failed, 1 deviations");
    assertThat(ran.all().contains("deviates: impossible")).as(ran.all()).isTrue();
    assertThat(ran.all().contains("though it is listed as a deviation: take it off"))
        .as(ran.all())
        .isTrue();
    assertThat(Files.readString(report).contains("<skipped message=\"nobody can\">")).isTrue();
  }

  @Test
  void theTraceTellsTheStory() {
    var ran = run(EXAMPLES.resolve("stale-gang.yaml"), "--trace");
    assertThat(ran.all().contains("evict stale  train of queue research: train-0 leaves"))
        .as(ran.all())
        .isTrue();
    assertThat(ran.all().contains("allocate     next of queue research: next on worker-a"))
        .as(ran.all())
        .isTrue();
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
    assertThat(failed).as(ran.all()).isEqualTo(List.of());
    assertThat(!ran.all().contains("never comes to rest")).as(ran.all()).isTrue();
    assertThat(!ran.all().contains("a planning cycle failed")).as(ran.all()).isTrue();
    assertThat(!ran.all().contains("not a field that Berth knows")).as(ran.all()).isTrue();
  }
}
