package dev.berth.cli.cases;

import java.time.Duration;
import java.util.List;

/// What one scenario came to.
///
/// @param name of the scenario; of a file that cannot be read, the file
/// @param unmet what is not as expected; empty = it holds
/// @param deviation why it is meant to fail; empty = it is not
/// @param story what happened, where it was asked for
/// @param took on the wall clock
public record CaseVerdict(
    String name,
    String file,
    List<String> unmet,
    String deviation,
    List<String> story,
    Duration took) {
  public CaseVerdict {
    unmet = List.copyOf(unmet);
    story = List.copyOf(story);
  }

  public enum Outcome {
    PASSED,
    FAILED,
    DEVIATION
  }

  public Outcome outcome() {
    if (unmet.isEmpty()) {
      return Outcome.PASSED;
    }
    return deviation.isEmpty() ? Outcome.FAILED : Outcome.DEVIATION;
  }
}
