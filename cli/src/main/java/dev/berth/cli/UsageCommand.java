package dev.berth.cli;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DecisionLogException;
import dev.berth.cli.usage.UsageCsv;
import dev.berth.cli.usage.UsageDimension;
import dev.berth.cli.usage.UsageJson;
import dev.berth.cli.usage.UsageReader;
import dev.berth.cli.usage.UsageText;
import dev.berth.cli.usage.UsageWindow;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth usage`: GPU-hours from a decision log.
@Command(
    name = "usage",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:The sums were printed.",
      "2:They were not: an option is wrong, or the log cannot be read."
    },
    mixinStandardHelpOptions = true,
    description =
        "Adds up the GPU-hours of a decision log, by queue, namespace, workload and more: held"
            + " within quota and beyond, evicted, waited for. Tells the times of which the log says"
            + " nothing.")
final class UsageCommand implements Callable<Integer> {
  enum Format {
    table,
    csv,
    json
  }

  @Parameters(
      paramLabel = "LOG",
      description = "A folder with files decisions-*.log.gz, or one such file.")
  private Path log = Path.of("");

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "From when on: a day (from midnight in UTC) or a time (RFC 3339).")
  private Optional<String> from = Optional.empty();

  @Option(
      names = "--to",
      paramLabel = "TIME",
      description = "Up to when, which itself does not count: a day or a time, as above.")
  private Optional<String> to = Optional.empty();

  @Option(
      names = "--by",
      paramLabel = "WHAT",
      defaultValue = "queue",
      description =
          "One or several, with commas between them: queue, namespace, workload, pool, model, day,"
              + " hour, label:KEY (${DEFAULT-VALUE}).")
  private String by = "queue";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE}).")
  private Format format = Format.table;

  private final PrintStream raw;
  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  UsageCommand() {
    this(System.out, System.err);
  }

  UsageCommand(PrintStream out, PrintStream errors) {
    this.raw = out;
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    try {
      QuietLogging.log();
      var report =
          UsageReader.read(
              DecisionFolder.files(log), UsageWindow.parse(from, to), UsageDimension.parse(by));
      switch (format) {
        case table -> {
          out.println(UsageText.span(report));
          out.println();
          UsageText.lines(report).forEach(out::println);
        }
        case csv -> raw.print(UsageCsv.text(report));
        case json -> UsageJson.lines(report).forEach(out::println);
      }
      UsageText.notes(report).forEach(errors::say);
      return 0;
    } catch (DecisionLogException wrong) {
      errors.tell(wrong);
    } catch (IOException unreadable) {
      errors.say(log + " cannot be read: " + unreadable);
    }
    return 2;
  }
}
