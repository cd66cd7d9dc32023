package dev.berth.engine.explain;

import dev.berth.engine.model.Account;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// What is told of one eviction.
///
/// @param at when it was decided
/// @param loser the workload of the victim
/// @param gainer the workload for which it leaves; empty = for no other
/// @param queues of both and all above them, from the leaf: the victim's first
/// @param alternatives what would have happened otherwise, the nearest first: each as if the victim
///   and those of the alternatives before could not leave
public record Receipt(
    Instant at,
    PodGroup loser,
    Victim victim,
    Optional<PodGroup> gainer,
    List<QueueChange> queues,
    List<Alternative> alternatives) {
  public Receipt {
    queues = List.copyOf(queues);
    alternatives = List.copyOf(alternatives);
  }

  /// How a queue stands before a plan, and after all of it.
  ///
  /// @param pool the node pool that is planned; empty = nodes are not divided
  public record QueueChange(Account before, Account after, Optional<String> pool) {
    /// Of each resource of which the queue has or had any, in the pool where there are pools.
    public List<QueueAmounts> amounts() {
      var there = pool.flatMap(before::in);
      var then = pool.flatMap(after::in);
      return there.isPresent() && then.isPresent()
          ? amounts(there.get(), then.get())
          : amounts(before, after);
    }

    private List<QueueAmounts> amounts(Account before, Account after) {
      var resources = new TreeSet<>(before.allocated().keySet());
      resources.addAll(after.allocated().keySet());
      return resources.stream()
          .map(each -> amounts(each, before, after))
          .filter(QueueAmounts::isAny)
          .toList();
    }

    private QueueAmounts amounts(Resource resource, Account before, Account after) {
      return new QueueAmounts(
          before.queue().name(),
          pool,
          resource,
          before.queue().quota().of(resource),
          before.allocated().getOrDefault(resource, 0L),
          after.allocated().getOrDefault(resource, 0L),
          before.fairShare().getOrDefault(resource, 0L),
          after.fairShare().getOrDefault(resource, 0L));
    }
  }

  /// The same of one resource. Amounts are as [Resource] has them; [Queue#UNLIMITED] is without
  /// bound.
  ///
  /// @param pool the node pool of which they are; empty = nodes are not divided
  public record QueueAmounts(
      QueueName queue,
      Optional<String> pool,
      Resource resource,
      long quota,
      long allocated,
      long allocatedAfter,
      long fairShare,
      long fairShareAfter) {
    boolean isAny() {
      return allocated != 0 || allocatedAfter != 0;
    }
  }

  public sealed interface Alternative {
    /// Others would have left.
    ///
    /// @param instead the victims of the plan, of the same gainer, that are not among these
    record Others(List<Leaver> leavers, List<Leaver> instead) implements Alternative {
      public Others {
        leavers = List.copyOf(leavers);
        instead = List.copyOf(instead);
      }
    }

    /// There would have been room all the same.
    record EnoughCapacity() implements Alternative {}

    /// The gainer would have waited.
    record Waits(Reason reason) implements Alternative {}
  }

  /// A pod that leaves, with the values that decide which pods leave.
  ///
  /// @param millis thousandths of GPUs that it has; shares by memory count as nothing
  public record Leaver(PodGroup group, Victim victim, long millis) {
    /// Whether it is placed again in the same plan.
    public boolean isMoved() {
      return !victim.again().isNone();
    }
  }
}
