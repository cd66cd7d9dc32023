package dev.berth.engine.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// A tenant in the tree, as its object says. `gpu` is in thousandths of a device.
///
/// @param generation of its spec; 0 = not told
/// @param parent none = below the root
/// @param quota deserved; absent = 0, [#UNLIMITED] = all
/// @param zeroQuota resources whose quota is 0 by word, which `quota` does not list
/// @param limit absent = no limit
/// @param weight over-quota weight; absent = 1, 0 = none
/// @param pools what it has in node pools where that is not the same as in all others, by the name
///   of the pool
/// @param preemptMinRuntime zero = look at the ancestors
/// @param reclaimMinRuntime zero = look at the ancestors
/// @param maxRuntime after this time workloads of it and of queues below it are evicted
///   ([MaxRuntime]); zero = it says none
/// @param maxRuntimeWarning how long before a group is evicted for its max-runtime it is warned;
///   zero = look at the ancestors
/// @param idle what happens to workloads whose GPUs do nothing
/// @param namespaces whose pods it takes, by labels of their namespace; empty = the parent's, at
///   the root all
public record Queue(
    QueueName name,
    long version,
    long generation,
    Instant created,
    QueueName parent,
    int priority,
    Amounts quota,
    SortedSet<Resource> zeroQuota,
    SortedMap<Resource, Long> limit,
    SortedMap<Resource, Double> weight,
    SortedMap<String, QueueInPool> pools,
    Duration preemptMinRuntime,
    Duration reclaimMinRuntime,
    Duration maxRuntime,
    Duration maxRuntimeWarning,
    IdleRule idle,
    Optional<LabelSelector> namespaces,
    List<Problem> problems) {
  public static final long UNLIMITED = Long.MAX_VALUE;

  public Queue {
    zeroQuota = Collections.unmodifiableSortedSet(new TreeSet<>(zeroQuota));
    limit = Collections.unmodifiableSortedMap(new TreeMap<>(limit));
    weight = Collections.unmodifiableSortedMap(new TreeMap<>(weight));
    pools = Collections.unmodifiableSortedMap(new TreeMap<>(pools));
    problems = List.copyOf(problems);
  }

  /// Its generation is not told; no quota is 0 by word; it has the same in each pool, and no
  /// max-runtime; it takes the pods that its parent takes.
  public Queue(
      QueueName name,
      long version,
      Instant created,
      QueueName parent,
      int priority,
      Amounts quota,
      SortedMap<Resource, Long> limit,
      SortedMap<Resource, Double> weight,
      Duration preemptMinRuntime,
      Duration reclaimMinRuntime,
      List<Problem> problems) {
    this(
        name,
        version,
        0,
        created,
        parent,
        priority,
        quota,
        Collections.emptySortedSet(),
        limit,
        weight,
        Collections.emptySortedMap(),
        preemptMinRuntime,
        reclaimMinRuntime,
        Duration.ZERO,
        Duration.ZERO,
        IdleRule.NONE,
        Optional.empty(),
        problems);
  }

  /// A queue without an object.
  ///
  /// @param owner whether everything is its own
  public static Queue implied(QueueName name, boolean owner) {
    var all = new TreeMap<Resource, Long>();
    if (owner) {
      all.put(Resource.GPU, UNLIMITED);
      all.put(Resource.CPU, UNLIMITED);
      all.put(Resource.MEMORY, UNLIMITED);
    }
    return new Queue(
        name,
        0,
        Instant.MAX,
        QueueName.NONE,
        IMPLIED_PRIORITY,
        Amounts.of(all),
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        Duration.ZERO,
        Duration.ZERO,
        List.of());
  }

  private static final int IMPLIED_PRIORITY = 100;

  /// Whether there is no object of it.
  public boolean isImplied() {
    return version == 0 && created.equals(Instant.MAX);
  }

  /// Whether it has a quota of anything, even if it is 0.
  public boolean declaresQuota() {
    return !quota.isNone() || !zeroQuota.isEmpty();
  }

  /// The same as of another object, or another version of it.
  public Queue of(long version, long generation, Instant created) {
    return new Queue(
        name,
        version,
        generation,
        created,
        parent,
        priority,
        quota,
        zeroQuota,
        limit,
        weight,
        pools,
        preemptMinRuntime,
        reclaimMinRuntime,
        maxRuntime,
        maxRuntimeWarning,
        idle,
        namespaces,
        problems);
  }

  /// As it is in a node pool.
  public Queue in(String pool) {
    var other = pools.get(pool);
    if (other == null) {
      return this;
    }
    return new Queue(
        name,
        version,
        generation,
        created,
        parent,
        priority,
        other.quota().orElse(quota),
        other.quota().isPresent() ? other.zeroQuota() : zeroQuota,
        other.limit().orElse(limit),
        other.weight().orElse(weight),
        pools,
        preemptMinRuntime,
        reclaimMinRuntime,
        maxRuntime,
        maxRuntimeWarning,
        idle,
        namespaces,
        problems);
  }

  /// Whether it has a limit anywhere.
  public boolean isLimited() {
    return !limit.isEmpty()
        || pools.values().stream()
            .anyMatch(pool -> pool.limit().filter(it -> !it.isEmpty()).isPresent());
  }

  /// An amount as a status writes it, or `unlimited`.
  public static String text(Resource resource, long amount) {
    return amount == UNLIMITED ? "unlimited" : resource.text(amount);
  }

  /// The limit of one resource; [#UNLIMITED] where there is none.
  public long limitOf(Resource resource) {
    return limit.getOrDefault(resource, UNLIMITED);
  }

  /// The over-quota weight of one resource.
  public double weightOf(Resource resource) {
    return weight.getOrDefault(resource, 1.0);
  }
}
