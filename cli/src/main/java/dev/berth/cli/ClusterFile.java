package dev.berth.cli;

import dev.berth.simulator.scenario.ScenarioException;
import java.nio.file.Path;
import picocli.CommandLine.Parameters;

/// The parameter FILE of commands that ask something of the cluster in it.
final class ClusterFile {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "What kubectl get -o yaml wrote, or a Scenario. It is played until it rests.")
  private Path file = Path.of("");

  /// What is asked of it.
  interface Question {
    void ask(PlayedFile played) throws ScenarioException;
  }

  /// @return the exit status: 0 = it was answered, 2 = not, and the errors say why
  int ask(Question question, SingleLineOutput errors) {
    try {
      question.ask(PlayedFile.of(file));
      return 0;
    } catch (ScenarioException wrong) {
      errors.tell(wrong);
      return 2;
    }
  }
}
