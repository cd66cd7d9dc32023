package dev.berth.cli.gauges;

import dev.berth.engine.model.Account;
import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Usage;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/// What the accounts of queues add: of gpu, cpu and memory.
final class AccountCounts {
  static final Set<ClusterGauge> GAUGES =
      EnumSet.range(ClusterGauge.CAPACITY, ClusterGauge.QUEUE_CONFIG_ERRORS);

  private static final List<Resource> RESOURCES =
      List.of(Resource.GPU, Resource.CPU, Resource.MEMORY);

  private static final double BILLION = 1e9;

  private AccountCounts() {}

  static void count(Accounts accounts, Usage usage, QueueLabels labels, Counting counts) {
    var parents = new TreeSet<QueueName>();
    for (Account account : accounts.queues()) {
      parents.add(account.queue().parent());
    }
    for (Resource resource : RESOURCES) {
      long total = accounts.total().getOrDefault(resource, 0L);
      counts.add(ClusterGauge.CAPACITY, total, resource.name());
    }
    for (Account account : accounts.queues()) {
      count(account, usage, labels, parents.contains(account.queue().name()), counts);
    }
  }

  private static void count(
      Account account, Usage usage, QueueLabels labels, boolean isParent, Counting counts) {
    Queue queue = account.queue();
    String label = labels.of(queue.name());
    if (!label.equals(QueueLabels.OTHER)) {
      String parent = queue.parent().isNone() ? "" : labels.of(queue.parent());
      counts.add(ClusterGauge.QUEUE_INFO, 1, label, parent, isParent ? "false" : "true");
    }
    counts.add(ClusterGauge.QUEUE_WORKLOADS, account.pending(), label, "pending");
    counts.add(ClusterGauge.QUEUE_WORKLOADS, account.running(), label, "running");
    account.flaws().stream()
        .map(Reason::code)
        .distinct()
        .forEach(code -> counts.add(ClusterGauge.QUEUE_CONFIG_ERRORS, 1, label, code));
    for (Resource resource : RESOURCES) {
      amounts(account, resource, label, counts);
      if (!usage.equals(Usage.NONE)) {
        counts.add(
            ClusterGauge.QUEUE_USAGE,
            Math.round(usage.of(queue.name(), resource) * BILLION),
            label,
            resource.name());
      }
    }
  }

  private static void amounts(Account account, Resource resource, String label, Counting counts) {
    String name = resource.name();
    long quota = account.queue().quota().of(resource);
    long limit = account.queue().limitOf(resource);
    long allocated = of(account.allocated(), resource);
    long share = of(account.fairShare(), resource);
    if (quota != Queue.UNLIMITED) {
      counts.add(ClusterGauge.QUEUE_QUOTA, quota, label, name);
      counts.add(ClusterGauge.QUEUE_BORROWED, account.overQuota().of(resource), label, name);
    }
    if (limit != Queue.UNLIMITED) {
      counts.add(ClusterGauge.QUEUE_LIMIT, limit, label, name);
    }
    counts.add(ClusterGauge.QUEUE_ALLOCATED, allocated, label, name);
    counts.add(
        ClusterGauge.QUEUE_NON_PREEMPTIBLE, of(account.nonPreemptible(), resource), label, name);
    counts.add(ClusterGauge.QUEUE_REQUESTED, of(account.requested(), resource), label, name);
    counts.add(ClusterGauge.QUEUE_FAIR_SHARE, share, label, name);
    counts.add(ClusterGauge.QUEUE_BELOW_FAIR_SHARE, Math.max(0, share - allocated), label, name);
  }

  private static long of(SortedMap<Resource, Long> amounts, Resource resource) {
    return amounts.getOrDefault(resource, 0L);
  }
}
