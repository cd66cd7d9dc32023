package dev.berth.engine.placement;

import dev.berth.engine.session.FreeCapacity;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/// Which node is in which domain of one topology key, for all [DomainCounts] that count by it.
///
/// Domains are numbered in the order of nodes, those of other rooms alone come last. It is made
/// when first asked for: a look at each node.
final class DomainMap {
  static final int NONE = -1;
  private static final int[] NOT_MADE = {};

  private final Where where;
  private final FreeCapacity room;
  private final List<FreeCapacity> others;
  private final IncludedNodes honored;
  private final IdentityHashMap<FreeCapacity, int[]> elsewhere =
      new IdentityHashMap<>(); // looked up only
  private final HashMap<String, Integer> numbers = new HashMap<>(); // looked up only
  private boolean isMade;
  private int[] domainOf = NOT_MADE;
  private int[][] nodesOf = {}; // by domain
  private boolean spans;

  /// Nodes that are in a domain, and in which.
  ///
  /// @param keys labels that a node must have to be in a domain
  /// @param honored nodes that it leaves out are in no domain
  record Where(String topologyKey, List<String> keys, NodeInclusion honored) {
    boolean isIn(FreeCapacity room, int n) {
      var node = room.node(n).node();
      for (String key : keys) {
        if (!node.labels().containsKey(key)) {
          return false;
        }
      }
      return true;
    }
  }

  /// @param others where no pod is placed here, but pods may be
  DomainMap(Where where, FreeCapacity room, List<FreeCapacity> others, IncludedNodes honored) {
    this.where = where;
    this.room = room;
    this.others = others;
    this.honored = honored;
  }

  NodeInclusion honored() {
    return where.honored;
  }

  boolean isMade() {
    return isMade;
  }

  private void make() {
    if (isMade) {
      return;
    }
    isMade = true;
    domainOf = domains(room);
    int own = numbers.size();
    for (FreeCapacity other : others) {
      int[] theirs = domains(other);
      elsewhere.put(other, theirs);
      for (int domain : theirs) {
        spans |= domain != NONE && domain < own;
      }
    }
  }

  /// By node.
  private int[] domains(FreeCapacity of) {
    var domains = new int[of.nodes()];
    Optional<BitSet> among =
        where.honored.isNothing() ? Optional.empty() : Optional.of(honored.of(of, where.honored));
    for (int n = 0; n < domains.length; n++) {
      domains[n] = NONE;
      if ((among.isEmpty() || among.get().get(n)) && where.isIn(of, n)) {
        domains[n] = numbers.computeIfAbsent(value(of, n), _ -> numbers.size());
      }
    }
    return domains;
  }

  private String value(FreeCapacity of, int n) {
    return of.node(n).node().labels().getOrDefault(where.topologyKey, "");
  }

  String topologyKey() {
    return where.topologyKey;
  }

  /// Whether any domain is in another room as well.
  boolean spans() {
    make();
    return spans;
  }

  /// By node; -1 = in none. Not to be changed.
  int[] domainOf() {
    make();
    return domainOf;
  }

  int domainOf(int n) {
    return domainOf[n];
  }

  /// Of a node of another room.
  int domainIn(FreeCapacity other, int n) {
    make();
    int[] theirs = elsewhere.getOrDefault(other, NOT_MADE);
    return n < theirs.length ? theirs[n] : NONE;
  }

  int domains() {
    return numbers.size();
  }

  /// The nodes of a domain.
  int[] nodesOf(int domain) {
    if (nodesOf.length == 0) {
      nodesOf = new int[numbers.size()][0];
      var sizes = new int[nodesOf.length];
      for (int each : domainOf) {
        if (each != NONE) {
          sizes[each]++;
        }
      }
      Arrays.setAll(nodesOf, d -> new int[sizes[d]]);
      for (int n = domainOf.length - 1; n >= 0; n--) {
        if (domainOf[n] != NONE) {
          nodesOf[domainOf[n]][--sizes[domainOf[n]]] = n;
        }
      }
    }
    return nodesOf[domain];
  }
}
