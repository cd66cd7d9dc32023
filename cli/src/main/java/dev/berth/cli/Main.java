package dev.berth.cli;

import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.ParameterException;

/// `berth`: says what the commands are, when none is asked for.
@Command(
    name = "berth",
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
      ImportCommand.class,
      OfferCommand.class,
      QueuesCommand.class,
      ReceiptCommand.class,
      ReplayCommand.class,
      Serve.class,
      Simulate.class,
      Chaos.class,
      TestScenarios.class,
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
      return tell.handleParseException(
          message.contains(STUTTER)
              ? new ParameterException(
                  problem.getCommandLine(), message.replace(STUTTER, " option "))
              : problem,
          arguments);
    });
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
