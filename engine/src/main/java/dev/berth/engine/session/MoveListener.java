package dev.berth.engine.session;

/// Keeps count of which pod is where.
public interface MoveListener {
  /// A seat leaves a spot, or takes one, on a node that is on the map.
  ///
  /// @param by +1 or -1
  void moved(MemberState seat, int node, int by);
}
