package dev.berth.cli;

import dev.berth.cli.projects.ProjectCluster;
import dev.berth.cli.projects.ProjectSet;
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

/// `berth project`: manifests of projects.
@Command(
    name = "project",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:The manifests were printed.",
      "2:They were not: an option or a project is wrong, or the cluster or a file cannot be read."
    },
    mixinStandardHelpOptions = true,
    description =
        "Prints the queues, namespaces, rights and quotas of projects, for kubectl apply"
            + " --server-side -f -. Tells on stderr what is hardly meant, and which commands remove"
            + " what former versions made. Changes nothing.")
final class ProjectCommand implements Callable<Integer> {
  @Option(
      names = {"-f", "--filename"},
      paramLabel = "FILE",
      arity = "1..*",
      required = true,
      description = "Projects: YAML or JSON, several documents, or a folder of such files.")
  private List<Path> files = List.of();

  @Mixin private ManifestOutput output = new ManifestOutput();
  @Mixin private ClusterOptions running = new ClusterOptions();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ProjectCommand() {
    this(System.out, System.err);
  }

  ProjectCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    QuietLogging.log();
    try {
      var cluster = cluster();
      var projects = ProjectSet.read(files, cluster);
      projects.warnings().forEach(errors::say);
      output.print(projects.manifests(), out);
      tell(
          "the manifests leave these namespaces out (createNamespaces). Label them:",
          projects.labelling());
      tell(
          "after kubectl apply, what former versions of these projects made goes by:",
          projects.pruning(cluster));
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }

  private void tell(String sentence, List<String> commands) {
    if (!commands.isEmpty()) {
      errors.say(sentence);
      commands.forEach(command -> errors.println("  " + command));
    }
  }

  /// The cluster is read only where an option names it: manifests are often made where there is
  /// none.
  private Optional<ProjectCluster> cluster() throws ScenarioException {
    if (!running.areGiven()) {
      return Optional.empty();
    }
    try (var cluster = running.open()) {
      return Optional.of(ProjectCluster.read(new ApiReads(cluster), cluster.server()));
    } catch (ClientException failed) {
      throw new ScenarioException(List.of(String.valueOf(failed.getMessage())));
    }
  }
}
