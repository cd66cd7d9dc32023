package dev.berth.cli;

import dev.berth.cli.lists.ObjectKind;
import dev.berth.cli.projects.ProjectList;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `berth projects`: projects, what they use, and where their objects do not agree.
@Command(
    name = "projects",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {ExitStatus.LISTED, ExitStatus.NOT_LISTED},
    mixinStandardHelpOptions = true,
    description =
        "Lists projects that berth project made: quota, limit and GPUs in use, workloads that run"
            + " and wait, namespaces, members, and what does not agree. Changes nothing.")
final class ProjectsCommand implements Callable<Integer> {
  @Mixin private ClusterSource source = new ClusterSource();
  @Mixin private ListOutput output = new ListOutput();

  private final SingleLineOutput out;
  private final SingleLineOutput errors;

  ProjectsCommand() {
    this(System.out, System.err);
  }

  ProjectsCommand(PrintStream out, PrintStream errors) {
    this.out = new SingleLineOutput(out);
    this.errors = new SingleLineOutput(errors);
  }

  @Override
  public Integer call() {
    return output.print(
        () -> {
          var read = source.readWith(List.of(ObjectKind.ROLE_BINDING), errors);
          return ProjectList.of(read.scenario(), read.seen());
        },
        out,
        errors);
  }
}
