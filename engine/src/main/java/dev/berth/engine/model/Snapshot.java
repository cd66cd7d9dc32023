package dev.berth.engine.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What Berth believes at one moment. Immutable; lists are in key order and shared by reference
/// between snapshots where nothing changed.
///
/// @param version grows with every change of the ledger
/// @param nodes by name
/// @param queues by name
/// @param groups by key: every group with a member that is not over, and every PodGroup object
/// @param topologies by name
/// @param past what is known of the time before
/// @param strangers pods of other schedulers that are on nodes, by key
/// @param devices what dynamic resource allocation has, and claims on it
/// @param budgets how many pods may be asked to leave, by key
public record Snapshot(
    long version,
    Instant now,
    List<NodeView> nodes,
    List<Queue> queues,
    List<PodGroup> groups,
    List<Topology> topologies,
    Past past,
    List<Pod> strangers,
    DynamicResources devices,
    List<DisruptionBudget> budgets) {

  /// @param usage what queues used
  /// @param moves what consolidation did not long ago
  /// @param demand what pods that arrived ask for
  /// @param backoffs the workloads whose plans came to nothing
  /// @param minRuntimeWaits since when groups wait for a min-runtime
  public record Past(
      Usage usage,
      Moves moves,
      Demand demand,
      Backoffs backoffs,
      MinRuntimeWaits minRuntimeWaits) {}

  /// Nothing is known of strangers, claims and budgets, nothing was moved, and nothing learned.
  public Snapshot(
      long version,
      Instant now,
      List<NodeView> nodes,
      List<Queue> queues,
      List<PodGroup> groups,
      List<Topology> topologies,
      Usage usage) {
    this(
        version,
        now,
        nodes,
        queues,
        groups,
        topologies,
        new Past(usage, Moves.NONE, Demand.NONE, Backoffs.NONE, MinRuntimeWaits.NONE),
        Collections.emptyList(),
        DynamicResources.NONE,
        Collections.emptyList());
  }

  /// Nothing is known of the past.
  public Snapshot(
      long version,
      Instant now,
      List<NodeView> nodes,
      List<Queue> queues,
      List<PodGroup> groups,
      List<Topology> topologies) {
    this(version, now, nodes, queues, groups, topologies, Usage.NONE);
  }

  public Usage usage() {
    return past.usage;
  }

  public Moves moves() {
    return past.moves;
  }

  public Demand demand() {
    return past.demand;
  }

  public Backoffs backoffs() {
    return past.backoffs;
  }

  public Snapshot with(MinRuntimeWaits other) {
    return with(new Past(past.usage, past.moves, past.demand, past.backoffs, other));
  }

  public Snapshot with(Usage other) {
    return with(new Past(other, past.moves, past.demand, past.backoffs, past.minRuntimeWaits));
  }

  public Snapshot with(Moves other) {
    return with(new Past(past.usage, other, past.demand, past.backoffs, past.minRuntimeWaits));
  }

  public Snapshot with(Demand other) {
    return with(new Past(past.usage, past.moves, other, past.backoffs, past.minRuntimeWaits));
  }

  public Snapshot with(Backoffs other) {
    return with(new Past(past.usage, past.moves, past.demand, other, past.minRuntimeWaits));
  }

  private Snapshot with(Past other) {
    return new Snapshot(
        version, now, nodes, queues, groups, topologies, other, strangers, devices, budgets);
  }

  public Snapshot with(List<Pod> others, DynamicResources claimed) {
    return new Snapshot(
        version, now, nodes, queues, groups, topologies, past, others, claimed, budgets);
  }

  public Snapshot with(List<DisruptionBudget> others) {
    return new Snapshot(
        version, now, nodes, queues, groups, topologies, past, strangers, devices, others);
  }

  /// A part of it: some of its nodes and groups, in the same order.
  ///
  /// @param its the same queues, as they are there
  public Snapshot of(List<NodeView> some, List<Queue> its, List<PodGroup> few) {
    return new Snapshot(
        version, now, some, its, few, topologies, past, strangers, devices, budgets);
  }

  /// A lookup by name; O(log nodes).
  public Optional<NodeView> node(NodeName name) {
    return find(nodes, NodeView::name, name);
  }

  /// A lookup by key; O(log groups).
  public Optional<PodGroup> group(GroupKey key) {
    return find(groups, PodGroup::key, key);
  }

  /// A lookup by name; O(log queues).
  public Optional<Queue> queue(QueueName name) {
    return find(queues, Queue::name, name);
  }

  private static <K extends Comparable<K>, V> Optional<V> find(
      List<V> inOrder, Function<V, K> keyOf, K key) {
    int index = BinarySearch.indexOf(inOrder, keyOf, key);
    return index < 0 ? Optional.empty() : Optional.of(inOrder.get(index));
  }

  /// An empty cluster.
  public static Snapshot empty(Instant now) {
    return new Snapshot(
        0,
        now,
        Collections.emptyList(),
        Collections.emptyList(),
        Collections.emptyList(),
        Collections.emptyList());
  }

  public Optional<Topology> topology(String name) {
    return topologies.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
