package dev.berth.cli;

import dev.berth.cli.cases.CaseVerdict;
import dev.berth.cli.cases.Deviations;
import dev.berth.cli.cases.JUnitXml;
import dev.berth.cli.cases.Suite;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth test`: plays scenarios and says which of them hold.
///
/// The exit status is 0 if nothing failed, 1 if something did, 2 if there was nothing to play.
@Command(
    name = "test",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:No scenario failed.",
      "1:A scenario failed.",
      "2:There was nothing to play, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Plays Scenario files on a simulated cluster, with the planner that ships and on virtual"
            + " time, and judges what comes of them. JSON or YAML, one or many documents a file;"
            + " folders with all that is in them.")
final class TestScenarios implements Callable<Integer> {
  private static final int NOTHING_TO_PLAY = 2;

  @Parameters(arity = "1..*", paramLabel = "DIR|FILE", description = "Scenario files, or folders.")
  private List<Path> places = List.of();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Writes the verdicts there as JUnit XML.")
  private Optional<Path> report = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Plays the one scenario so named.")
  private String only = "";

  @Option(
      names = "--trace",
      description = "Tells what happened, round by round, and which pods run where in the end.")
  private boolean trace;

  @Option(
      names = "--deviations",
      paramLabel = "FILE",
      description = {
        "Scenarios that are meant to fail, as rows | name | reason | of a Markdown table.",
        "Default: docs/deviations.md, here or where Berth is."
      })
  private Optional<Path> deviations = Optional.empty();

  private final SingleLineOutput out;

  TestScenarios() {
    this(System.out);
  }

  TestScenarios(PrintStream out) {
    this.out = new SingleLineOutput(out);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    var verdicts = new ArrayList<CaseVerdict>();
    try {
      var suite = new Suite(ScenarioProduct.shipyard(), meant(), only, trace);
      suite.play(
          ScenarioFiles.in(places),
          verdict -> {
            verdicts.add(verdict);
            tell(verdict);
          });
      if (report.isPresent()) {
        JUnitXml.write(report.get(), verdicts);
      }
    } catch (ScenarioException | IOException | UncheckedIOException wrong) {
      SingleLineOutput.wrong(wrong);
      return NOTHING_TO_PLAY;
    }
    if (verdicts.isEmpty()) {
      SingleLineOutput.errors()
          .say(
              "there is no scenario"
                  + (only.isEmpty() ? "" : " " + only)
                  + " in "
                  + String.join(", ", places.stream().map(Path::toString).toList())
                  + (only.isEmpty()
                      ? ""
                      : "; --only takes the name of a scenario (kind: Scenario, metadata.name), not"
                          + " of its file"));
    }
    long failed = count(verdicts, CaseVerdict.Outcome.FAILED);
    out.println(
        count(verdicts, CaseVerdict.Outcome.PASSED)
            + " passed, "
            + failed
            + " failed, "
            + count(verdicts, CaseVerdict.Outcome.DEVIATION)
            + " deviations");
    return verdicts.isEmpty() ? NOTHING_TO_PLAY : failed == 0 ? 0 : 1;
  }

  private static long count(List<CaseVerdict> verdicts, CaseVerdict.Outcome outcome) {
    return verdicts.stream().filter(verdict -> verdict.outcome() == outcome).count();
  }

  private Deviations meant() {
    if (deviations.isPresent()) {
      return Deviations.read(deviations.get());
    }
    for (String root : List.of(".", System.getProperty("berth.home", "."))) {
      Path file = Path.of(root, "docs", "deviations.md");
      if (Files.exists(file)) {
        return Deviations.read(file);
      }
    }
    return Deviations.NONE;
  }

  private void tell(CaseVerdict verdict) {
    boolean named = !verdict.name().equals(verdict.file());
    String title = verdict.name() + (named ? " (" + verdict.file() + ")" : "");
    if (!verdict.story().isEmpty()) {
      out.println(title);
      verdict.story().forEach(line -> out.println(line.isEmpty() ? "" : "  " + line));
      out.println();
    }
    switch (verdict.outcome()) {
      case PASSED -> {
        if (!verdict.deviation().isEmpty()) {
          out.println("passed: " + title + ", though it is listed as a deviation: take it off");
        }
      }
      case FAILED -> {
        out.println("FAILED: " + title);
        verdict.unmet().forEach(line -> out.println("  " + line));
      }
      case DEVIATION -> out.println("deviates: " + title + ": " + verdict.deviation());
    }
  }
}
