package dev.berth.bench.peers;

import dev.berth.bench.cluster.Cluster;

/// A published rule: how good a node is for a pod, and which of its GPUs the pod gets there.
public interface Scorer {
  /// A node that has room, as an integer: larger is better.
  int score(Cluster cluster, int n, int k);

  /// The GPUs that a pod gets on a node that has room, as bits.
  default int gpus(Cluster cluster, int n, int k) {
    return cluster.fullest(n, cluster.asks().get(k));
  }

  /// Whether scores are stretched over the nodes that have room before they are compared.
  default boolean stretches() {
    return false;
  }
}
