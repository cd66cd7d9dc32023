package dev.berth.engine.session;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.TreeMap;

/// How many devices one plan looks at for claims that have none yet: claims beyond that are not
/// looked for.
final class ClaimLookBound {
  /// Looks at devices for claims that have none yet, were each kind of them the only one.
  private static final long MOST_LOOKS = 5_000_000;

  private ClaimLookBound() {}

  /// Namespaces share what is looked at for claims that have no devices yet; claims of one kind
  /// count once. What comes first in its namespace, by name, is looked for.
  static void apply(Collection<ClaimUse> uses, DeviceInventory inventory, ClaimFits fits) {
    var costs = new TreeMap<String, LinkedHashMap<Integer, Long>>(); // by namespace, of kinds
    var waiting = uses.stream().filter(use -> use.claim.allocation().isNone()).toList();
    for (ClaimUse use : waiting) {
      costs
          .computeIfAbsent(use.namespace(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(fits.kind(use), _ -> inventory.cost(use.claim));
    }
    long part =
        NamespaceShares.part(MOST_LOOKS, costs.values().stream().map(ClaimLookBound::sum).toList());
    if (part == Long.MAX_VALUE) {
      return;
    }
    for (var ofKinds : costs.values()) {
      long[] left = {part};
      ofKinds
          .values()
          .removeIf(cost -> {
            boolean isBeyond = cost > left[0];
            left[0] -= isBeyond ? 0 : cost;
            return isBeyond;
          });
    }
    for (ClaimUse use : waiting) {
      var looked = costs.getOrDefault(use.namespace(), new LinkedHashMap<>());
      use.isBeyond = !looked.containsKey(fits.kind(use));
    }
  }

  private static long sum(LinkedHashMap<Integer, Long> costs) {
    return costs.values().stream().mapToLong(cost -> cost).sum();
  }
}
