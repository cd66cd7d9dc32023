package dev.berth.cli;

import dev.berth.engine.ledger.LedgerReader;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSummary;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// Looks up in the ledger what a [ClusterListener] is told of a pod that was bound or evicted.
record PodOutcomes(LedgerReader ledger, InstantSource time, ClusterListener listener) {
  void bound(PodUid uid) {
    ledger
        .pod(uid)
        .ifPresent(pod -> listener.bound(queueOf(pod), between(pod.created(), time.instant())));
  }

  void evicted(Victim victim) {
    var pod = ledger.pod(victim.uid());
    listener.evicted(
        new ClusterListener.Eviction(
            victim,
            loser(victim, pod.map(this::queueOf).orElse(QueueName.NONE)),
            gainer(victim),
            pod.map(this::gpuSeconds).orElse(0.0)));
  }

  private GroupSummary loser(Victim victim, QueueName queue) {
    var group = ledger.groupOf(victim.uid());
    return new GroupSummary(
        group.map(PodGroup::key).orElse(GroupKey.NONE),
        queue,
        group.map(PodGroup::priority).orElse(0));
  }

  /// As settled with its plan, which is written on it. Else as its group has it: that looks at all
  /// members of a group that has changed, as it does with each Binding of a gang.
  private QueueName queueOf(Pod pod) {
    var settled = pod.written().plan().chargedTo();
    return settled.isNone()
        ? ledger.groupOf(pod.uid()).map(PodGroup::queue).orElse(QueueName.NONE)
        : settled.queue();
  }

  private GroupSummary gainer(Victim victim) {
    return switch (victim.cause()) {
      case RECLAIM, PREEMPT, CONSOLIDATE ->
          ledger
              .group(victim.beneficiary())
              .map(GroupSummary::of)
              .orElse(new GroupSummary(victim.beneficiary(), QueueName.NONE, 0)); // it is gone
      case STALE, MAX_RUNTIME, IDLE -> GroupSummary.NONE;
    };
  }

  /// MIG instances and claims of devices count nothing.
  private double gpuSeconds(Pod pod) {
    var devices = pod.asks().request().devices();
    var gpus = ledger.node(pod.life().node()).map(Node::accelerator).orElse(Node.Accelerator.NONE);
    int millis = Math.min(1000, devices.millisOn(gpus.memoryMib())) * devices.count();
    var ran = between(pod.life().started(), time.instant());
    return millis / 1000.0 * ran.toSeconds();
  }

  /// Zero where the later one comes first: clocks differ, and `MAX` says that it did not begin.
  private static Duration between(Instant from, Instant until) {
    return from.isBefore(until) ? Duration.between(from, until) : Duration.ZERO;
  }
}
