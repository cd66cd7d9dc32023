package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.session.Room;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;

/// How many pods of one kind are in each domain of one topology key, as the session is now.
///
/// Domains are numbered in the order of nodes, those of other rooms alone come last. Pods on their
/// way out are counted apart: to most they are there still. Of a ban (anti-affinity) those who ask
/// it are counted, too.
final class Tally {
  private static final int NO_DOMAIN = -1;

  private final int number;
  private final Question question;
  private final int[] domainOf;
  private final HashMap<String, Integer> numbers = new HashMap<>(); // looked up only
  private final int[] here;
  private final int[] leaving;
  private final int[] asked;
  private final int[] askers;
  private final int[] leavingAskers;
  private final boolean spans;
  private int all;
  private int allLeaving;
  private int least;
  private boolean leastIsOld = true;

  /// Which pods, in which domains.
  ///
  /// @param peers all of these must include a pod
  /// @param keys labels that a node must have to be in a domain
  /// @param chosenBy nodes that these do not choose are in no domain; `NONE` = they do not matter
  /// @param borneBy nor are nodes whose taints these do not bear
  record Question(
      List<Peers> peers,
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
  Tally(int number, Question question, Room room, List<Room> others) {
    this.number = number;
    this.question = question;
    domainOf = domains(room);
    int own = numbers.size();
    boolean common = false;
    for (Room other : others) {
      for (int domain : domains(other)) {
        common |= domain != NO_DOMAIN && domain < own;
      }
    }
    spans = common;
    here = new int[numbers.size()];
    leaving = new int[here.length];
    asked = new int[here.length];
    askers = new int[here.length];
    leavingAskers = new int[here.length];
  }

  /// By node.
  private int[] domains(Room room) {
    var domains = new int[room.nodes()];
    for (int n = 0; n < domains.length; n++) {
      domains[n] = NO_DOMAIN;
      if (question.isIn(room, n)) {
        domains[n] = numbers.computeIfAbsent(value(room, n), _ -> numbers.size());
      }
    }
    return domains;
  }

  private String value(Room room, int n) {
    return room.node(n).node().labels().getOrDefault(question.topologyKey, "");
  }

  /// Whether any domain is in another room as well.
  boolean spans() {
    return spans;
  }

  private int domainIn(Room other, int n) {
    return question.isIn(other, n) ? numbers.getOrDefault(value(other, n), NO_DOMAIN) : NO_DOMAIN;
  }

  int number() {
    return number;
  }

  String topologyKey() {
    return question.topologyKey;
  }

  /// By node; -1 = in none. Not to be changed.
  int[] domainOf() {
    return domainOf;
  }

  int domains() {
    return here.length;
  }

  boolean counts(Pod pod) {
    for (Peers peers : question.peers) {
      if (!peers.include(pod)) {
        return false;
      }
    }
    return true;
  }

  /// A pod that counts comes to a node, or goes.
  void add(int n, int by, boolean leaves) {
    addTo(domainOf[n], by, leaves);
  }

  /// A pod that counts is on a node of another room.
  void addIn(Room other, int n, boolean leaves) {
    addTo(domainIn(other, n), 1, leaves);
  }

  private void addTo(int domain, int by, boolean leaves) {
    if (domain == NO_DOMAIN) {
      return;
    }
    if (leaves) {
      leaving[domain] += by;
      allLeaving += by;
    } else {
      here[domain] += by;
      all += by;
      leastIsOld = true;
    }
  }

  /// A pod that counts and is there is asked to leave, or no more: [#add] tells that it goes.
  void ask(int n, int by) {
    if (domainOf[n] != NO_DOMAIN) {
      asked[domainOf[n]] += by;
    }
  }

  /// A pod that asks for this ban comes to a node, or goes.
  void addAsker(int n, int by, boolean leaves) {
    addAskerTo(domainOf[n], by, leaves);
  }

  /// A pod that asks for this ban is on a node of another room.
  void addAskerIn(Room other, int n, boolean leaves) {
    addAskerTo(domainIn(other, n), 1, leaves);
  }

  private void addAskerTo(int domain, int by, boolean leaves) {
    if (domain != NO_DOMAIN) {
      (leaves ? leavingAskers : askers)[domain] += by;
    }
  }

  boolean hasDomain(int n) {
    return domainOf[n] != NO_DOMAIN;
  }

  /// In the domain of a node.
  ///
  /// @param gone whether those who are leaving are as good as gone
  int at(int n, boolean gone) {
    int domain = domainOf[n];
    return domain == NO_DOMAIN ? 0 : here[domain] + (gone ? 0 : leaving[domain]);
  }

  /// In the domain of a node, those who are asked to leave with them.
  boolean isAnyStillAt(int n) {
    int domain = domainOf[n];
    return domain != NO_DOMAIN && here[domain] + leaving[domain] + asked[domain] > 0;
  }

  int askersAt(int n, boolean gone) {
    int domain = domainOf[n];
    return domain == NO_DOMAIN ? 0 : askers[domain] + (gone ? 0 : leavingAskers[domain]);
  }

  boolean isAnywhere(boolean gone) {
    return all > 0 || !gone && allLeaving > 0;
  }

  /// In the emptiest domain; 0 where there are fewer domains than wanted.
  int least(int minDomains) {
    if (leastIsOld) {
      least = Arrays.stream(here).min().orElse(0);
      leastIsOld = false;
    }
    return here.length < minDomains ? 0 : least;
  }
}
