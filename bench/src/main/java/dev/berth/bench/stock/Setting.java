package dev.berth.bench.stock;

/// What kube-scheduler does between an extender's scores and the node.
///
/// @param samples the search stops at enough nodes with room, and goes on behind them next time
/// @param randomTies one of the best, uniformly; else the first that was found
/// @param levels scores are 0 … this
record Setting(String label, boolean samples, boolean randomTies, int levels) {
  /// How many nodes with room are enough, of so many: the formula of kube-scheduler.
  static int enough(int nodes) {
    return nodes < 100 ? nodes : Math.max(100, nodes * Math.max(50 - nodes / 125, 5) / 100);
  }
}
