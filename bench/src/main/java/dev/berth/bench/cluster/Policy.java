package dev.berth.bench.cluster;

/// Decides where one pod goes. It sees pods one by one and never the next one.
public interface Policy {
  /// Where a pod goes: a node and GPUs as bits; `NOWHERE` = refused.
  record Choice(int node, int mask) {
    public static final Choice NOWHERE = new Choice(-1, 0);

    public boolean isNowhere() {
      return node < 0;
    }
  }

  /// @param pod its number in the run
  /// @param k its class
  Choice place(int pod, int k);

  /// A pod that was placed has ended; the cluster has its capacity back already.
  default void ended(int pod, int k) {}
}
