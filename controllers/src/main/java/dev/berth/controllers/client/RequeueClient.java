package dev.berth.controllers.client;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Instant;

/// Moves an unschedulable pod back into kube-scheduler's active queue.
///
/// kube-scheduler has no API call for that; it requeues a pod that an extender rejected at any
/// update of the pod itself, so the write is an annotation.
@FunctionalInterface
public interface RequeueClient {
  /// Writes nothing.
  RequeueClient NONE = (_, _, _) -> {};

  /// Writes `berth.dev/requeued` on the pod.
  ///
  /// @param now the value of the annotation: another one than last time, so that the pod changes
  void requeue(PodKey pod, PodUid uid, Instant now) throws ClientException;
}
