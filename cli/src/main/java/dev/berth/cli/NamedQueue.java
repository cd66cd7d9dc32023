package dev.berth.cli;

import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.scenario.ScenarioException;
import java.util.List;

/// A queue that a command line names.
final class NamedQueue {
  private NamedQueue() {}

  /// @throws ScenarioException there is none; it says which there are
  static Queue of(Snapshot cluster, String name) throws ScenarioException {
    return cluster.queue(new QueueName(name)).orElseThrow(() -> unknown(cluster, name));
  }

  static ScenarioException unknown(Snapshot cluster, String name) {
    var names = cluster.queues().stream().map(queue -> queue.name().value()).toList();
    return new ScenarioException(
        List.of(
            ("there is no queue " + name + Spelling.hint(name, names))
                + (names.isEmpty()
                    ? "; there is no Queue at all"
                    : "; there are " + String.join(", ", names))));
  }
}
