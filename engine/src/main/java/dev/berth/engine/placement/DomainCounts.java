package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints.Peers;
import dev.berth.engine.model.Pod;
import dev.berth.engine.placement.DomainMap.Where;
import dev.berth.engine.session.FreeCapacity;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/// How many pods of one kind are in each domain of one topology key, as the session is now.
///
/// Terminating pods are counted apart: for most terms they are there still. Of a ban
/// (anti-affinity) the pods that ask for it are counted, too. A term that counts no pod has no
/// table.
final class DomainCounts {
  static final int NO_BAN = -1;

  private static final int[] NO_PODS = {};
  private static final int FEW = 4; // expressions, that cost as much as the rest of a comparison

  private final int number;
  private final Question question;
  private final long weight;
  private final DomainMap map;
  private int[] here = NO_PODS;
  private int[] leaving = NO_PODS;
  private int[] asked = NO_PODS;
  private int[] askers = NO_PODS;
  private int[] leavingAskers = NO_PODS;
  private final BitSet asking = new BitSet(0); // domains that had askers
  private boolean isBan;
  private boolean isJudged;
  private int all;
  private int allLeaving;
  private int allAskers;
  private int least;
  private boolean leastIsOld = true;

  /// Which pods, in which domains.
  ///
  /// @param peers all of these must include a pod
  record Question(List<Peers> peers, Where where) {}

  DomainCounts(int number, Question question, DomainMap map) {
    this.number = number;
    this.question = question;
    this.weight = weight(question.peers);
    this.map = map;
  }

  int number() {
    return number;
  }

  /// What one comparison with a pod costs: 1 where few expressions are walked, which is usual.
  long weight() {
    return weight;
  }

  static long weight(List<Peers> peers) {
    long expressions = 0;
    for (Peers each : peers) {
      expressions += each.expressions().size();
    }
    return 1 + expressions / FEW;
  }

  List<Peers> peers() {
    return question.peers;
  }

  DomainMap map() {
    return map;
  }

  String topologyKey() {
    return map.topologyKey();
  }

  /// Whether it is the anti-affinity of any pod.
  boolean isBan() {
    return isBan;
  }

  void becomeBan() {
    isBan = true;
  }

  /// Whether pods are counted: there may be more to count than one plan can.
  boolean isJudged() {
    return isJudged;
  }

  void judge() {
    isJudged = true;
  }

  /// By node; -1 = in none. Not to be changed.
  int[] domainOf() {
    return map.domainOf();
  }

  int domains() {
    return map.domains();
  }

  boolean counts(Pod pod) {
    for (Peers peers : question.peers) {
      if (!peers.include(pod.key().namespace(), pod.traits().labels())) {
        return false;
      }
    }
    return true;
  }

  /// A pod that counts comes to a node, or goes.
  void add(int n, int by, boolean leaves) {
    addTo(map.domainOf(n), by, leaves);
  }

  /// A pod that counts is on a node of another room.
  void addIn(FreeCapacity other, int n, boolean leaves) {
    addTo(map.domainIn(other, n), 1, leaves);
  }

  private void addTo(int domain, int by, boolean leaves) {
    if (domain == DomainMap.NONE) {
      return;
    }
    if (leaves) {
      leaving = table(leaving);
      leaving[domain] += by;
      allLeaving += by;
    } else {
      here = table(here);
      here[domain] += by;
      all += by;
      leastIsOld = true;
    }
  }

  private int[] table(int[] counts) {
    return counts.length == 0 ? new int[map.domains()] : counts;
  }

  /// A pod that counts and is there is asked to leave, or no more: [#add] tells that it goes.
  void ask(int n, int by) {
    int domain = map.domainOf(n);
    if (domain != DomainMap.NONE) {
      asked = table(asked);
      asked[domain] += by;
    }
  }

  /// A pod that asks for this ban comes to a node, or goes.
  void addAsker(int n, int by, boolean leaves) {
    addAskerTo(map.domainOf(n), by, leaves);
  }

  /// A pod that asks for this ban is on a node of another room.
  void addAskerIn(FreeCapacity other, int n, boolean leaves) {
    addAskerTo(map.domainIn(other, n), 1, leaves);
  }

  private void addAskerTo(int domain, int by, boolean leaves) {
    if (domain == DomainMap.NONE) {
      return;
    }
    allAskers += by;
    asking.set(domain);
    if (leaves) {
      leavingAskers = table(leavingAskers);
      leavingAskers[domain] += by;
    } else {
      askers = table(askers);
      askers[domain] += by;
    }
  }

  boolean hasDomain(int n) {
    return map.domainOf(n) != DomainMap.NONE;
  }

  /// In the domain of a node.
  ///
  /// @param gone whether leaving pods are as good as gone
  int at(int n, boolean gone) {
    int domain = map.domainOf(n);
    return domain == DomainMap.NONE ? 0 : count(here, domain) + (gone ? 0 : count(leaving, domain));
  }

  private static int count(int[] counts, int domain) {
    return counts.length == 0 ? 0 : counts[domain];
  }

  /// In the domain of a node, with the victims.
  boolean isAnyStillAt(int n) {
    int domain = map.domainOf(n);
    return domain != DomainMap.NONE
        && count(here, domain) + count(leaving, domain) + count(asked, domain) > 0;
  }

  int askersAt(int n, boolean gone) {
    int domain = map.domainOf(n);
    return domain == DomainMap.NONE ? 0 : askersIn(domain, gone);
  }

  private int askersIn(int domain, boolean gone) {
    return count(askers, domain) + (gone ? 0 : count(leavingAskers, domain));
  }

  /// Whether any pod that asks for this ban is anywhere.
  boolean isAsked() {
    return allAskers > 0;
  }

  /// Gives every node that is banned the number of this ban, unless it has one.
  void mark(int[] banned, boolean gone) {
    for (int d = asking.nextSetBit(0); d >= 0; d = asking.nextSetBit(d + 1)) {
      if (askersIn(d, gone) > 0) {
        for (int n : map.nodesOf(d)) {
          banned[n] = banned[n] == NO_BAN ? number : banned[n];
        }
      }
    }
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
    return map.domains() < minDomains ? 0 : least;
  }
}
