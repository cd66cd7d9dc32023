package dev.berth.cli;

import dev.berth.engine.explain.Phrases;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioException;
import dev.berth.simulator.world.ObjectTree;
import java.util.List;
import java.util.TreeSet;

/// A namespace that a command line names.
final class NamedNamespace {
  private static final int FEW = 10; // that one message names

  private NamedNamespace() {}

  /// Where no Namespace was read (a user may not list them, a file may hold none), that there is
  /// none of this name is not known: then only what was read is told of.
  ///
  /// @param errors where that is told
  /// @throws ScenarioException there is none of this name; it says which there are
  static void check(Scenario cluster, String name, SingleLineOutput errors)
      throws ScenarioException {
    var names = new TreeSet<String>();
    boolean areKnown = false;
    for (var items : List.of(cluster.objects(), cluster.ignored())) {
      for (var item : items) {
        boolean isOne = item.kind().equals("Namespace");
        areKnown |= isOne;
        names.add(
            isOne
                ? ObjectTree.name(item.object())
                : ObjectTree.text(item.object(), "metadata", "namespace"));
      }
    }
    names.remove("");
    if (names.contains(name)) {
      return;
    }
    String hint = Spelling.hint(name, names);
    String there = names.isEmpty() ? "" : "; there are " + Phrases.first(List.copyOf(names), FEW);
    if (areKnown) {
      throw new ScenarioException(List.of("there is no namespace " + name + hint + there));
    }
    errors.say("nothing that was read is of namespace " + name + hint + there);
  }
}
