package dev.berth.engine.session;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Spelling;
import dev.berth.engine.model.Topology;
import java.util.List;
import java.util.Optional;

/// What is wrong with a group, its queue, its topology or its claims, so that it cannot start at
/// all.
record GroupFlaws(QueueFlaws queues, Snapshot snapshot, ClaimAllocation claims) {
  Optional<Reason> flaw(Group group) {
    return group
        .flaw()
        .or(() -> queues.flaw(group.group()))
        .or(() -> topologyFlaw(group.root()))
        .or(() -> claims.flaw(group));
  }

  private Optional<Reason> topologyFlaw(Role role) {
    var ask = role.topology();
    var topology = snapshot.topology(ask.topology());
    if (!ask.isNone() && topology.isEmpty()) {
      var known = snapshot.topologies().stream().map(Topology::name).toList();
      var near = Spelling.nearest(ask.topology(), known).orElse("");
      return Optional.of(new Reason.NoSuchTopology(ask.topology(), near));
    }
    for (String level : List.of(ask.required(), ask.preferred())) {
      if (!level.isEmpty() && topology.isPresent() && topology.get().indexOf(level) < 0) {
        var known = topology.get().levelNames();
        var near = Spelling.nearest(level, known).orElse("");
        return Optional.of(new Reason.NoSuchTopology(ask.topology(), level, known, near));
      }
    }
    for (Role child : role.children()) {
      var flaw = topologyFlaw(child);
      if (flaw.isPresent()) {
        return flaw;
      }
    }
    return Optional.empty();
  }
}
