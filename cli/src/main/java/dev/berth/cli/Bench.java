package dev.berth.cli;

import dev.berth.cli.bench.PlannerBench;
import dev.berth.cli.bench.Stopwatch;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `berth bench`: what Berth costs on this machine.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Measures Berth on this machine. Nothing is judged: it prints what it saw.",
    subcommands = {Bench.OfPlanner.class})
final class Bench {
  private Bench() {}

  /// `berth bench planner`.
  @Command(
      name = "planner",
      mixinStandardHelpOptions = true,
      description = {
        "Times single plans on clusters made in memory: verdicts, reclaim, consolidation, gangs,",
        "and cycles in which nothing or one pod changed."
      })
  static final class OfPlanner implements Runnable {
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
    public void run() {
      var home = Path.of(System.getProperty("berth.home", "."));
      new PlannerBench(
              new Stopwatch(out, quick ? 5 : 30),
              only,
              traces.orElse(home.resolve("../shared/traces")))
          .run();
    }
  }
}
