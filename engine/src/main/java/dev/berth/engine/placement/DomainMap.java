package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.session.Room;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;

/// Which node is in which domain of one topology key, for all [Tally] that count by it.
///
/// Domains are numbered in the order of nodes, those of other rooms alone come last. It is made
/// when somebody first asks: a look at each node.
final class DomainMap {
  static final int NONE = -1;
  private static final int[] NOT_MADE = {};

  private final Where where;
  private final Room room;
  private final List<Room> others;
  private final HashMap<String, Integer> numbers = new HashMap<>(); // looked up only
  private boolean isMade;
  private int[] domainOf = NOT_MADE;
  private int[][] nodesOf = {}; // by domain
  private boolean spans;

  /// Nodes that are in a domain, and in which.
  ///
  /// @param keys labels that a node must have to be in a domain
  /// @param chosenBy nodes that these do not choose are in no domain; `NONE` = they do not matter
  /// @param borneBy nor are nodes whose taints these do not bear
  record Where(
      String topologyKey,
      List<String> keys,
      Constraints chosenBy,
      Constraints borneBy,
      boolean honorsTaints) {
    boolean isIn(Room room, int n) {
      var node = room.node(n).node();
      for (String key : keys) {
        if (!node.labels().containsKey(key)) {
          return false;
        }
      }
      return NodeRules.chooses(chosenBy, node)
          && (!honorsTaints || !node.unschedulable() && NodeRules.bearsTaints(borneBy, node));
    }
  }

  /// @param others where nobody is placed here, but pods may be
  DomainMap(Where where, Room room, List<Room> others) {
    this.where = where;
    this.room = room;
    this.others = others;
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
    for (Room other : others) {
      for (int domain : domains(other)) {
        spans |= domain != NONE && domain < own;
      }
    }
  }

  /// By node.
  private int[] domains(Room of) {
    var domains = new int[of.nodes()];
    for (int n = 0; n < domains.length; n++) {
      domains[n] = NONE;
      if (where.isIn(of, n)) {
        domains[n] = numbers.computeIfAbsent(value(of, n), _ -> numbers.size());
      }
    }
    return domains;
  }

  private String value(Room of, int n) {
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

  int domainIn(Room other, int n) {
    return where.isIn(other, n) ? numbers.getOrDefault(value(other, n), NONE) : NONE;
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
