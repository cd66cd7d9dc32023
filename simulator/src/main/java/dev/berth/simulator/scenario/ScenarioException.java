package dev.berth.simulator.scenario;

import dev.berth.controllers.crd.Printable;
import java.util.List;

/// A scenario cannot be played as it is written. The message has one line for each wrong.
public final class ScenarioException extends Exception {
  private static final long serialVersionUID = 1;

  public ScenarioException(List<String> wrongs) {
    super(String.join("\n", wrongs.stream().map(Printable::line).toList()));
  }
}
