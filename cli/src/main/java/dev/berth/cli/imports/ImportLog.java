package dev.berth.cli.imports;

import dev.berth.simulator.scenario.ScenarioException;
import java.util.ArrayList;
import java.util.List;

/// What an import has to say beside the manifests: what has no counterpart, and what is wrong.
final class ImportLog {
  private final List<String> notes = new ArrayList<>();
  private final List<String> wrongs = new ArrayList<>();

  /// Tells of an object or one of its fields.
  void note(String object, String sentence) {
    note(object + ": " + sentence);
  }

  /// Tells of the import as a whole.
  void note(String sentence) {
    notes.add(sentence);
  }

  void wrong(String sentence) {
    wrongs.add(sentence);
  }

  boolean isWrong() {
    return !wrongs.isEmpty();
  }

  /// @throws ScenarioException with all that is wrong
  List<String> notes() throws ScenarioException {
    if (isWrong()) {
      throw new ScenarioException(wrongs);
    }
    return List.copyOf(notes);
  }
}
