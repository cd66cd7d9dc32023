package dev.berth.cli.usage;

import java.util.List;

/// GPU-time of what has the same keys.
///
/// @param keys what it is grouped by, in the order of the dimensions; none = all of it
/// @param workloads that held GPUs
/// @param pods that held GPUs
public record UsageRow(List<String> keys, UsageAmounts amounts, int workloads, int pods) {
  public UsageRow {
    keys = List.copyOf(keys);
  }
}
