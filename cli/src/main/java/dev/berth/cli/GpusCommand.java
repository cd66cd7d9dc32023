package dev.berth.cli;

import dev.berth.cli.lists.GpuList;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `berth gpus`: the GPUs of nodes.
@Command(
    name = "gpus",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.LISTED, ExitStatus.NOT_LISTED},
    mixinStandardHelpOptions = true,
    description =
        "Lists nodes with GPUs: how many are free, in use whole, and shared. Changes nothing.")
final class GpusCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();
  @Mixin private ListOutput output = new ListOutput();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  GpusCommand() {
    this(System.out, System.err);
  }

  GpusCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    return output.print(() -> GpuList.of(source.read(errors)), out, errors);
  }
}
