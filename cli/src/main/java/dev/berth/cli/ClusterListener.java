package dev.berth.cli;

import dev.berth.engine.model.Accounts;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Usage;
import java.time.Duration;

/// Hears what becomes of queues and pods, for metrics. Called by any thread: must not block.
interface ClusterListener {
  /// Hears nothing.
  ClusterListener NONE =
      new ClusterListener() {
        @Override
        public void kept(Accounts accounts, Usage usage) {}

        @Override
        public void bound(QueueName queue, Duration waited) {}

        @Override
        public void evicted(Eviction eviction) {}

        @Override
        public void lapsed(int plans) {}
      };

  /// How queues stand; see [dev.berth.controllers.cycle.Cycle.CycleListener#kept].
  void kept(Accounts accounts, Usage usage);

  /// A Binding of a pod is written.
  ///
  /// @param waited since the pod was created
  void bound(QueueName queue, Duration waited);

  /// A pod was asked to leave, with success.
  void evicted(Eviction eviction);

  /// Plans were given back: their deadline passed, others took their room, or their queues may not
  /// have them any more.
  void lapsed(int plans);

  /// Both hear, this one first.
  default ClusterListener and(ClusterListener other) {
    var first = this;
    return new ClusterListener() {
      @Override
      public void kept(Accounts accounts, Usage usage) {
        first.kept(accounts, usage);
        other.kept(accounts, usage);
      }

      @Override
      public void bound(QueueName queue, Duration waited) {
        first.bound(queue, waited);
        other.bound(queue, waited);
      }

      @Override
      public void evicted(Eviction eviction) {
        first.evicted(eviction);
        other.evicted(eviction);
      }

      @Override
      public void lapsed(int plans) {
        first.lapsed(plans);
        other.lapsed(plans);
      }
    };
  }

  /// @param loser the workload of the pod, with the queue that loses it; none = it is not known any
  ///   more
  /// @param gainer the workload that gains its room; none = it leaves for no other
  /// @param gpuSeconds GPUs of the pod × the time that it ran
  record Eviction(Victim victim, GroupSummary loser, GroupSummary gainer, double gpuSeconds) {
    Cause cause() {
      return victim.cause();
    }
  }
}
