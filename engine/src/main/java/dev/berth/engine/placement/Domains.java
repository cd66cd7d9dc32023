package dev.berth.engine.placement;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Topology;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/// Where a block may be together: the domains of the preferred level, then of each level above it
/// up to the required one (none required: up to the whole cluster), tightest first.
///
/// A domain is the values of all labels from the widest level down to its own; a node that lacks
/// one of them is in none. Members that have a place already bind the rest to their required
/// domain.
final class Domains {
  private static final int NO_LEVEL = -1;
  private static final int OUTSIDE = -1;
  private static final int[] NO_TURNS = {};

  private final Session session;
  private final FreeCapacity room;
  private final TreeMap<String, Level> levels = new TreeMap<>();

  Domains(Session session) {
    this.session = session;
    this.room = session.room();
  }

  /// The domains of one level.
  ///
  /// @param domainOf by node index; [#OUTSIDE] = in none
  /// @param domains how many, numbered in the order of their paths
  /// @param names of the domains; empty = they have none
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Level(int[] domainOf, int domains, List<String> names) {}

  /// @param within what the parent of the step's role was given
  List<Domain> candidates(PlacementStep step, Domain within) {
    var ask = step.role().topology();
    var found =
        session.topology(ask.topology()).map(topology -> candidates(topology, ask, step, within));
    return found.orElse(Collections.emptyList());
  }

  private List<Domain> candidates(
      Topology topology, TopologyAsk ask, PlacementStep step, Domain within) {
    int required = ask.required().isEmpty() ? NO_LEVEL : topology.indexOf(ask.required());
    int preferred = ask.preferred().isEmpty() ? NO_LEVEL : topology.indexOf(ask.preferred());
    var allowed = required == NO_LEVEL ? within : bound(topology, required, step, within);
    var need = new BlockDemand(room, step.all());
    var candidates = new ArrayList<Domain>();
    var turns = preferred == NO_LEVEL ? NO_TURNS : turns(level(topology, preferred), allowed, need);
    for (int i = Math.max(required, preferred); i >= Math.max(0, required); i--) {
      for (Domain domain : tightestFirst(level(topology, i), allowed, need, i == required)) {
        candidates.add(i < preferred ? domain.inTurns(turns) : domain);
      }
    }
    if (required == NO_LEVEL) {
      candidates.add(within.inTurns(turns));
    }
    return without(candidates);
  }

  /// Without domains of the same nodes as one before them: on one node all levels are the same.
  private static List<Domain> without(List<Domain> candidates) {
    var different = new ArrayList<Domain>(candidates.size());
    for (Domain domain : candidates) {
      if (different.isEmpty() || !different.getLast().hasNodesOf(domain)) {
        different.add(domain);
      } else if (!domain.name().isEmpty()) {
        different.set(different.size() - 1, domain); // its name is told
      }
    }
    return different;
  }

  /// What a required level of topology means for a step.
  ///
  /// @param nearest the domain that has most of what the step needs; empty = no node is in a domain
  /// @param label that no node has; empty = there are domains
  record Required(Optional<Domain> nearest, String label) {}

  /// Empty where the step requires no level.
  ///
  /// @param within what the parent of the step's role was given
  Optional<Required> required(PlacementStep step, Domain within) {
    return requiredLevel(step)
        .map(required -> {
          var topology = required.topology;
          var level = level(topology, required.index);
          var allowed = bound(topology, required.index, step, within);
          var tightness =
              new BlockDemand(room, step.all()).tightness(level.domainOf, level.domains, allowed);
          int nearest = OUTSIDE;
          for (int n = 0; n < level.domainOf.length; n++) {
            int domain = level.domainOf[n];
            boolean comesIntoQuestion = domain >= 0 && allowed.contains(n);
            if (comesIntoQuestion && isNearer(tightness, domain, nearest)) {
              nearest = domain;
            }
          }
          return new Required(
              nearest == OUTSIDE
                  ? Optional.empty()
                  : Optional.of(named(level, nearest, part(level, nearest, allowed))),
              nearest == OUTSIDE ? missingLabel(topology, required.index) : "");
        });
  }

  /// The first of those that are as near, by number.
  private static boolean isNearer(double[] tightness, int domain, int nearest) {
    if (nearest == OUTSIDE) {
      return true;
    }
    int order = Double.compare(tightness[domain], tightness[nearest]);
    return order < 0 || order == 0 && domain < nearest;
  }

  /// The domain of the required level that would hold most members of a step if it were empty.
  ///
  /// @param held what a domain would hold, by node index and what its nodes are
  Optional<Reason.Largest> largestEmpty(PlacementStep step, ToLongFunction<Domain> held) {
    return requiredLevel(step)
        .flatMap(required -> {
          var level = level(required.topology, required.index);
          var whole = Domain.whole(room);
          String word = word(required.topology, required.index);
          var largest = Optional.<Reason.Largest>empty();
          for (int domain = 0; domain < level.domains; domain++) {
            long holds = held.applyAsLong(part(level, domain, whole));
            if (largest.isEmpty() || holds > largest.get().holds()) {
              largest =
                  Optional.of(
                      new Reason.Largest(
                          word,
                          level.names.get(domain),
                          holds,
                          step.all().size(),
                          required.index == 0,
                          step.role().name()));
            }
          }
          return largest;
        });
  }

  /// The required level in the words of a sentence: its alias, or the last part of its label.
  String word(PlacementStep step) {
    return requiredLevel(step).map(level -> word(level.topology, level.index)).orElse("");
  }

  boolean isWidest(PlacementStep step) {
    return requiredLevel(step).filter(level -> level.index == 0).isPresent();
  }

  private record LevelOf(Topology topology, int index) {}

