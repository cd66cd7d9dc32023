package dev.berth.bench.cluster;

/// What kube-scheduler asks of an extender: scores of the nodes that it found, and then a place on
/// the node that it picked.
public interface Prioritizer {
  /// @param offered nodes that have room
  /// @return a score for each of them, larger is better
  int[] prioritize(int pod, int k, int[] offered);

  /// The place on a node that was offered.
  Policy.Choice bind(int pod, int k, int n);
}
