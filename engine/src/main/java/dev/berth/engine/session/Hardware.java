package dev.berth.engine.session;

import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;

/// What nodes are made of: resources and kinds of nodes, by dense numbers that never change. Both
/// grow as nodes are seen.
final class Hardware {
  private final Resources resources = new Resources();
  private final List<NodeKind> kinds = new ArrayList<>();
  private final int pods = resources.intern(Resource.PODS);
  private final int cpu = resources.intern(Resource.CPU);

  Resources resources() {
    return resources;
  }

  int pods() {
    return pods;
  }

  int cpu() {
    return cpu;
  }

  List<NodeKind> kinds() {
    return Collections.unmodifiableList(kinds);
  }

  /// The number of a kind, which may be new.
  int kind(NodeKind kind) {
    int known = kinds.lastIndexOf(kind);
    if (known >= 0) {
      return known;
    }
    kinds.add(kind);
    return kinds.size() - 1;
  }

  /// Largest device memory of the cluster; 0 where no node tells.
  long largestMemoryMib() {
    return largest(NodeKind::memoryMib);
  }

  /// Smallest device memory of the cluster; 0 where no node tells.
  long smallestMemoryMib() {
    return smallest(NodeKind::memoryMib);
  }

  /// Largest memory of a GPU of which claims may have parts; 0 where there is none.
  long largestClaimBytes() {
    return largest(NodeKind::claimBytes);
  }

  /// Smallest memory of a GPU of which claims may have parts; 0 where there is none.
  long smallestClaimBytes() {
    return smallest(NodeKind::claimBytes);
  }

  private long largest(ToLongFunction<NodeKind> size) {
    long largest = 0;
    for (NodeKind each : kinds) {
      largest = Math.max(largest, size.applyAsLong(each));
    }
    return largest;
  }

  private long smallest(ToLongFunction<NodeKind> size) {
    long smallest = Long.MAX_VALUE;
    for (NodeKind each : kinds) {
      long here = size.applyAsLong(each);
      smallest = here > 0 ? Math.min(smallest, here) : smallest;
    }
    return smallest == Long.MAX_VALUE ? 0 : smallest;
  }
}
