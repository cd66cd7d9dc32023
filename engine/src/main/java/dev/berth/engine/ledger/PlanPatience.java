package dev.berth.engine.ledger;

import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;

/// What keeps a pod's plan, or its room, beyond the plan's deadline: a victim that is being
/// evicted, or kube-scheduler, which waits for a volume. Guarded by the ledger's lock.
final class PlanPatience {
  private Instant until = Instant.MIN;
  private boolean awaitedVolume;
  private boolean isAskedFor;
  private WrittenPlan letGo = WrittenPlan.NONE;

  /// A plan is made: kube-scheduler has not asked for the pod since.
  void begin() {
    isAskedFor = false;
  }

  /// The plan does not lapse before this.
  void extend(Instant longer) {
    until = longer;
  }

  /// The plan does not lapse before; `MIN` = its deadline counts.
  Instant until() {
    return until;
  }

  /// The plan outlives its deadline because a volume of its block is awaited.
  void awaitVolume() {
    awaitedVolume = true;
  }

  /// @return whether it had outlived its deadline so
  boolean endVolumeWait() {
    boolean had = awaitedVolume;
    awaitedVolume = false;
    return had;
  }

  /// kube-scheduler asks for the pod.
  void ask() {
    isAskedFor = true;
  }

  /// Whether kube-scheduler has asked for the pod since it was planned.
  boolean isAskedFor() {
    return isAskedFor;
  }

  /// kube-scheduler does not keep the room of this plan any more; of earlier ones it does not
  /// either.
  void letGo(WrittenPlan plan) {
    letGo = plan;
  }

  /// Whether kube-scheduler is known not to keep the room of a plan any more.
  boolean hasLetGo(WrittenPlan plan) {
    return letGo.equals(plan);
  }
}
