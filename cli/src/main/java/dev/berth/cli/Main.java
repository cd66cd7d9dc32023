package dev.berth.cli;

import dev.berth.controllers.crd.Printable;
import dev.berth.engine.model.Spelling;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// `berth`: says what the commands are, when none is asked for.
@Command(
    name = "berth",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {"0:Help was printed.", "2:There is no such command."},
    description = "GPU shares, gangs, topology and fair queues for a stock kube-scheduler.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    subcommands = {
      Bench.class,
      CompletionCommand.class,
      Demo.class,
      Doctor.class,
      Explain.class,
      GpusCommand.class,
      IdleCommand.class,
      ImportCommand.class,
      OfferCommand.class,
      ProjectCommand.class,
      ProjectsCommand.class,
      QueuesCommand.class,
      ReceiptCommand.class,
      ReplayCommand.class,
      Serve.class,
      ShadowCommand.class,
      Simulate.class,
      Chaos.class,
      TestScenarios.class,
      UsageCommand.class,
      WhatIfCommand.class,
      WorkloadsCommand.class,
      HelpCommand.class
    })
public final class Main implements Runnable {
  private static final String STUTTER = " option option "; // of picocli 4.7

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /// As users type it.
  static CommandLine commandLine() {
    var line = new CommandLine(new Main());
    var tell = line.getParameterExceptionHandler();
    return line.setParameterExceptionHandler((problem, arguments) -> {
      String message = Objects.requireNonNullElse(problem.getMessage(), "");
      if (problem instanceof UnmatchedArgumentException unmatched
          && !unmatched.isUnknownOption()
          && !problem.getCommandLine().getSubcommands().isEmpty()) {
        return noSuchCommand(unmatched);
      }
      return isWrongValue(problem)
          ? wrongValue(problem, message.replace(STUTTER, " option "))
          : tell.handleParseException(problem, arguments);
    });
  }

  /// Of an option that is known: its usage, a screen long, would hide what is wrong.
  private static boolean isWrongValue(ParameterException problem) {
    return problem.getClass().equals(ParameterException.class) && problem.getArgSpec() != null;
  }

  private static int wrongValue(ParameterException problem, String message) {
    var line = problem.getCommandLine();
    line.getErr().println(Printable.line(message));
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }

  /// The library would name each command that shares some letters with the one that was typed.
  private static int noSuchCommand(UnmatchedArgumentException unmatched) {
    var line = unmatched.getCommandLine();
    String typed = unmatched.getUnmatched().getFirst();
    String command = line.getCommandSpec().qualifiedName();
    line.getErr()
        .println(
            ("berth: there is no command " + Printable.line(typed))
                + Spelling.hint(typed, line.getSubcommands().keySet())
                + ("; " + command + " --help lists them"));
    return line.getCommandSpec().exitCodeOnInvalidInput();
  }

  @Override
  public void run() {
    CommandLine.usage(this, System.out);
  }

  /// As the manifest of the jar says; classes that run without a jar have none.
  static final class Version implements IVersionProvider {
    static String number() {
      var version = Optional.ofNullable(Main.class.getPackage().getImplementationVersion());
      return version.orElse("(not packaged)");
    }

    @Override
    public String[] getVersion() {
      return new String[] {"berth " + number()};
    }
  }
}
