package dev.berth.cli;

import dev.berth.simulator.scenario.Judge;
import dev.berth.simulator.scenario.Product;
import dev.berth.simulator.scenario.Rehearsal;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `berth test`: plays scenarios and says which of them hold.
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = "Plays Scenario files on a simulated cluster and judges what comes of them.")
final class Test implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "DIR|FILE", description = "Scenarios, JSON or YAML.")
  private List<Path> places = List.of();

  @Option(names = "--only", description = "Plays the scenario of this name alone.")
  private Optional<String> only = Optional.empty();

  @Override
  public Integer call() throws ScenarioException {
    Quiet.log();
    var shipyard = Rehearsed.shipyard();
    int passed = 0;
    int failed = 0;
    for (Path file : ScenarioFiles.in(places)) {
      var found = ScenarioFiles.read(file);
      for (Scenario scenario : found.scenarios()) {
        if (only.isPresent() && !only.get().equals(scenario.name())) {
          continue;
        }
        var unmet = unmet(scenario, shipyard);
        if (unmet.isEmpty()) {
          passed++;
        } else {
          failed++;
          System.out.println("FAILED " + scenario.name() + " (" + scenario.file() + ")");
          unmet.forEach(line -> System.out.println("  " + line));
        }
      }
      if (!found.wrong().isEmpty()) {
        failed++;
        System.out.println("FAILED " + found.file());
        found.wrong().lines().forEach(line -> System.out.println("  " + line));
      }
    }
    System.out.println(passed + " passed, " + failed + " failed, 0 deviations");
    return failed == 0 ? 0 : 1;
  }

  private static List<String> unmet(Scenario scenario, Product.Shipyard shipyard) {
    try {
      return Judge.unmet(Rehearsal.play(scenario, shipyard));
    } catch (ScenarioException wrong) {
      return new ArrayList<>(String.valueOf(wrong.getMessage()).lines().toList());
    }
  }
}
