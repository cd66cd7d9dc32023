package dev.berth.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import picocli.CommandLine;

/// A command as users run it, and what it printed.
final class CommandOutput {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /// Runs a command; what it prints follows what others printed.
  ///
  /// @param command made with where it prints, and where its errors go
  /// @return its exit status
  int run(BiFunction<PrintStream, PrintStream, Callable<Integer>> command, String... arguments) {
    return new CommandLine(command.apply(stream(out), stream(err))).execute(arguments);
  }

  private static PrintStream stream(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  String told() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String wrong() {
    return err.toString(StandardCharsets.UTF_8);
  }

  void reset() {
    out.reset();
    err.reset();
  }
}
