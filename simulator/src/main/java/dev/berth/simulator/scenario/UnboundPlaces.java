package dev.berth.simulator.scenario;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/// Places that were given and went back without a pod being bound to them: the pod has another one
/// later, or waits at the end. Told is what no later plan tells of.
final class UnboundPlaces {
  private static final int WAITS = Integer.MAX_VALUE;

  /// The last round that gave a place to a pod, or [#WAITS]; looked up only.
  private final Map<PodUid, Integer> last = new HashMap<>();

  /// The last round that withdrew a group's plan, and told so; looked up only.
  private final Map<GroupKey, Integer> withdrawn = new HashMap<>();

  private final OtherPods others;

  UnboundPlaces(Ending ending, OtherPods others) {
    this.others = others;
    for (var round : ending.rounds()) {
      for (var decision : round.plan().decisions()) {
        all(decision).forEach(each -> last.put(each.uid(), round.number()));
        if (decision instanceof Decision.Withdraw withdraw) {
          withdrawn.put(withdraw.group(), round.number());
        }
      }
    }
    for (var group : ending.snapshot().groups()) {
      for (var member : group.members()) {
        if (member.standing() instanceof Standing.Waiting) {
          last.replace(member.pod().uid(), WAITS);
        }
      }
    }
  }

  private static List<Reserved> all(Decision decision) {
    var all = new ArrayList<Reserved>();
    if (decision instanceof Decision.Reserve reserve) {
      all.addAll(reserve.block());
      all.addAll(reserve.surplus());
    }
    return all;
  }

  /// What became of the places of a round that went back; empty where all were taken.
  String words(DecidedCycle round, Decision.Reserve reserve) {
    var pods = new ArrayList<String>();
    var nodes = new TreeSet<String>();
    for (var each : all(reserve)) {
      if (last.getOrDefault(each.uid(), round.number()) > round.number()) {
        pods.add(Names.of(each.pod()));
        nodes.add(each.placement().node().value());
      }
    }
    if (pods.isEmpty()) {
      return "";
    }
    var takers = new ArrayList<String>();
    nodes.forEach(node -> takers.addAll(others.cameTo(node)));
    if (takers.isEmpty() && withdrawn.getOrDefault(reserve.group(), 0) > round.number()) {
      return "";
    }
    return String.join(", ", pods)
        + (takers.isEmpty()
            ? ": given back before a pod was bound"
            : ": " + String.join(", ", takers) + " came to " + String.join(", ", nodes) + " first");
  }
}
