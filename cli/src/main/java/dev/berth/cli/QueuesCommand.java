package dev.berth.cli;

import dev.berth.cli.lists.QueueList;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `berth queues`: the tree of queues and their GPUs.
@Command(
    name = "queues",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.LISTED, ExitStatus.NOT_LISTED},
    mixinStandardHelpOptions = true,
    description =
        "Lists queues: quota, limit, fair share and GPUs in use, workloads that run and wait."
            + " Changes nothing.")
final class QueuesCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();
  @Mixin private ListOutput output = new ListOutput();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  QueuesCommand() {
    this(System.out, System.err);
  }

  QueuesCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    return output.print(() -> QueueList.of(source.read(errors)), out, errors);
  }
}
