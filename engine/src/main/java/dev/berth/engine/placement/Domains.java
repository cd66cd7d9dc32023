package dev.berth.engine.placement;

import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.model.Topology;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

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
  private final Room room;
  private final TreeMap<String, Level> levels = new TreeMap<>();

  Domains(Session session) {
    this.session = session;
    this.room = session.room();
  }

  /// The domains of one level.
  ///
  /// @param domainOf by node index; [#OUTSIDE] = in none
  /// @param domains how many, numbered in the order of their paths
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Level(int[] domainOf, int domains) {}

  /// @param within what the parent of the step's role was given
  List<Domain> candidates(Step step, Domain within) {
    var ask = step.role().topology();
    var found =
        session.topology(ask.topology()).map(topology -> candidates(topology, ask, step, within));
    return found.orElse(Collections.emptyList());
  }

  private List<Domain> candidates(Topology topology, TopologyAsk ask, Step step, Domain within) {
    int required = ask.required().isEmpty() ? NO_LEVEL : topology.indexOf(ask.required());
    int preferred = ask.preferred().isEmpty() ? NO_LEVEL : topology.indexOf(ask.preferred());
    var allowed = required == NO_LEVEL ? within : bound(topology, required, step, within);
    var need = new Need(room, step.all());
    var candidates = new ArrayList<Domain>();
    var turns = preferred == NO_LEVEL ? NO_TURNS : turns(level(topology, preferred), allowed, need);
    for (int i = Math.max(required, preferred); i >= Math.max(0, required); i--) {
      for (Domain domain : tightestFirst(level(topology, i), allowed, need)) {
        candidates.add(i < preferred ? domain.inTurns(turns) : domain);
      }
    }
    if (required == NO_LEVEL) {
      candidates.add(within.inTurns(turns));
    }
    return candidates;
  }

  /// Where no domain of the required level has enough for a step: what the nearest one has, in
  /// words; empty = it is not that.
  ///
  /// @param within what the parent of the step's role was given
  String largest(Step step, Domain within) {
    var ask = step.role().topology();
    var topology = session.topology(ask.topology());
    int required = topology.map(each -> each.indexOf(ask.required())).orElse(NO_LEVEL);
    if (ask.required().isEmpty() || required < 0) {
      return "";
    }
    var level = level(topology.orElseThrow(), required);
    var allowed = bound(topology.orElseThrow(), required, step, within);
    var need = new Need(room, step.all());
    var tightness = need.tightness(level.domainOf, level.domains, allowed);
    return need.largest(level.domainOf, tightness, allowed);
  }

  /// By node index: when its domain of this level has its turn. Nodes in none come last.
  private int[] turns(Level level, Domain within, Need need) {
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
  private Domain bound(Topology topology, int required, Step step, Domain within) {
    var level = level(topology, required);
    var members = new int[level.domains];
    int most = OUTSIDE;
    for (Seat seat : step.role().standing()) {
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
  List<Domain> together(int[] domainOf, int domains, List<Seat> seats, Domain within) {
    return tightestFirst(new Level(domainOf, domains), within, new Need(room, seats));
  }

  private Domain part(Level level, int domain, Domain within) {
    var members = new boolean[room.nodes()];
    for (int n = 0; n < members.length; n++) {
      members[n] = level.domainOf[n] == domain && within.contains(n);
    }
    return Domain.of(members);
  }

  /// Without those that have less free than is needed.
  private List<Domain> tightestFirst(Level level, Domain within, Need need) {
    record Rated(Domain domain, double tightness) {}

    var tightness = need.tightness(level.domainOf, level.domains, within);
    var rated = new ArrayList<Rated>();
    for (int domain = 0; domain < level.domains; domain++) {
      if (tightness[domain] <= 1) {
        rated.add(new Rated(part(level, domain, within), tightness[domain]));
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
    return new Level(domainOf, next);
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
