package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Node;

/// What of a pod's own choice of nodes a spread constraint honors (`nodeAffinityPolicy`,
/// `nodeTaintsPolicy`): the other nodes are in no domain.
///
/// Many constraints honor the same, and each looks it up: the hash is made once.
final class NodeInclusion {
  static final NodeInclusion NOTHING = new NodeInclusion(Constraints.NONE, false);
  private static final int FEW = 4; // expressions, that cost as much as the rest of a look

  private final Constraints by;
  private final boolean taints;
  private final int hash;

  /// @param by selector and affinity that choose, and tolerations that bear; `NONE` = all nodes
  /// @param taints whether taints matter, and cordons with them
  NodeInclusion(Constraints by, boolean taints) {
    this.by = by;
    this.taints = taints;
    hash = by.hashCode() * 31 + Boolean.hashCode(taints);
  }

  boolean isNothing() {
    return !taints && by.equals(Constraints.NONE);
  }

  /// What a look at one node costs, in looks for which nothing is walked: 0 where little is.
  long weight() {
    long walked = (long) by.nodeSelector().size() + by.tolerations().size();
    for (Constraints.Term term : by.required()) {
      walked += term.expressions().size();
    }
    return walked / FEW;
  }

  boolean isOf(Node node) {
    return NodeRules.chooses(by, node)
        && (!taints || !node.unschedulable() && NodeRules.bearsTaints(by, node));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NodeInclusion honored
        && hash == honored.hash
        && taints == honored.taints
        && by.equals(honored.by);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
