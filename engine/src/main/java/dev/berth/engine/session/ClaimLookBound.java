package dev.berth.engine.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/// How many devices one plan looks at for claims that have none yet: claims beyond that are not
/// looked for.
///
/// Claims of one kind count once. Those of pods that have a place are looked for in any case: their
/// plans were made for what they cost. Of what is left each namespace has an equal part, and what
/// others leave of theirs; what comes first in a namespace, by name, is looked for first.
/// Namespaces whose first kind is more than their part take turns.
final class ClaimLookBound {
  /// Looks at devices for claims that have none yet, were each kind of them the only one.
  private static final long MOST_LOOKS = 5_000_000;

  /// At each device for a kind that is more than the part of its namespace, when its turn comes.
  private static final long MOST_AT_A_DEVICE = 64;

  private static final Duration TURN = Duration.ofSeconds(5);

  private ClaimLookBound() {}

  /// Finds out which claims are beyond.
  ///
  /// @param placed claims of pods that have a place
  /// @param waiting claims of pods that may be given one, in the order of their names; some of them
  ///   may be among the others
  /// @return when the next turn begins; empty = no claim is beyond
  static Optional<Instant> apply(
      DeviceInventory inventory,
      ClaimFits fits,
      Collection<ClaimUse> placed,
      Collection<ClaimUse> waiting,
      Instant now) {
    var known = new HashSet<Integer>(); // kinds
    long left = MOST_LOOKS;
    for (ClaimUse use : placed) {
      left -= isOpen(use) && known.add(fits.kind(use)) ? inventory.cost(use.claim) : 0;
    }
    var others =
        waiting.stream().filter(use -> isOpen(use) && !known.contains(fits.kind(use))).toList();
    var costs = new TreeMap<String, LinkedHashMap<Integer, Long>>(); // by namespace, of kinds
    for (ClaimUse use : others) {
      costs
          .computeIfAbsent(use.namespace(), _ -> new LinkedHashMap<>())
          .computeIfAbsent(fits.kind(use), _ -> inventory.cost(use.claim));
    }
    long turn = now.getEpochSecond() / TURN.toSeconds();
    long inTurn = MOST_AT_A_DEVICE * Math.max(1, inventory.size());
    var looked = looked(costs, Math.max(left, MOST_LOOKS / 2), inTurn, turn);
    if (looked.isEmpty()) {
      return Optional.empty();
    }
    for (ClaimUse use : others) {
      var kinds = looked.get().getOrDefault(use.namespace(), Set.of());
      use.isBeyond = !kinds.contains(fits.kind(use));
    }
    return Optional.of(Instant.ofEpochSecond((turn + 1) * TURN.toSeconds()));
  }

  private static boolean isOpen(ClaimUse use) {
    return use.claim.allocation().isNone();
  }

  /// The kinds that are looked for.
  ///
  /// @param costs by namespace, of its kinds, in looks; none is empty
  /// @param most looks in all
  /// @param mostInTurn looks for one kind that is more than the part of its namespace
  /// @param turn the number of the turn
  /// @return by namespace; empty = all are
  static Optional<SortedMap<String, Set<Integer>>> looked(
      SortedMap<String, LinkedHashMap<Integer, Long>> costs,
      long most,
      long mostInTurn,
      long turn) {
    var sums = costs.values().stream().map(ClaimLookBound::sum).toList();
    long part = NamespaceShares.part(most, sums);
    if (part == Long.MAX_VALUE) {
      return Optional.empty();
    }
    var looked = new TreeMap<String, Set<Integer>>();
    var without = new ArrayList<Map.Entry<String, LinkedHashMap<Integer, Long>>>();
    long rest = most;
    for (var ofKinds : costs.entrySet()) {
      var kinds = new HashSet<Integer>();
      rest -= within(part, ofKinds.getValue(), kinds);
      if (kinds.isEmpty()) {
        without.add(ofKinds);
      }
      looked.put(ofKinds.getKey(), kinds);
    }
    for (int i = 0; i < without.size(); i++) {
      var next = without.get(Math.floorMod(turn + i, without.size()));
      var first = next.getValue().firstEntry();
      if (first.getValue() <= rest || i == 0 && first.getValue() <= mostInTurn) {
        rest -= first.getValue();
        looked.put(next.getKey(), Set.of(first.getKey()));
      }
    }
    return Optional.of(looked);
  }

  private static long sum(LinkedHashMap<Integer, Long> costs) {
    return costs.values().stream().mapToLong(cost -> cost).sum();
  }

  /// @param kinds those that the part suffices for are added
  /// @return what they cost
  private static long within(long part, LinkedHashMap<Integer, Long> costs, Set<Integer> kinds) {
    long spent = 0;
    for (var each : costs.entrySet()) {
      if (spent + each.getValue() <= part) {
        spent += each.getValue();
        kinds.add(each.getKey());
      }
    }
    return spent;
  }
}
