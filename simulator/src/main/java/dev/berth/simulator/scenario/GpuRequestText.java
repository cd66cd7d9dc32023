package dev.berth.simulator.scenario;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Pod;
import java.math.BigDecimal;

/// What a pod asks of GPUs, in words.
final class GpuRequestText {
  private GpuRequestText() {}

  /// `2 GPUs`, `0.5 GPU`, `2 × 0.3 GPU`, `512 MiB of a GPU`, `no GPU`.
  static String of(Pod pod) {
    return switch (pod.asks().request().devices()) {
      case DeviceRequest.None() -> "no GPU";
      case DeviceRequest.Whole(_, int count) -> count + (count == 1 ? " GPU" : " GPUs");
      case DeviceRequest.Fraction(int millis, _, int count) ->
          each(count) + decimal(millis) + " GPU";
      case DeviceRequest.Memory(long mib, _, int count) -> each(count) + mib + " MiB of a GPU";
    };
  }

  private static String each(int count) {
    return count == 1 ? "" : count + " × ";
  }

  private static String decimal(int millis) {
    return BigDecimal.valueOf(millis, 3).stripTrailingZeros().toPlainString();
  }
}
