package dev.berth.extender.wire;

import dev.berth.engine.model.NodeName;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// The nodes that a question is about, in its order. Immutable.
public final class NodeNames {
  private final KnownName[] entries;

  NodeNames(KnownName[] entries) {
    this.entries = entries;
  }

  public static NodeNames of(List<NodeName> names) {
    return new NodeNames(names.stream().map(KnownName::new).toArray(KnownName[]::new));
  }

  public int size() {
    return entries.length;
  }

  public NodeName name(int i) {
    return entries[i].node;
  }

  byte[] quoted(int i) {
    return entries[i].quoted;
  }

  /// Where a node is among them; -1 where it is not.
  public int indexOf(NodeName node) {
    for (int i = 0; i < entries.length; i++) {
      if (entries[i].node.equals(node)) {
        return i;
      }
    }
    return -1;
  }

  /// The same as a list: a view, not a copy.
  public List<NodeName> list() {
    return new View();
  }

  private final class View extends AbstractList<NodeName> implements RandomAccess {
    @Override
    public NodeName get(int index) {
      return entries[index].node;
    }

    @Override
    public int size() {
      return entries.length;
    }
  }
}
