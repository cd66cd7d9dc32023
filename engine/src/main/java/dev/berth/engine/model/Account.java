package dev.berth.engine.model;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// How a queue stands at one moment, with those below it; in the numbers that the planner decides
/// by. Amounts are by the resources that a status of it tells of, zeros included.
///
/// @param allocated what its workloads have, even if only planned yet
/// @param nonPreemptible of that, what is not preemptible
/// @param requested allocated + pending
/// @param fairShare what it is owed
/// @param overQuota by how much more than its quota it has
/// @param pending workloads that lack their minimum
/// @param running workloads that have it
/// @param flaws what is wrong with it, so that nothing can start in it; empty = nothing
public record Account(
    Queue queue,
    SortedMap<Resource, Long> allocated,
    SortedMap<Resource, Long> nonPreemptible,
    SortedMap<Resource, Long> requested,
    SortedMap<Resource, Long> fairShare,
    Amounts overQuota,
    long pending,
    long running,
    List<Reason> flaws) {
  public Account {
    allocated = Collections.unmodifiableSortedMap(new TreeMap<>(allocated));
    nonPreemptible = Collections.unmodifiableSortedMap(new TreeMap<>(nonPreemptible));
    requested = Collections.unmodifiableSortedMap(new TreeMap<>(requested));
    fairShare = Collections.unmodifiableSortedMap(new TreeMap<>(fairShare));
    flaws = List.copyOf(flaws);
  }

  /// The same queue in this part of the cluster and in another.
  Account plus(Account other) {
    return new Account(
        queue,
        sum(allocated, other.allocated),
        sum(nonPreemptible, other.nonPreemptible),
        sum(requested, other.requested),
        sum(fairShare, other.fairShare),
        overQuota.plus(other.overQuota),
        pending + other.pending,
        running + other.running,
        flaws);
  }

  static SortedMap<Resource, Long> sum(
      SortedMap<Resource, Long> one, SortedMap<Resource, Long> two) {
    var sum = new TreeMap<>(one);
    two.forEach((resource, amount) ->
        sum.merge(resource, amount, (a, b) -> a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b));
    return sum;
  }
}
