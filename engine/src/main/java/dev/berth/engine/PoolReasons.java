package dev.berth.engine;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueChain;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Names the node pool in reasons whose amounts are not the same in each: those of a queue that has
/// others in some pool, or lies below one that has.
final class PoolReasons {
  private final TreeSet<QueueName> divided = new TreeSet<>();

  /// @param queues as their objects say
  PoolReasons(List<Queue> queues) {
    if (queues.stream().allMatch(queue -> queue.pools().isEmpty())) {
      return;
    }
    var byName = new TreeMap<QueueName, Queue>();
    queues.forEach(queue -> byName.put(queue.name(), queue));
    for (Queue queue : queues) {
      var chain = QueueChain.of(queue.name(), name -> Optional.ofNullable(byName.get(name)));
      if (chain.stream().anyMatch(each -> !each.pools().isEmpty())) {
        divided.add(queue.name());
      }
    }
  }

  /// @param decisions of the plan of one pool
  List<Decision> named(String pool, List<Decision> decisions) {
    if (divided.isEmpty()) {
      return decisions;
    }
    var all = new ArrayList<Decision>(decisions.size());
    for (Decision each : decisions) {
      all.add(
          each instanceof Decision.Wait(var group, var reason, var ahead)
              ? new Decision.Wait(group, in(pool, reason), ahead)
              : each);
    }
    return all;
  }

  private Reason in(String pool, Reason reason) {
    return switch (reason) {
      case Reason.OverLimit over -> {
        var told = over.besides(in(pool, over.besides()));
        yield divided.contains(over.queue()) ? told.in(pool) : told;
      }
      case Reason.NonPreemptibleOverQuota over -> {
        var told = over.besides(in(pool, over.besides()));
        yield divided.contains(over.queue()) ? told.in(pool) : told;
      }
      case Reason.FairShareReached reached ->
          divided.contains(reached.queue()) ? reached.in(pool) : reached;
      case Reason.BorrowingBackoff held -> divided.contains(held.queue()) ? held.in(pool) : held;
      case Reason.VolumesOverdue overdue ->
          divided.contains(overdue.queue()) ? overdue.in(pool) : overdue;
      case Reason.BudgetsForbid forbid ->
          divided.contains(forbid.keeps().queue()) ? forbid.in(pool) : forbid;
      case Reason.NeverFits never ->
          never.besides().isEmpty() ? never : never.besides(in(pool, never.besides().getFirst()));
      default -> reason; // without amounts of a queue
    };
  }

  private List<Reason> in(String pool, List<Reason> reasons) {
    return reasons.stream().map(each -> in(pool, each)).toList();
  }
}
