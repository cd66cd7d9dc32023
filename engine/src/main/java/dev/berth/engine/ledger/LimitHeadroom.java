package dev.berth.engine.ledger;

import dev.berth.engine.ledger.objects.NamedObjects;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which victims are still to be evicted below each queue that has a limit, and which plans may
/// count on that.
final class LimitHeadroom {
  private final GroupStates groups;
  private final NamedObjects<QueueName, Queue> queues;

  /// Victims to evict, by queue with a limit. Evicted and spared ones are removed when met.
  private final TreeMap<QueueName, LinkedHashSet<PodRecord>> toBeAsked = new TreeMap<>();

  /// Plans that were admitted under a limit only because a victim is expected to leave, by queue
  /// with that limit.
  private final TreeMap<QueueName, LinkedHashSet<PodRecord>> counting = new TreeMap<>();

  LimitHeadroom(GroupStates groups, NamedObjects<QueueName, Queue> queues) {
    this.groups = groups;
    this.queues = queues;
  }

  /// Adds a victim of a plan that is kept.
  void makesWay(PodRecord victim) {
    for (QueueName queue : limitedAbove(victim)) {
      toBeAsked.computeIfAbsent(queue, _ -> new LinkedHashSet<>()).add(victim);
    }
  }

  /// Whether a victim below one of the pod's limits has not been evicted yet.
  boolean isAnyToBeAskedFor(PodRecord pod) {
    if (toBeAsked.isEmpty()) {
      return false;
    }
    for (QueueName queue : limitedAbove(pod)) {
      if (isAnyToBeAskedBelow(queue)) {
        return true;
      }
    }
    return false;
  }

  /// The victims below the pod's limits that have not been evicted yet.
  Set<PodRecord> toBeAskedFor(PodRecord pod) {
    var all = new LinkedHashSet<PodRecord>();
    for (QueueName queue : limitedAbove(pod)) {
      if (isAnyToBeAskedBelow(queue)) {
        toBeAsked.getOrDefault(queue, new LinkedHashSet<>()).stream()
            .filter(LimitHeadroom::isToBeAsked)
            .forEach(all::add);
      }
    }
    return all;
  }

  private boolean isAnyToBeAskedBelow(QueueName queue) {
    var victims = toBeAsked.getOrDefault(queue, new LinkedHashSet<>());
    while (!victims.isEmpty()) {
      if (isToBeAsked(victims.getFirst())) {
        return true;
      }
      victims.removeFirst();
    }
    toBeAsked.remove(queue);
    return false;
  }

  /// A plan that is kept.
  void letsIn(PodRecord preemptor) {
    if (toBeAsked.isEmpty() || !preemptor.afterOthers) {
      return;
    }
    for (QueueName queue : limitedAbove(preemptor)) {
      if (isAnyToBeAskedBelow(queue)) {
        counting.computeIfAbsent(queue, _ -> new LinkedHashSet<>()).add(preemptor);
      }
    }
  }

  /// Plans that may have been admitted because of this victim, which stays; each is returned once.
  List<PodRecord> letInFor(PodRecord victim) {
    var plans = new ArrayList<PodRecord>(0);
    if (!counting.isEmpty()) {
      for (QueueName queue : limitedAbove(victim)) {
        plans.addAll(counting.getOrDefault(queue, new LinkedHashSet<>()));
        counting.remove(queue);
      }
    }
    plans.removeIf(plan -> !mayCount(plan));
    return plans;
  }

  /// Drops plans that no longer depend on a victim.
  void tidy() {
    counting.keySet().removeIf(queue -> !isAnyToBeAskedBelow(queue));
    counting.values().forEach(plans -> plans.removeIf(plan -> !mayCount(plan)));
  }

  /// A gate is lifted, and a Binding written, only once the expected victims are evicted.
  private static boolean mayCount(PodRecord plan) {
    return plan.isPlanned() && !plan.isUngating() && !plan.isBinding();
  }

  /// Whether both are below one limit.
  boolean isSharedBy(PodRecord one, PodRecord other) {
    return !Collections.disjoint(limitedAbove(one), limitedAbove(other));
  }

  /// Whether it is a victim of a standing plan and not terminating yet.
  static boolean isToBeAsked(PodRecord victim) {
    return victim.charge.node() != NodeUsage.NOWHERE
        && !victim.pod.life().leaving()
        && victim.isVictim();
  }

  /// The queue of a pod and those above it, as far as they have limits. A circle ends where it
  /// closes.
  private TreeSet<QueueName> limitedAbove(PodRecord pod) {
    var limited = new TreeSet<QueueName>();
    var passed = new TreeSet<QueueName>();
    var next = queues.find(queueOf(pod));
    while (next.isPresent() && passed.add(next.get().name())) {
      if (next.get().isLimited()) {
        limited.add(next.get().name());
      }
      next = queues.find(next.get().parent());
    }
    return limited;
  }

  private QueueName queueOf(PodRecord pod) {
    return Optional.of(pod.account())
        .filter(group -> group != GroupState.NONE)
        .map(group -> groups.show(group).queue())
        .orElse(QueueName.NONE);
  }
}
