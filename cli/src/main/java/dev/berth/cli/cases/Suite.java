package dev.berth.cli.cases;

import dev.berth.simulator.scenario.Ending;
import dev.berth.simulator.scenario.Judge;
import dev.berth.simulator.scenario.Product;
import dev.berth.simulator.scenario.RunReport;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.scenario.ScenarioFiles;
import dev.berth.simulator.scenario.ScenarioRun;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/// Plays scenario files, as many at once as there are processors; worlds know nothing of each
/// other. Verdicts come in the order of the files and of the scenarios in them.
public final class Suite {
  private final Product.Factory shipyard;
  private final Deviations deviations;
  private final String only;
  private final boolean stories;

  /// @param only the one scenario that is played; empty = all
  /// @param stories whether verdicts tell what happened
  public Suite(Product.Factory shipyard, Deviations deviations, String only, boolean stories) {
    this.shipyard = shipyard;
    this.deviations = deviations;
    this.only = only;
    this.stories = stories;
  }

  /// Told on the calling thread, one by one.
  public void play(List<Path> files, Consumer<CaseVerdict> told) {
    int threads = Runtime.getRuntime().availableProcessors();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      var verdicts = new ArrayList<Future<List<CaseVerdict>>>();
      for (Path file : files) {
        verdicts.add(pool.submit(() -> play(file)));
      }
      for (var verdict : verdicts) {
        verdict.get().forEach(told);
      }
    } catch (ExecutionException internalError) {
      throw new IllegalStateException(internalError.getCause());
    } catch (InterruptedException enough) {
      Thread.currentThread().interrupt();
    }
  }

  private List<CaseVerdict> play(Path file) {
    var verdicts = new ArrayList<CaseVerdict>();
    var found = ScenarioFiles.read(file);
    for (Scenario scenario : found.scenarios()) {
      if (only.isEmpty() || only.equals(scenario.name())) {
        verdicts.add(play(scenario));
      }
    }
    if (!found.wrong().isEmpty()) {
      var wrong = found.wrong().lines().toList();
      verdicts.add(
          new CaseVerdict(found.file(), found.file(), wrong, "", List.of(), Duration.ZERO));
    }
    return verdicts;
  }

  private static String where(RuntimeException internalError) {
    var trace = internalError.getStackTrace();
    return trace.length == 0 ? "" : " at " + trace[0];
  }

  private CaseVerdict play(Scenario scenario) {
    long began = System.nanoTime();
    List<String> unmet;
    List<String> story = List.of();
    try {
      Ending ending = ScenarioRun.play(scenario, shipyard);
      unmet = Judge.unmet(ending);
      story = stories ? RunReport.of(ending, true) : story;
    } catch (ScenarioException wrong) {
      unmet = String.valueOf(wrong.getMessage()).lines().toList();
    } catch (RuntimeException ours) {
      unmet = List.of("the simulation failed: " + ours + where(ours));
    }
    return new CaseVerdict(
        scenario.name(),
        scenario.file(),
        unmet,
        deviations.reason(scenario.name()),
        story,
        Duration.ofNanos(System.nanoTime() - began));
  }
}
