package dev.berth.cli;

import dev.berth.cli.imports.ForeignObjects;
import dev.berth.cli.imports.ImportCluster;
import dev.berth.cli.imports.ImportFiles;
import dev.berth.cli.imports.OtherScheduler;
import dev.berth.cli.imports.QueueImport;
import dev.berth.controllers.client.ClientException;
import dev.berth.controllers.kube.ApiReads;
import dev.berth.simulator.scenario.ScenarioException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth import`: queues of another scheduler as manifests of Berth's Queues.
@Command(
    name = "import",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:The queues were printed.",
      "2:They were not: an option is wrong, or the cluster or a file cannot be read."
    },
    mixinStandardHelpOptions = true,
    description =
        "Prints the queues of another scheduler as Queues of Berth, for kubectl apply -f -. Tells"
            + " on stderr what has no counterpart. Changes nothing.")
final class ImportCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "SCHEDULER",
      description = "The other scheduler: ${COMPLETION-CANDIDATES}.")
  private OtherScheduler from = OtherScheduler.kai;

  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      description =
          "Manifests of its queues, or what kubectl get -o yaml wrote, or a folder of such files,"
              + " in the place of a cluster that runs.")
  private Optional<Path> file = Optional.empty();

  @Mixin private ClusterOptions running = new ClusterOptions();

  @Mixin private ManifestOutput output = new ManifestOutput();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ImportCommand() {
    this(System.out, System.err);
  }

  ImportCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try {
      var queues = QueueImport.of(objects());
      queues.notes().forEach(errors::println);
      output.print(queues.manifests(), out);
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private ForeignObjects objects() throws ScenarioException {
    if (file.isPresent()) {
      if (running.areGiven()) {
        throw new ScenarioException(List.of(ClusterOptions.andAFile("--filename")));
      }
      return ImportFiles.read(file.get(), from);
    }
    try (var cluster = running.open()) {
      var found = ImportCluster.read(new ApiReads(cluster), from, cluster.server());
      found.leftOut().forEach(errors::say);
      return found.objects();
    } catch (ClientException failed) {
      throw new ScenarioException(List.of(String.valueOf(failed.getMessage())));
    }
  }
}
