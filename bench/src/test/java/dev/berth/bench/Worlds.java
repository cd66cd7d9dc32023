package dev.berth.bench;

import dev.berth.bench.cluster.Cluster;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import dev.berth.bench.trace.Trace;
import java.util.Arrays;
import java.util.List;

/// Small traces, said in few words.
public final class Worlds {
  private Worlds() {}

  /// A node with CPU and memory in plenty.
  public static Machine node(int gpus, String model) {
    return new Machine("node", 96_000, 1_000_000, gpus, model);
  }

  public static Ask share(int milli) {
    return new Ask(1_000, 1_000, 1, milli, "");
  }

  public static Ask gpus(int count) {
    return new Ask(1_000, 1_000, count, 1000, "");
  }

  public static Ask cpuOnly(int milliCores) {
    return new Ask(milliCores, 1_000, 0, 0, "");
  }

  /// @param pods in name order
  public static Trace trace(List<Machine> machines, Ask... pods) {
    return Trace.of("test", machines, List.of(pods));
  }

  /// The nodes in the order of the trace.
  public static Cluster cluster(Trace trace) {
    var order = new int[trace.machines().size()];
    Arrays.setAll(order, i -> i);
    return new Cluster(trace, order);
  }
}
