package dev.berth.engine.ledger.view;

import dev.berth.engine.model.NodeName;

/// One shared device of a node.
public record SlotKey(NodeName node, int slot) implements Comparable<SlotKey> {
  @Override
  public int compareTo(SlotKey other) {
    int byNode = node.compareTo(other.node);
    return byNode != 0 ? byNode : Integer.compare(slot, other.slot);
  }
}
