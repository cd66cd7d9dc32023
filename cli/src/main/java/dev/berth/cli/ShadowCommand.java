package dev.berth.cli;

import picocli.CommandLine.Command;

/// `berth shadow`: what Berth would do in a cluster that other schedulers serve.
@Command(
    name = "shadow",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {"2:No command was named, or an option is wrong."},
    mixinStandardHelpOptions = true,
    description = {
      "Watches a cluster that other schedulers serve, and tells what Berth would have done.",
      "It reads alone: nothing of Berth need be installed there."
    },
    subcommands = {ShadowRecordCommand.class, ShadowReportCommand.class})
final class ShadowCommand {
  private ShadowCommand() {}
}