  private Optional<LevelOf> requiredLevel(PlacementStep step) {
    var ask = step.role().topology();
    return ask.required().isEmpty()
        ? Optional.empty()
        : session
            .topology(ask.topology())
            .map(topology -> new LevelOf(topology, topology.indexOf(ask.required())))
            .filter(level -> level.index >= 0);
  }

  private static String word(Topology topology, int index) {
    var level = topology.levels().get(index);
    return level.alias().isEmpty()
        ? level.nodeLabel().substring(level.nodeLabel().lastIndexOf('/') + 1)
        : level.alias();
  }

  /// The first label down to this level that no node has; where each is somewhere, but nowhere all,
  /// the last.
  private String missingLabel(Topology topology, int index) {
    for (int i = 0; i < index; i++) {
      String label = topology.levels().get(i).nodeLabel();
      boolean isAnywhere = false;
      for (int n = 0; n < room.nodes(); n++) {
        isAnywhere |= !room.node(n).node().labels().getOrDefault(label, "").isEmpty();
      }
      if (!isAnywhere) {
        return label;
      }
    }
    return topology.levels().get(index).nodeLabel();
  }

  private static Domain named(Level level, int domain, Domain part) {
    return part.named(level.names.isEmpty() ? "" : level.names.get(domain));
  }

  /// By node index: when its domain of this level has its turn. Nodes in none come last.
  private int[] turns(Level level, Domain within, BlockDemand need) {
    var tightness = need.tightness(level.domainOf, level.domains, within);
    var order = new ArrayList<Integer>();
    for (int domain = level.domains - 1; domain >= 0; domain--) {
      order.add(domain);
    }
    order.sort(Comparator.<Integer>comparingDouble(domain -> tightness[domain]).reversed());
    var turnOf = new int[level.domains];
    for (int turn = 0; turn < turnOf.length; turn++) {
      turnOf[order.get(turn)] = turn;
    }
    var turns = new int[room.nodes()];
    for (int n = 0; n < turns.length; n++) {
      int domain = level.domainOf[n];
      turns[n] = domain == OUTSIDE ? Integer.MAX_VALUE : turnOf[domain];
    }
    return turns;
  }

  /// The part of `within` that members with a place leave to the others: the required domain in
  /// which most of them are.
  private Domain bound(Topology topology, int required, PlacementStep step, Domain within) {
    var level = level(topology, required);
    var members = new int[level.domains];
    int most = OUTSIDE;
    for (MemberState seat : step.role().standing()) {
      int n = seat.now().node();
      int domain = n < 0 ? OUTSIDE : level.domainOf[n];
      if (domain != OUTSIDE) {
        members[domain]++;
      }
    }
    for (int domain = 0; domain < members.length; domain++) {
      if (members[domain] > (most == OUTSIDE ? 0 : members[most])) {
        most = domain;
      }
    }
    return most == OUTSIDE ? within : part(level, most, within);
  }

  /// The domains of a label by itself in which some seats may be together, tightest first.
  ///
  /// @param domainOf by node index; [#OUTSIDE] = in none
  List<Domain> together(int[] domainOf, int domains, List<MemberState> seats, Domain within) {
    return tightestFirst(
        new Level(domainOf, domains, Collections.emptyList()),
        within,
        new BlockDemand(room, seats),
        false);
  }

  private Domain part(Level level, int domain, Domain within) {
    var members = new boolean[room.nodes()];
    for (int n = 0; n < members.length; n++) {
      members[n] = level.domainOf[n] == domain && within.contains(n);
    }
    return Domain.of(members);
  }

  /// Without those that have less free than is needed.
  ///
  /// @param named whether they are of the required level of a topology
  private List<Domain> tightestFirst(Level level, Domain within, BlockDemand need, boolean named) {
    record Rated(Domain domain, double tightness) {}

    var tightness = need.tightness(level.domainOf, level.domains, within);
    var rated = new ArrayList<Rated>();
    for (int domain = 0; domain < level.domains; domain++) {
      if (tightness[domain] <= 1) {
        var part = part(level, domain, within);
        rated.add(new Rated(named ? named(level, domain, part) : part, tightness[domain]));
      }
    }
    rated.removeIf(each -> each.domain.size() == 0);
    rated.sort(Comparator.comparingDouble(Rated::tightness).reversed()); // stable: then by path
    var domains = new ArrayList<Domain>();
    for (Rated each : rated) {
      domains.add(each.domain);
    }
    return domains;
  }

  private Level level(Topology topology, int index) {
    return levels.computeIfAbsent(topology.name() + "/" + index, _ -> read(topology, index));
  }

  private Level read(Topology topology, int index) {
    var paths = new ArrayList<String>();
    var numbers = new TreeMap<String, Integer>();
    for (int n = 0; n < room.nodes(); n++) {
      paths.add(path(topology, index, n));
      numbers.put(paths.get(n), 0);
    }
    numbers.remove("");
    int next = 0;
    for (var entry : numbers.entrySet()) {
      entry.setValue(next++);
    }
    var domainOf = new int[room.nodes()];
    for (int n = 0; n < domainOf.length; n++) {
      domainOf[n] = numbers.getOrDefault(paths.get(n), OUTSIDE);
    }
    var names = new ArrayList<String>(next);
    numbers.keySet().forEach(path -> names.add(path.substring(1)));
    return new Level(domainOf, next, names);
  }

  /// Empty where the node lacks a label.
  private String path(Topology topology, int index, int n) {
    var labels = room.node(n).node().labels();
    var path = new StringBuilder();
    for (int i = 0; i <= index; i++) {
      var value = labels.getOrDefault(topology.levels().get(i).nodeLabel(), "");
      if (value.isEmpty()) {
        return "";
      }
      path.append('/').append(value);
    }
    return path.toString();
  }
}
