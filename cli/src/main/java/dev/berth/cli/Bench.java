package dev.berth.cli;

import dev.berth.cli.bench.ForecastBench;
import dev.berth.cli.bench.PlannerBench;
import dev.berth.cli.bench.Stopwatch;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/// `berth bench`: what Berth costs on this machine, and how well it packs.
///
/// Benchmarks beside peers are a module that the product does not contain: the launcher builds and
/// starts it. They are listed here, so that the help names all of them.
@Command(
    name = "bench",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {"2:No benchmark was named, or an option is wrong."},
    mixinStandardHelpOptions = true,
    description = {
      "Measures Berth on this machine and prints what it saw beside its goals.",
      "A goal that is missed fails no command."
    },
    subcommands = {
      Bench.OfPlanner.class,
      Bench.OfForecasts.class,
      Bench.OfPacking.class,
      Bench.OfStock.class,
      Bench.OfChurn.class
    })
final class Bench {
  private Bench() {}

  /// A benchmark that another module has.
  abstract static class Elsewhere implements Callable<Integer> {
    private final String name;

    @Unmatched private List<String> options = new ArrayList<>(); // for the other module

    private Elsewhere(String name) {
      this.name = name;
    }

    @Override
    public Integer call() {
      System.err.println(
          "berth bench "
              + name
              + " is in the source tree alone: run ./berth bench "
              + String.join(" ", Stream.concat(Stream.of(name), options.stream()).toList()));
      return ExitCode.USAGE;
    }
  }

  /// `berth bench packing`.
  @Command(
      name = "packing",
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {"2:It is in the source tree alone; the message names the command."},
      description = "GPUs allocated as pods keep coming, beside published rules.")
  static final class OfPacking extends Elsewhere {
    OfPacking() {
      super("packing");
    }
  }

  /// `berth bench stock`.
  @Command(
      name = "stock",
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {"2:It is in the source tree alone; the message names the command."},
      description = "The same, as a stock kube-scheduler applies it to an extender.")
  static final class OfStock extends Elsewhere {
    OfStock() {
      super("stock");
    }
  }

  /// `berth bench churn`.
  @Command(
      name = "churn",
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {"2:It is in the source tree alone; the message names the command."},
      description = "Pods come and go: how much of what is offered is accepted?")
  static final class OfChurn extends Elsewhere {
    OfChurn() {
      super("churn");
    }
  }

  /// `berth bench planner`.
  @Command(
      name = "planner",
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {
        "0:It was measured, whether the goals were met or not.",
        ExitStatus.WRONG_OPTIONS
      },
      mixinStandardHelpOptions = true,
      description = "Times plans: verdicts, reclaim, moves, full clusters, replays.")
  static final class OfPlanner implements Callable<Integer> {
    @Option(names = "--quick", description = "Five repetitions instead of thirty.")
    private boolean quick;

    @Option(names = "--only", paramLabel = "WORDS", description = "Cases with this in their name.")
    private Optional<String> only = Optional.empty();

    @Option(
        names = "--traces",
        paramLabel = "DIR",
        description = "Published traces; default: ../shared/traces beside Berth's sources.")
    private Optional<Path> traces = Optional.empty();

    private final PrintStream out = System.out;

    @Override
    public Integer call() {
      if (System.getenv("BERTH_LOG") == null) {
        System.setProperty("BERTH_LOG", "WARN"); // else lines of the cycle stand in the table
      }
      var home = Path.of(System.getProperty("berth.home", "."));
      var bench =
          new PlannerBench(
              new Stopwatch(out, quick ? 5 : 30),
              only,
              traces.orElse(home.resolve("../shared/traces")));
      if (bench.chosen().isEmpty()) {
        System.err.println(
            "berth: --only is \""
                + only.orElse("")
                + "\", but no case has that in its name. Cases are:\n  "
                + String.join("\n  ", bench.names()));
        return ExitCode.USAGE;
      }
      bench.run();
      return ExitCode.OK;
    }
  }

  /// `berth bench eta`.
  @Command(
      name = "eta",
      exitCodeListHeading = ExitStatus.HEADING,
      exitCodeList = {"0:It was measured.", ExitStatus.WRONG_OPTIONS},
      mixinStandardHelpOptions = true,
      description = "Whether forecasts of starts hold, on replays of published traces.")
  static final class OfForecasts implements Callable<Integer> {
    @Option(
        names = "--traces",
        paramLabel = "DIR",
        description = "Published traces; default: ../shared/traces beside Berth's sources.")
    private Optional<Path> traces = Optional.empty();

    @Override
    public Integer call() {
      var home = Path.of(System.getProperty("berth.home", "."));
      new ForecastBench(System.out, System.err, traces.orElse(home.resolve("../shared/traces")))
          .run();
      return ExitCode.OK;
    }
  }
}
