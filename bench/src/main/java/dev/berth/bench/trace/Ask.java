package dev.berth.bench.trace;

import java.util.Comparator;

/// What a pod of a trace requests. Pods that request the same are one class.
///
/// @param milli per GPU; 1000 = whole GPUs, less = a share of one; 0 without GPUs
/// @param spec models that it accepts, joined with `|`; empty = any
public record Ask(int cpu, int memory, int gpus, int milli, String spec) {
  /// CPU, share, number of GPUs, models: the order in which equally frequent classes come,
  /// reversed.
  public static final Comparator<Ask> TUPLE =
      Comparator.comparingInt(Ask::cpu)
          .thenComparingInt(Ask::milli)
          .thenComparingInt(Ask::gpus)
          .thenComparing(Ask::spec);

  public boolean isCpuOnly() {
    return gpus == 0;
  }

  public boolean isShare() {
    return gpus == 1 && milli < 1000;
  }

  /// Thousandths of GPUs in all.
  public int gpuMillis() {
    return gpus * milli;
  }

  /// Whether a GPU model is accepted.
  public boolean accepts(String model) {
    if (spec.isEmpty()) {
      return true;
    }
    for (String each : spec.split("\\|")) {
      if (each.equals(model)) {
        return true;
      }
    }
    return false;
  }
}
