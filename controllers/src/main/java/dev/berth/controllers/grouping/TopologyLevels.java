package dev.berth.controllers.grouping;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Topology;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// Native PodGroups name a node label where Berth's name a Topology and one of its levels: the
/// first Topology that has it as a level is meant.
final class TopologyLevels {
  private TopologyLevels() {}

  static GroupSpec named(GroupSpec spec, LedgerReader ledger, Instant now) {
    String label = spec.topology().required();
    if (!spec.topology().topology().isEmpty() || label.isEmpty()) {
      return spec;
    }
    var topology = withLevel(ledger, now, label);
    var problems = new ArrayList<>(spec.problems());
    if (topology.isEmpty()) {
      problems.add(
          new Problem(
              "spec.schedulingConstraints.topology[0].key",
              label,
              "no Topology object has a level of this node label. Make one that has."));
    }
    return spec.withTopology(
        topology.map(found -> new TopologyAsk(found.name(), label, "")).orElse(TopologyAsk.NONE),
        problems);
  }

  private static Optional<Topology> withLevel(LedgerReader ledger, Instant now, String label) {
    return ledger.snapshot(now).topologies().stream()
        .filter(topology ->
            topology.levels().stream().anyMatch(level -> level.nodeLabel().equals(label)))
        .findFirst();
  }
}
