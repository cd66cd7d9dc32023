package dev.berth.cli.demo;

import dev.berth.cli.demo.Scene.Stage;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A pod on devices of a node.
///
/// @param wholes whole devices that it takes; its shares are in the placement
record Occupant(
    PodUid uid, QueueName queue, Instant created, Placement placement, int wholes, Stage stage) {

  /// Pods with devices by node, in the order of groups and members.
  static TreeMap<NodeName, List<Occupant>> byNode(Snapshot snapshot) {
    var byNode = new TreeMap<NodeName, List<Occupant>>();
    for (var group : snapshot.groups()) {
      for (var member : group.members()) {
        var pod = member.pod();
        var devices = pod.asks().request().devices();
        int wholes = devices.isShare() ? 0 : devices.count();
        located(member.standing())
            .map(at ->
                new Occupant(
                    pod.uid(), group.queue(), pod.created(), at.placement(), wholes, at.stage()))
            .filter(one -> one.wholes > 0 || !one.placement.slots().isEmpty())
            .ifPresent(one ->
                byNode.computeIfAbsent(one.placement.node(), _ -> new ArrayList<>()).add(one));
      }
    }
    return byNode;
  }

  private record Located(Placement placement, Stage stage) {}

  private static Optional<Located> located(Standing standing) {
    return switch (standing) {
      case Standing.Bound(var placement) -> Optional.of(new Located(placement, Stage.THERE));
      case Standing.Leaving(var placement, _, _) ->
          Optional.of(new Located(placement, Stage.LEAVING));
      case Standing.Planned(var plan, _) ->
          Optional.of(new Located(plan.placement(), Stage.COMING));
      case Standing.Waiting(), Standing.Awaited _, Standing.Over _ -> Optional.empty();
    };
  }
}
