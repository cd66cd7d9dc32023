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

/// Who is still to be asked to leave below each queue that has a limit, and which plans may count
/// on that.
final class LimitHeadroom {
  private final GroupStates groups;
  private final NamedObjects<QueueName, Queue> queues;

  /// By queue with a limit; who is on his way, or stays after all, is taken out when he is met.
  private final TreeMap<QueueName, LinkedHashSet<PodRecord>> toBeAsked = new TreeMap<>();

  /// By queue with a limit: whose plan was let in only after others, while somebody there was to be
  /// asked. It may be his leaving that the limit let it in for.
  private final TreeMap<QueueName, LinkedHashSet<PodRecord>> counting = new TreeMap<>();

  LimitHeadroom(GroupStates groups, NamedObjects<QueueName, Queue> queues) {
    this.groups = groups;
    this.queues = queues;
  }

  /// A victim of a plan that is kept.
  void makesWay(PodRecord victim) {
    for (QueueName queue : limitedAbove(victim)) {
      toBeAsked.computeIfAbsent(queue, _ -> new LinkedHashSet<>()).add(victim);
    }
  }

  /// Whether anybody is below a limit that a pod is below too, and is still to be asked.
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

  /// Who is below a limit that a pod is below too, and is still to be asked.
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

  /// Plans that may count on somebody to leave who stays; they are told once.
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

  /// Forgets the plans that count on nobody any more.
  void tidy() {
    counting.keySet().removeIf(queue -> !isAnyToBeAskedBelow(queue));
    counting.values().forEach(plans -> plans.removeIf(plan -> !mayCount(plan)));
  }

  /// A gate is lifted, and a Binding written, once those it counted on are on their way.
  private static boolean mayCount(PodRecord plan) {
    return plan.isPlanned() && !plan.isUngating() && !plan.isBinding();
  }

  /// Whether both are below one limit.
  boolean isSharedBy(PodRecord one, PodRecord other) {
    return !Collections.disjoint(limitedAbove(one), limitedAbove(other));
  }

  /// Whether he is to leave for somebody's plan, and is not on his way.
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
      if (!next.get().limit().isEmpty()) {
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
