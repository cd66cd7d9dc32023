package dev.berth.cli;

import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.controllers.cycle.Cycle;
import dev.berth.engine.PlannerSettings;
import dev.berth.simulator.chaos.ChaosRun;
import dev.berth.simulator.chaos.InvariantViolation;
import dev.berth.simulator.scenario.Judge;
import dev.berth.simulator.scenario.RunReport;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth simulate`: plays a scenario and tells what happens.
@Command(
    name = "simulate",
    exitCodeListHeading = ExitStatus.HEADING,
    exitCodeList = {
      "0:All came as the files expect, or the seed broke no invariant.",
      "1:Something did not, or it broke one.",
      "2:A file cannot be read or has nothing to play, or an option is wrong."
    },
    mixinStandardHelpOptions = true,
    description =
        "Plays a Scenario file on a simulated cluster, on virtual time, and tells what happens:"
            + " which workloads start in each round and for which pods others leave, and which pods"
            + " run where in the end.")
final class Simulate implements Callable<Integer> {
  /// One of the two.
  private static final class What {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Scenarios, JSON or YAML.")
    private List<Path> places = List.of();

    @Option(
        names = "--seed",
        paramLabel = "N",
        description = "Replays a seed of berth chaos instead; with --trace event by event.")
    private Optional<Long> seed = Optional.empty();
  }

  @ArgGroup(multiplicity = "1")
  private What what = new What();

  @Option(
      names = "--trace",
      description = "Tells also on which shared devices, and after each round why others wait.")
  private boolean trace;

  @Option(
      names = "--decision-log",
      paramLabel = "FOLDER",
      description = "Logs all plans there, to be made again by berth replay.")
  private Optional<Path> log = Optional.empty();

  private final SingleLineOutput out;
  private final SingleLineOutput errors = SingleLineOutput.errors();

  Simulate() {
    this(System.out);
  }

  Simulate(PrintStream out) {
    this.out = new SingleLineOutput(out);
  }

  @Override
  public Integer call() {
    if (log.isEmpty()) {
      return play(Wiring::policy);
    }
    try (var files = new DirectLog(new DecisionFolder(log.get(), Long.MAX_VALUE))) {
      return play(settings -> Wiring.policy(settings, files.ofPlanner()));
    } catch (IOException | UncheckedIOException failed) {
      SingleLineOutput.errors()
          .say("--decision-log " + log.get() + " cannot be written: " + failed);
      return 2;
    }
  }

  private int play(Function<PlannerSettings, Cycle.PlanningPolicy> policies) {
    if (what.seed.isPresent()) {
      return replay(what.seed.get(), policies);
    }
    QuietLogging.log();
    var shipyard = ScenarioProduct.shipyard(policies);
    boolean isAsExpected = true;
    boolean isAny = false;
    try {
      for (Path file : ScenarioFiles.in(what.places)) {
        var found = ScenarioFiles.read(file);
        for (var scenario : found.all()) {
          ClusterReading.warn(scenario, errors);
          var ending = ScenarioRun.play(scenario, shipyard);
          out.println(scenario.name());
          RunReport.of(ending, trace)
              .forEach(line -> out.println(line.isEmpty() ? "" : "  " + line));
          var unmet = Judge.unmet(ending);
          unmet.forEach(line -> out.println("  Not as expected: " + line));
          isAsExpected &= unmet.isEmpty();
          isAny = true;
          out.println();
        }
        if (!found.wrong().isEmpty()) {
          throw new ScenarioException(
              found.wrong().lines().map(line -> file + ": " + line).toList());
        }
      }
      if (!isAny) {
        throw new ScenarioException(
            what.places.stream()
                .map(place -> place + ": there is no scenario, and no object of a cluster")
                .toList());
      }
      return isAsExpected ? 0 : 1;
    } catch (ScenarioException wrong) {
      SingleLineOutput.wrong(wrong);
      return 2;
    }
  }

  private int replay(long number, Function<PlannerSettings, Cycle.PlanningPolicy> policies) {
    try {
      var log =
          ChaosRun.run(
              number,
              SimulatedReplica.replicaFactory(policies),
              line -> {
                if (trace) {
                  out.println(line);
                }
              });
      out.println("seed " + number + ": no rule is broken in " + log.steps() + " events");
      return 0;
    } catch (InvariantViolation broken) {
      String.valueOf(broken.getMessage()).lines().forEach(out::println);
      return 1;
    }
  }
}
