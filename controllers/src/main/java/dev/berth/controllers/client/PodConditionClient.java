package dev.berth.controllers.client;

import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;

/// Why a pod waits, on the pod: in the condition `PodScheduled` of pods behind Berth's gate, which
/// no other component writes, and in the annotation `berth.dev/waiting` where kube-scheduler has
/// written that condition. It writes that of pods without a gate alone, and only when they are
/// bound or refused.
public interface PodConditionClient {
  /// Writes nothing.
  PodConditionClient NONE =
      new PodConditionClient() {
        @Override
        public void waits(PodKey pod, PodUid uid, long version, String message) {}

        @Override
        public void annotates(PodKey pod, PodUid uid, String message) {}
      };

  /// Writes why it is not scheduled; its `reason` stays `SchedulingGated`. A pod that has changed
  /// since that version is `CONFLICT`, so that no pod that was bound meanwhile is told to wait.
  ///
  /// @param version `resourceVersion` that it was seen with; not 0
  /// @param message what stands there from now on
  void waits(PodKey pod, PodUid uid, long version, String message) throws ClientException;

  /// Writes the annotation.
  ///
  /// @param message empty = the annotation is removed
  void annotates(PodKey pod, PodUid uid, String message) throws ClientException;
}
