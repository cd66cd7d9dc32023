package dev.berth.controllers.client;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import java.util.SortedMap;

/// Probe pods, one a node, and the parameter object of the policy that sets the runtime class of
/// shares (decision 20).
public interface ProbeClient {
  /// Label of a pod that Berth writes: `"true"` on a probe.
  String LABEL = "berth.dev/probe";

  /// Its container.
  String CONTAINER = "probe";

  /// Annotation of a pod that Berth writes: on a probe, the node that it proves.
  String NODE = "berth.dev/probe-node";

  /// Annotation of a pod that Berth writes: on a probe, the injection that it tries.
  String MODE = "berth.dev/probe-mode";

  /// Annotation of a pod that Berth writes: on a probe, the RuntimeClass that it tries.
  String CLASS = "berth.dev/probe-class";

  /// Annotation of a pod that Berth writes: on a probe, a hash of what the node says of itself.
  String SIGNS = "berth.dev/probe-signs";

  /// Annotation of a pod that Berth writes: on a probe, what earlier attempts with the same signs
  /// came to, `mode=Code` separated by blanks.
  String FAILED = "berth.dev/probe-failed";

  /// What a probe carries; the same as a share would.
  ///
  /// @param uuid the GPU that it must see
  /// @param variable value of `NVIDIA_VISIBLE_DEVICES`
  /// @param nri annotations that NVIDIA's NRI plugin reads for [#CONTAINER]
  /// @param signs hash of what the node says of itself
  /// @param failed see [#FAILED]
  record Probe(
      NodeName node,
      String mode,
      String runtimeClass,
      String uuid,
      String variable,
      SortedMap<String, String> nri,
      String signs,
      String failed) {}

  /// Where they live: a pod of another namespace is no probe, whatever its labels say.
  String namespace();

  /// Exists already is success; exists and is leaving is `NOT_NOW`.
  void create(Probe probe) throws ClientException;

  /// Deletes that incarnation. Gone already is success.
  void delete(PodKey probe, PodUid uid) throws ClientException;

  /// Writes the runtime class of shares where the policy reads it; empty = none.
  void runtimeClass(String runtimeClass) throws ClientException;
}
