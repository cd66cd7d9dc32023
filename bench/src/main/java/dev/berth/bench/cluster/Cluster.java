package dev.berth.bench.cluster;

import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;
import java.util.List;

/// Free capacity of the nodes of a run, in the fixed order of the run, as peers see it.
///
/// Layout: one row of [#WIDTH] GPUs per node in `free`; GPUs that a node does not have are -1.
public final class Cluster {
  /// GPUs per node at most.
  public static final int WIDTH = 8;

  private static final int KINDS = WIDTH + 1; // shares, then pods with 1, 2, … 8 GPUs

  private final List<Ask> asks;
  private final List<Machine> machines;
  private final List<String> models;
  private final int[] model;
  private final boolean[][] accepts; // by ask and model
  private final int[] cpu;
  private final int[] memory;
  private final short[] free;
  private final int[] freeSum;
  private final int[] gpus;
  private final int[] stamp;
  private final int[] kinds; // pods by node and kind
  private final long capacity;
  private long used;

  /// @param order the machine at each position
  public Cluster(Trace trace, int[] order) {
    asks = trace.asks();
    machines = Arrays.stream(order).mapToObj(trace.machines()::get).toList();
    models = trace.machines().stream().map(Machine::model).distinct().toList();
    int nodes = machines.size();
    model = new int[nodes];
    cpu = new int[nodes];
    memory = new int[nodes];
    gpus = new int[nodes];
    freeSum = new int[nodes];
    stamp = new int[nodes];
    free = new short[nodes * WIDTH];
    kinds = new int[nodes * KINDS];
    Arrays.fill(free, (short) -1);
    for (int n = 0; n < nodes; n++) {
      var machine = machines.get(n);
      model[n] = models.indexOf(machine.model());
      cpu[n] = machine.cpu();
      memory[n] = machine.memory();
      gpus[n] = machine.gpus();
      freeSum[n] = 1000 * machine.gpus();
      Arrays.fill(free, n * WIDTH, n * WIDTH + machine.gpus(), (short) 1000);
    }
    accepts = new boolean[asks.size()][models.size()];
    for (int k = 0; k < asks.size(); k++) {
      for (int m = 0; m < models.size(); m++) {
        accepts[k][m] = asks.get(k).accepts(models.get(m));
      }
    }
    capacity = trace.capacity();
  }

  public int nodes() {
    return machines.size();
  }

  public Machine machine(int n) {
    return machines.get(n);
  }

  public List<Ask> asks() {
    return asks;
  }

  public List<String> models() {
    return models;
  }

  /// The number of a node's model in [#models].
  public int model(int n) {
    return model[n];
  }

  public int cpu(int n) {
    return cpu[n];
  }

  public int gpus(int n) {
    return gpus[n];
  }

  /// Free thousandths of one GPU of a node.
  public int free(int n, int gpu) {
    return free[n * WIDTH + gpu];
  }

  public int freeSum(int n) {
    return freeSum[n];
  }

  /// Grows whenever the node changes.
  public int stamp(int n) {
    return stamp[n];
  }

  /// Thousandths of GPUs that pods hold.
  public long used() {
    return used;
  }

  public long capacity() {
    return capacity;
  }

  /// Pods on a node of the kind of `ask`: shares, or as many GPUs.
  public int ofKind(int n, Ask ask) {
    return kinds[n * KINDS + kind(ask)];
  }

  /// Pods with GPUs on a node.
  public int withGpus(int n) {
    int sum = 0;
    for (int kind = 0; kind < KINDS; kind++) {
      sum += kinds[n * KINDS + kind];
    }
    return sum;
  }

  private static int kind(Ask ask) {
    return ask.isShare() ? 0 : ask.gpus();
  }

  /// Whether a pod of class `k` fits on a node now.
  public boolean fits(int n, int k) {
    var ask = asks.get(k);
    if (cpu[n] < ask.cpu() || memory[n] < ask.memory() || !accepts[k][model[n]]) {
      return false;
    }
    int lacks = ask.gpus();
    for (int i = n * WIDTH, end = i + gpus[n]; lacks > 0 && i < end; i++) {
      lacks -= free[i] >= ask.milli() ? 1 : 0;
    }
    return lacks <= 0;
  }

  /// The GPUs of lowest index that fit, as bits.
  public int lowest(int n, Ask ask) {
    int mask = 0;
    int lacks = ask.gpus();
    for (int gpu = 0; lacks > 0; gpu++) {
      if (free(n, gpu) >= ask.milli()) {
        mask |= 1 << gpu;
        lacks--;
      }
    }
    return mask;
  }

  /// The GPUs with the least free thousandths that fit, as bits; ties: the lowest index.
  public int fullest(int n, Ask ask) {
    int mask = 0;
    for (int lacks = ask.gpus(); lacks > 0; lacks--) {
      int best = -1;
      for (int gpu = 0; gpu < gpus[n]; gpu++) {
        boolean may = (mask & 1 << gpu) == 0 && free(n, gpu) >= ask.milli();
        if (may && (best < 0 || free(n, gpu) < free(n, best))) {
          best = gpu;
        }
      }
      mask |= 1 << best;
    }
    return mask;
  }

  /// @param mask the GPUs, as bits
  public void take(int n, int k, int mask) {
    change(n, asks.get(k), mask, 1);
  }

  public void giveBack(int n, int k, int mask) {
    change(n, asks.get(k), mask, -1);
  }

  private void change(int n, Ask ask, int mask, int sign) {
    if (Integer.bitCount(mask) != ask.gpus()) {
      throw new IllegalArgumentException(ask + " on GPUs " + Integer.toBinaryString(mask));
    }
    cpu[n] -= sign * ask.cpu();
    memory[n] -= sign * ask.memory();
    for (int gpu = 0; gpu < gpus[n]; gpu++) {
      if ((mask & 1 << gpu) != 0) {
        int left = free[n * WIDTH + gpu] - sign * ask.milli();
        if (left < 0 || left > 1000) {
          throw new IllegalStateException(left + " left of GPU " + gpu + " of node " + n);
        }
        free[n * WIDTH + gpu] = (short) left;
      }
    }
    if (cpu[n] < 0 || memory[n] < 0) {
      throw new IllegalStateException(machines.get(n) + " is overcommitted by " + ask);
    }
    freeSum[n] -= sign * ask.gpuMillis();
    used += (long) sign * ask.gpuMillis();
    if (!ask.isCpuOnly()) {
      kinds[n * KINDS + kind(ask)] += sign;
    }
    stamp[n]++;
  }
}
