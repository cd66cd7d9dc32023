package dev.berth.controllers.kube;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.Map;

/// The pod that keeps one GPU of a node from the kubelet.
///
/// It is created on its node and needs no scheduler, no token and no RBAC. The one container that
/// asks for the GPU is the one that keeps running: a kubelet that restarts before its device plugin
/// admits a pod again only if every container that asks for a device is running.
///
/// The container reports at its first start, by its termination message, and holds from its second
/// start on; a later start that sees another GPU reports again. A volume in memory tells the starts
/// apart, so a reboot of the node leads to a new report. What it reports: the UUIDs of the GPUs
/// whose device nodes it sees, by their minor numbers (kernel module of the driver, `nv-procfs.c`),
/// else the value of `NVIDIA_VISIBLE_DEVICES`.
final class HolderPod {
  static final String LABEL = "berth.dev/holder";

  /// Label of a pod that Berth writes: on a holder, its node, shortened where it is too long for a
  /// label.
  static final String NODE_LABEL = "berth.dev/holder-node";

  static final String SLOT = "berth.dev/holder-slot";

  private static final String HOLD =
      """
      %s
      d=${d:-$NVIDIA_VISIBLE_DEVICES}
      printf %%s "$d" > /dev/termination-log
      [ ! -e /told/it ] || [ "$(cat /told/it)" != "$d" ] || exec sleep 2147483647
      printf %%s "$d" > /told/it
      """
          .formatted(NodePod.SEEN_GPUS);

  private HolderPod() {}

  /// The same for the same node and slot, so that a repeated creation collides.
  static String name(NodeName node, int slot) {
    return NodePod.name("holder-", node, "-" + slot);
  }

  /// @param nodeUid of the Node, which owns the holder as it owns static pods: so `kubectl drain`
  ///   needs no `--force` for it, and it goes with the Node
  static Map<String, Object> body(
      NodeName node, String nodeUid, int slot, Resource device, HolderPodSettings settings) {
    var container =
        NodePod.container(
            "hold",
            HOLD,
            settings.image(),
            // Requests that are named are not set by a LimitRange. The memory keeps the kubelet
            // from
            // ranking the holder among the pods that use more than they requested.
            JsonBodies.object(
                "limits",
                JsonBodies.object(device.name(), "1"),
                "requests",
                JsonBodies.object("cpu", "0", "memory", "0", device.name(), "1")));
    container.put("volumeMounts", List.of(JsonBodies.object("name", "told", "mountPath", "/told")));
    var spec = NodePod.spec(node, "Always", List.of(container), settings);
    spec.put(
        "volumes",
        List.of(
            JsonBodies.object(
                "name",
                "told",
                "emptyDir",
                JsonBodies.object("medium", "Memory", "sizeLimit", "1Mi"))));
    if (!settings.priorityClass().isEmpty()) {
      spec.put("priorityClassName", settings.priorityClass());
    }
    if (!settings.runtimeClass().isEmpty()) {
      spec.put("runtimeClassName", settings.runtimeClass());
    }
    return NodePod.body(
        JsonBodies.object(
            "name",
            name(node, slot),
            "namespace",
            settings.namespace(),
            "labels",
            JsonBodies.object(
                "app.kubernetes.io/managed-by",
                "berth",
                LABEL,
                "true",
                NODE_LABEL,
                NodePod.label(node)),
            "annotations",
            JsonBodies.object(SLOT, String.valueOf(slot)),
            "ownerReferences",
            List.of(
                JsonBodies.object(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Node",
                    "name",
                    node.value(),
                    "uid",
                    nodeUid,
                    "controller",
                    true))),
        spec);
  }
}
