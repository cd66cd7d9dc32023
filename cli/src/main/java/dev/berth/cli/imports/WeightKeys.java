package dev.berth.cli.imports;

import dev.berth.engine.model.Resource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/// Weights of Queues stand for each resource, those of other schedulers for all. So a weight is
/// written for all resources that any queue of the import names, and for `gpu`, `cpu` and `memory`.
final class WeightKeys {
  /// The weight of a queue that sets none, in thousandths, as all weights here. It is left out.
  static final long ONE = 1000;

  private static final long LEAST = 1; // 0 would borrow nothing
  private static final long MOST = 1_000_000_000;

  private final TreeSet<Resource> resources = new TreeSet<>();

  WeightKeys() {
    resources.add(Resource.GPU);
    resources.add(Resource.CPU);
    resources.add(Resource.MEMORY);
  }

  void add(QueueAmounts amounts) {
    resources.addAll(amounts.resources());
  }

  /// The weight that a Queue takes.
  static long nearest(long thousandths) {
    return Math.clamp(thousandths, LEAST, MOST);
  }

  /// @param thousandths as [#nearest] has it
  Map<String, Object> tree(long thousandths) {
    var tree = new LinkedHashMap<String, Object>();
    if (thousandths != ONE) {
      Object weight =
          thousandths % ONE == 0 ? (Object) (thousandths / ONE) : (Object) (thousandths / 1000.0);
      resources.forEach(resource -> tree.put(resource.name(), weight));
    }
    return tree;
  }
}
