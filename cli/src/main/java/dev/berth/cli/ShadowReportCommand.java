package dev.berth.cli;

import dev.berth.cli.counterfactual.ShadowJson;
import dev.berth.cli.counterfactual.ShadowText;
import dev.berth.cli.counterfactual.ShadowTrial;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth shadow report`: what was observed, beside what Berth would have done.
@Command(
    name = "report",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:It was told.",
      "2:It was not: the log or the manifests cannot be read, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Tells what happened in a log of berth shadow record, beside what Berth's planner does with"
            + " the same workloads on virtual time: waits, evictions, GPU-hours, packing,"
            + " fairness.")
final class ShadowReportCommand implements Callable<Integer> {
  enum Format {
    table,
    json,
    markdown
  }

  @Parameters(
      paramLabel = "LOG",
      description = "A folder with files decisions-*.log.gz, or one such file.")
  private Path log = Path.of("");

  @Option(
      names = "--with",
      paramLabel = "FILE",
      description =
          "Manifests of Queues of Berth. Default: those in the log. A queue that workloads name and"
              + " that is nowhere has no limit.")
  private Optional<Path> with = Optional.empty();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "Format: ${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.table;

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ShadowReportCommand() {
    this(System.out, System.err);
  }

  ShadowReportCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try {
      var trial = ShadowTrial.of(DecisionFolder.files(log), with);
      var lines =
          switch (format) {
            case table -> ShadowText.lines(trial);
            case json -> ShadowJson.lines(trial);
            case markdown -> ShadowText.markdown(trial);
          };
      lines.forEach(out::println);
      return 0;
    } catch (DecisionLogException wrong) {
      errors.tell(wrong);
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
    } catch (IOException unreadable) {
      errors.say(log + " cannot be read: " + unreadable);
    }
    return 2;
  }
}
