package dev.berth.controllers.client;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.time.Duration;
import java.util.SortedMap;

/// Writes on pods. All name the UID, so a namesake is never touched (`GONE`).
public interface PodClient {
  /// One patch: the plan on (`berth.dev/plan`), Berth's gate and `berth.dev/preemptor` off; gates
  /// of others stay. For a pod without Berth's gate it writes the plan alone, which wakes
  /// kube-scheduler. A pod that has changed since that version is `CONFLICT`: a try that is done
  /// late must not write a past plan over a later one.
  ///
  /// @param version `resourceVersion` that it was seen with; 0 = whatever it is
  void lift(PodKey pod, PodUid uid, long version, String plan) throws ClientException;

  /// Writes `status.nominatedNodeName`; `NodeName.NONE` takes it off.
  ///
  /// @return the pod's `resourceVersion` after it; 0 = not told
  long nominate(PodKey pod, PodUid uid, NodeName node) throws ClientException;

  /// Writes `berth.dev/preemptor` with the pod's own UID, or takes it off.
  void markPreemptor(PodKey pod, PodUid uid, boolean isPreemptor) throws ClientException;

  /// Writes a condition of the status, to the second; the others stay.
  void warns(PodKey pod, PodUid uid, PodWarning warning) throws ClientException;

  /// One Binding that carries the annotations. Bound to that node already is success; bound
  /// elsewhere is `CONFLICT`. A lost reply is found out by reading the pod again.
  void bind(PodKey pod, PodUid uid, NodeName node, SortedMap<String, String> annotations)
      throws ClientException;

  /// Reads the pod past every cache: whether this incarnation has that node. No write.
  ///
  /// @throws ClientException `GONE` or `CONFLICT` where it can never come to be
  boolean isOn(PodKey pod, PodUid uid, NodeName node) throws ClientException;

  /// Reads the pod past every cache: its `resourceVersion` now; 0 = not told. No write.
  long version(PodKey pod, PodUid uid) throws ClientException;

  /// Asks the pod to leave through the Eviction API. `NOT_NOW` = a disruption budget forbids it.
  void evict(PodKey pod, PodUid uid) throws ClientException;

  /// Deletes the pod, whatever a disruption budget says. Before, the pod gets the condition
  /// `DisruptionTarget`, as through the Eviction API.
  ///
  /// @param grace that it gets; not longer than its own
  void stop(PodKey pod, PodUid uid, Duration grace) throws ClientException;
}
