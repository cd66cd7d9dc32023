package dev.berth.engine.model;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// How all queues stand at one moment.
///
/// @param total what there is to divide
/// @param queues in name order; in a cluster without Queue objects the default one alone
/// @param groups what queues are charged for the members of each group that has an object; those
///   with nothing are left out
public record Accounts(
    SortedMap<Resource, Long> total,
    List<Account> queues,
    SortedMap<GroupKey, SortedMap<Resource, Long>> groups) {
  public static final Accounts NONE = new Accounts(new TreeMap<>(), List.of(), new TreeMap<>());

  public Accounts {
    total = Collections.unmodifiableSortedMap(new TreeMap<>(total));
    queues = List.copyOf(queues);
    groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
  }

  /// What queues have now, allocated / total, for [Usage#advance]. All queues are in it; of what
  /// there is none of, nothing is used.
  public SortedMap<QueueName, SortedMap<Resource, Double>> use() {
    var use = new TreeMap<QueueName, SortedMap<Resource, Double>>();
    for (Account account : queues) {
      var fractions = new TreeMap<Resource, Double>();
      account
          .allocated()
          .forEach((resource, amount) -> {
            long whole = total.getOrDefault(resource, 0L);
            if (amount > 0 && whole > 0) {
              fractions.put(resource, (double) amount / whole);
            }
          });
      use.put(account.queue().name(), fractions);
    }
    return use;
  }

  /// The same as of one node pool, which is a part of the cluster.
  public Accounts ofPool(String pool) {
    return new Accounts(total, queues.stream().map(each -> each.ofPool(pool)).toList(), groups);
  }

  /// The same of the queues as their objects say, not as they are in a pool.
  public Accounts of(List<Queue> whole) {
    var byName = new TreeMap<QueueName, Queue>();
    whole.forEach(queue -> byName.put(queue.name(), queue));
    return new Accounts(
        total,
        queues.stream()
            .map(each -> each.of(byName.getOrDefault(each.queue().name(), each.queue())))
            .toList(),
        groups);
  }

  /// The same queues in this part of the cluster and in another.
  public Accounts plus(Accounts other) {
    var both = new TreeMap<QueueName, Account>();
    for (Account account : queues) {
      both.put(account.queue().name(), account);
    }
    for (Account account : other.queues) {
      both.merge(account.queue().name(), account, Account::plus);
    }
    var together = new TreeMap<>(groups);
    other.groups.forEach((group, charge) -> together.merge(group, charge, Account::sum));
    return new Accounts(Account.sum(total, other.total), new ArrayList<>(both.values()), together);
  }
}
