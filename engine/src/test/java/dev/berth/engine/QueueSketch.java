package dev.berth.engine;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.IdleRule;
import dev.berth.engine.model.LabelSelector;
import dev.berth.engine.model.LabelSelector.Requirement;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueInPool;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// A queue in the words of a test: `quota(4).limit(8).below("ml")`, in GPUs.
public final class QueueSketch {
  private final TreeMap<Resource, Long> quota = new TreeMap<>();
  private final TreeMap<Resource, Long> limit = new TreeMap<>();
  private final TreeMap<Resource, Double> weight = new TreeMap<>();
  private final TreeMap<String, QueueInPool> pools = new TreeMap<>();
  private QueueName parent = QueueName.NONE;
  private int priority = 100;
  private int daysOld;
  private Duration preemptMinRuntime = Duration.ZERO;
  private Duration reclaimMinRuntime = Duration.ZERO;
  private Duration maxRuntime = Duration.ZERO;
  private Duration maxRuntimeWarning = Duration.ZERO;
  private IdleRule idle = IdleRule.NONE;
  private Optional<LabelSelector> namespaces = Optional.empty();

  public static QueueSketch anything() {
    return new QueueSketch();
  }

  public static QueueSketch quota(double gpus) {
    return new QueueSketch()
        .quota(Resource.GPU, (long) (gpus * 1000))
        .quota(Resource.CPU, Queue.UNLIMITED)
        .quota(Resource.MEMORY, Queue.UNLIMITED);
  }

  public QueueSketch quota(Resource resource, long amount) {
    quota.put(resource, amount);
    return this;
  }

  public QueueSketch limit(double gpus) {
    return limit(Resource.GPU, (long) (gpus * 1000));
  }

  public QueueSketch limit(Resource resource, long amount) {
    limit.put(resource, amount);
    return this;
  }

  public QueueSketch weight(double value) {
    return weight(Resource.GPU, value);
  }

  public QueueSketch weight(Resource resource, double value) {
    weight.put(resource, value);
    return this;
  }

  /// In this pool its quota, limit and weight are those of another, as far as that has such.
  public QueueSketch inPool(String pool, QueueSketch other) {
    pools.put(
        pool,
        new QueueInPool(
            other.quota.isEmpty() ? Optional.empty() : Optional.of(Amounts.of(other.quota)),
            other.zeroQuota(),
            other.limit.isEmpty() ? Optional.empty() : Optional.of(other.limit),
            other.weight.isEmpty() ? Optional.empty() : Optional.of(other.weight)));
    return this;
  }

  public QueueSketch priority(int value) {
    priority = value;
    return this;
  }

  public QueueSketch daysOld(int days) {
    daysOld = days;
    return this;
  }

  public QueueSketch preemptMinRuntime(Duration time) {
    preemptMinRuntime = time;
    return this;
  }

  public QueueSketch reclaimMinRuntime(Duration time) {
    reclaimMinRuntime = time;
    return this;
  }

  public QueueSketch maxRuntime(Duration time) {
    maxRuntime = time;
    return this;
  }

  public QueueSketch maxRuntimeWarning(Duration time) {
    maxRuntimeWarning = time;
    return this;
  }

  /// Reports workloads whose GPUs are below 5 % for so long.
  public QueueSketch reportsIdle(Duration after) {
    idle = new IdleRule(QueueName.NONE, after, IdleRule.BELOW, IdleRule.WARNING, false);
    return this;
  }

  /// Evicts them.
  ///
  /// @param warning from when they are told
  public QueueSketch evictsIdle(Duration after, Duration warning) {
    idle = new IdleRule(QueueName.NONE, after, IdleRule.BELOW, warning, true);
    return this;
  }

  /// Takes pods of namespaces with this label alone.
  public QueueSketch namespacesWith(String label, String value) {
    var labelled = new Requirement(label, LabelSelector.Operator.IN, List.of(value));
    namespaces = Optional.of(new LabelSelector(List.of(labelled)));
    return this;
  }

  /// Takes pods of all namespaces, whatever the parent does.
  public QueueSketch allNamespaces() {
    namespaces = Optional.of(new LabelSelector(List.of()));
    return this;
  }

  public QueueSketch below(String name) {
    parent = new QueueName(name);
    return this;
  }

  private TreeSet<Resource> zeroQuota() {
    var zeros = new TreeSet<>(quota.keySet());
    zeros.removeIf(resource -> quota.getOrDefault(resource, 0L) != 0);
    return zeros;
  }

  public Queue named(String name) {
    return new Queue(
        new QueueName(name),
        1,
        0,
        Instant.EPOCH.minus(Duration.ofDays(daysOld)),
        parent,
        priority,
        Amounts.of(quota),
        zeroQuota(),
        limit,
        weight,
        pools,
        preemptMinRuntime,
        reclaimMinRuntime,
        maxRuntime,
        maxRuntimeWarning,
        new IdleRule(
            idle.isNone() ? QueueName.NONE : new QueueName(name),
            idle.after(),
            idle.below(),
            idle.warning(),
            idle.evicts()),
        namespaces,
        List.of());
  }
}
