package dev.berth.extender.wire;

import dev.berth.engine.model.NodeName;

/// A name as it is on the wire, quotes included.
final class KnownName {
  final NodeName node;
  final byte[] quoted;
  final int hash;

  /// What followed it last time; itself = nothing yet.
  volatile KnownName successor;

  KnownName(NodeName node) {
    this.node = node;
    this.quoted = Output.quoted(node.value());
    this.hash = hash(quoted, 0, quoted.length);
    this.successor = this;
  }

  /// FNV-1a, its high bits folded into the low ones.
  static int hash(byte[] bytes, int from, int to) {
    int hash = 0x811c9dc5;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x01000193;
    }
    return hash ^ (hash >>> 15);
  }
}
