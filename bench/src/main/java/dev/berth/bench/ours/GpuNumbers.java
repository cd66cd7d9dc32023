package dev.berth.bench.ours;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.cluster.Policy.Choice;
import dev.berth.bench.trace.Ask;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import java.util.Arrays;
import java.util.Locale;

/// The engine's placements as nodes and GPU indexes of a run.
///
/// The engine numbers shared GPUs and leaves whole ones to the kubelet: here a slot stands for one
/// GPU from its first share to its last, and whole GPUs are the free ones of lowest index.
public final class GpuNumbers {
  private final Cluster cluster;
  private final int[][] gpuOfSlot; // by node: the GPU that stands for a shared one; -1 = none
  private final int[][] sharers; // by node and GPU

  /// @param cluster has the capacity of a placement until [#taken] has answered
  public GpuNumbers(Cluster cluster) {
    this.cluster = cluster;
    gpuOfSlot = new int[cluster.nodes()][];
    sharers = new int[cluster.nodes()][];
    for (int n = 0; n < cluster.nodes(); n++) {
      gpuOfSlot[n] = new int[cluster.gpus(n)];
      sharers[n] = new int[cluster.gpus(n)];
      Arrays.fill(gpuOfSlot[n], -1);
    }
  }

  /// The name of the node at a position: in the order of the names as in that of the run.
  public static NodeName name(int n) {
    return new NodeName(String.format(Locale.ROOT, "n%05d", n));
  }

  /// The position of a node: [#name] reversed.
  public static int number(NodeName name) {
    return Integer.parseInt(name.toString().substring(1));
  }

  /// Where a pod runs from now on.
  public Choice taken(Ask ask, Placement place) {
    int n = number(place.node());
    return new Choice(n, mask(n, ask, place));
  }

  /// A pod that ran has ended.
  void returned(Placement place) {
    int n = number(place.node());
    for (int slot : place.slots()) {
      if (--sharers[n][gpuOfSlot[n][slot]] == 0) {
        gpuOfSlot[n][slot] = -1;
      }
    }
  }

  private int mask(int n, Ask ask, Placement place) {
    if (place.slots().isEmpty()) {
      return cluster.lowest(n, ask);
    }
    int mask = 0;
    for (int slot : place.slots()) {
      int gpu = gpuOfSlot[n][slot];
      if (gpu < 0) {
        gpu = 0;
        while (cluster.free(n, gpu) < 1000) {
          gpu++;
        }
        gpuOfSlot[n][slot] = gpu;
      }
      sharers[n][gpu]++;
      mask |= 1 << gpu;
    }
    return mask;
  }
}
