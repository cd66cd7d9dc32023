package dev.berth.cli;

import dev.berth.cli.lists.SeenCluster;
import dev.berth.cli.lists.WorkloadList;
import java.io.PrintStream;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `berth workloads`: workloads, and why they wait.
@Command(
    name = "workloads",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.LISTED, ExitStatus.NOT_LISTED},
    mixinStandardHelpOptions = true,
    description =
        "Lists workloads, which are PodGroups and single pods: what runs, what the next plan"
            + " starts, and why the others wait. Changes nothing.")
final class WorkloadsCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();
  @Mixin private ListOutput output = new ListOutput();

  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "Those of this namespace alone. Default: all.")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = {"-q", "--queue"},
      paramLabel = "NAME",
      description = "Those of this queue and of the queues below it alone.")
  private Optional<String> queue = Optional.empty();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  WorkloadsCommand() {
    this(System.out, System.err);
  }

  WorkloadsCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    return output.print(
        () -> {
          var cluster = source.read(namespace, errors);
          if (queue.filter(name -> isUnknown(cluster, name)).isPresent()) {
            throw NamedQueue.unknown(cluster.snapshot(), queue.get());
          }
          return WorkloadList.of(cluster, new WorkloadList.Selection(namespace, queue));
        },
        queue.map(name -> " in queue " + name).orElse("")
            + namespace.map(name -> " in namespace " + name).orElse(""),
        out,
        errors);
  }

  /// Workloads may name a queue that does not exist.
  private static boolean isUnknown(SeenCluster cluster, String queue) {
    return cluster.accounts().queues().stream()
            .noneMatch(each -> each.queue().name().value().equals(queue))
        && cluster.snapshot().groups().stream()
            .noneMatch(each -> each.queue().value().equals(queue));
  }
}
