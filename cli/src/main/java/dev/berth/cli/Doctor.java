package dev.berth.cli;

import dev.berth.cli.doctor.ClusterLook;
import dev.berth.cli.doctor.Report;
import dev.berth.cli.doctor.ReportJson;
import dev.berth.cli.doctor.ReportText;
import dev.berth.controllers.client.ClientException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth doctor`: what will work on a cluster, what is proven, what is wrong and the way out.
///
/// The exit status is 0 without errors, 1 with errors, 2 if the cluster could not be looked at.
@Command(
    name = "doctor",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:No errors were found.",
      "1:Errors were found.",
      "2:The cluster could not be looked at, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Reads a cluster and says what of Berth works there, what is wrong and the way out. Changes"
            + " nothing.")
final class Doctor implements Callable<Integer> {
  @Mixin private ClusterOptions running = new ClusterOptions();

  @Option(
      names = "--preflight",
      description = "Before an install: says whether Berth can be installed.")
  private boolean preflight;

  @Option(
      names = "--scheduler-config",
      paramLabel = "FILE",
      description =
          "kube-scheduler's configuration. Default: ConfigMap berth-system/berth-scheduler.")
  private Optional<Path> schedulerConfig = Optional.empty();

  @Option(names = "--json", description = "JSON, as docs/operators/doctor.md describes it.")
  private boolean json;

  @Override
  public Integer call() {
    QuietLogging.log();
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (var cluster = running.open()) {
      var facts = new ClusterLook(cluster, InstantSource.system()).read(preflight, schedulerConfig);
      var report = Report.of(facts);
      out.print(json ? ReportJson.text(report) : new ReportText(report, colours()).text());
      return report.exitStatus();
    } catch (ClientException failed) {
      String why = String.valueOf(failed.getMessage());
      if (json) {
        out.print(ReportJson.failure(why));
      } else {
        SingleLineOutput.errors().say(why);
      }
      return Report.UNREADABLE;
    }
  }

  /// Only a person at a terminal, and not where NO_COLOR is set.
  private static boolean colours() {
    var console = System.console();
    return console != null && console.isTerminal() && System.getenv("NO_COLOR") == null;
  }
}
