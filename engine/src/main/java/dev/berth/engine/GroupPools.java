package dev.berth.engine;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Operator;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// In which node pool nodes and groups are, where a label divides nodes; "" is the pool of those
/// without the label.
public final class GroupPools {
  private final String label;
  private final TreeMap<NodeName, String> poolOf = new TreeMap<>();

  private GroupPools(String label, Snapshot snapshot) {
    this.label = label;
    for (NodeView room : snapshot.nodes()) {
      poolOf.put(room.name(), room.node().labels().getOrDefault(label, ""));
    }
  }

  /// @param label that tells the pool of a node
  public static GroupPools of(String label, Snapshot snapshot) {
    return new GroupPools(label, snapshot);
  }

  /// The pool that its nodes are in; of a group that has none yet, the pool that it selects.
  public String of(PodGroup group) {
    return home(group).orElseGet(() -> selected(group));
  }

  /// Pools that have a node, in order.
  public SortedSet<String> names() {
    return new TreeSet<>(poolOf.values());
  }

  /// Empty for a node that is not there.
  public Optional<String> of(NodeName node) {
    return Optional.ofNullable(poolOf.get(node));
  }

  /// The pool of the nodes on which its members are, or are to be.
  Optional<String> home(PodGroup group) {
    for (Member member : group.members()) {
      var node =
          switch (member.standing()) {
            case Standing.Planned(var plan, _) -> plan.placement().node();
            case Standing.Bound(var placement) -> placement.node();
            case Standing.Leaving(_, var again, _) -> again.node();
            case Standing.Awaited(var again) -> again.node();
            case Standing.Waiting _, Standing.Over _ -> NodeName.NONE;
          };
      var pool = of(node);
      if (pool.isPresent()) {
        return pool;
      }
    }
    return Optional.empty();
  }

  /// The pool of its first member that waits; where none does, that which the first one leaves.
  String selected(PodGroup group) {
    String left = "";
    for (Member member : group.members()) {
      if (member.standing() instanceof Standing.Waiting) {
        return selected(member);
      }
      if (left.isEmpty() && member.standing() instanceof Standing.Leaving(var from, _, _)) {
        left = of(from.node()).orElse("");
      }
    }
    return left;
  }

  /// The pool that a member selects; "" where it selects none.
  String selected(Member member) {
    var constraints = member.pod().asks().constraints();
    return constraints.nodeSelector().getOrDefault(label, required(constraints));
  }

  /// The one value that every term of a node affinity demands; empty where there is none.
  private String required(Constraints constraints) {
    String only = "";
    for (var term : constraints.required()) {
      String demanded = "";
      for (var expression : term.expressions()) {
        boolean tells =
            !expression.field()
                && expression.key().equals(label)
                && expression.operator() == Operator.IN
                && expression.values().size() == 1;
        demanded = tells ? expression.values().getFirst() : demanded;
      }
      if (demanded.isEmpty() || !only.isEmpty() && !only.equals(demanded)) {
        return "";
      }
      only = demanded;
    }
    return only;
  }
}
