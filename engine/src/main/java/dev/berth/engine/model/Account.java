package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// How a queue stands at one moment, with those below it; in the numbers that the planner decides
/// by. Amounts are by the resources that a status of it tells of, zeros included.
///
/// @param queue as its object says; where the account is of one node pool, as it is there
/// @param allocated what its workloads have, even if only planned yet
/// @param nonPreemptible of that, what is not preemptible
/// @param requested allocated + pending
/// @param fairShare what it is owed
/// @param overQuota by how much more than its quota it has
/// @param pending workloads that lack their minimum
/// @param running workloads that have it
/// @param flaws what is wrong with it, so that nothing can start in it; empty = nothing
/// @param pools how it stands in each node pool; empty = nodes are not divided
public record Account(
    Queue queue,
    SortedMap<Resource, Long> allocated,
    SortedMap<Resource, Long> nonPreemptible,
    SortedMap<Resource, Long> requested,
    SortedMap<Resource, Long> fairShare,
    Amounts overQuota,
    long pending,
    long running,
    List<Reason> flaws,
    SortedMap<String, Account> pools) {
  public Account {
    allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
    nonPreemptible = Collections.unmodifiableSortedMap(new TreeMap<>(nonPreemptible));
    requested = Collections.unmodifiableSortedMap(new TreeMap<>(requested));
    fairShare = Collections.unmodifiableSortedMap(new TreeMap<>(fairShare));
    flaws = List.copyOf(flaws);
    pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
  }

  /// Where nodes are not divided.
  public Account(
      Queue queue,
      SortedMap<Resource, Long> allocated,
      SortedMap<Resource, Long> nonPreemptible,
      SortedMap<Resource, Long> requested,
      SortedMap<Resource, Long> fairShare,
      Amounts overQuota,
      long pending,
      long running,
      List<Reason> flaws) {
    this(
        queue,
        allocated,
        nonPreemptible,
        requested,
        fairShare,
        overQuota,
        pending,
        running,
        flaws,
        Collections.emptySortedMap());
  }

  /// How it stands in a node pool; empty where nodes are not divided, and of a pool without nodes.
  public Optional<Account> in(String pool) {
    return Optional.ofNullable(pools.get(pool));
  }

  /// The same as a part of the whole.
  Account ofPool(String pool) {
    return with(queue, new TreeMap<>(Map.of(pool, this)));
  }

  /// The same of the queue as its object says.
  Account of(Queue whole) {
    return with(whole, pools);
  }

  private Account with(Queue its, SortedMap<String, Account> parts) {
    return new Account(
        its,
        allocated,
        nonPreemptible,
        requested,
        fairShare,
        overQuota,
        pending,
        running,
        flaws,
        parts);
  }

  /// The same queue in this part of the cluster and in another.
  Account plus(Account other) {
    var all = new TreeMap<>(pools);
    all.putAll(other.pools);
    return new Account(
        queue,
        sum(allocated, other.allocated),
        sum(nonPreemptible, other.nonPreemptible),
        sum(requested, other.requested),
        sum(fairShare, other.fairShare),
        overQuota.plus(other.overQuota),
        pending + other.pending,
        running + other.running,
        flaws,
        all);
  }

  static SortedMap<Resource, Long> sum(
      SortedMap<Resource, Long> one, SortedMap<Resource, Long> two) {
    var sum = new TreeMap<>(one);
    two.forEach((resource, amount) ->
        sum.merge(resource, amount, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b));
    return sum;
  }
}
