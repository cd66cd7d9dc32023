package dev.berth.engine.session;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Node.Accelerator;
import dev.berth.engine.model.Resource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/// What nodes are made of: resources and kinds of nodes, by dense numbers that never change. Both
/// grow as nodes are seen.
public final class Hardware {
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

  public List<NodeKind> kinds() {
    return Collections.unmodifiableList(kinds);
  }

  /// A node has these resources, some of which may be new.
  void see(Amounts amounts) {
    for (int i = 0; i < amounts.size(); i++) {
      if (resources.findNext(amounts.resource(i)) == Resources.UNKNOWN) {
        resources.intern(amounts.resource(i));
      }
    }
  }

  /// What queues may count of it: what nodes offer, and the models of their devices.
  Set<Resource> countable() {
    var countable = new TreeSet<Resource>();
    for (int r = 0; r < resources.size(); r++) {
      countable.add(resources.name(r));
    }
    for (NodeKind kind : kinds) {
      if (!kind.model().isEmpty()) {
        countable.add(Resource.gpuOfModel(kind.model()));
      }
    }
    return countable;
  }

  /// The number of a node's kind, which may be new.
  ///
  /// @param claims memory of one GPU of which claims may have parts, in bytes
  int kind(Accelerator accelerator, long claims) {
    long memory = accelerator.count() == 0 ? 0 : accelerator.memoryMib();
    String model = accelerator.count() == 0 ? "" : accelerator.model();
    var kind = new NodeKind(model, memory, claims);
    int known = kinds.lastIndexOf(kind);
    if (known >= 0) {
      return known;
    }
    kinds.add(kind);
    return kinds.size() - 1;
  }

  /// Largest device memory of the cluster; 0 where no node tells.
  public long largestMemoryMib() {
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
