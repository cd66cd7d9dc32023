package dev.berth.controllers.kube;

import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Resource;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// The pod that keeps one device of a node from the kubelet.
///
/// It is created on its node and needs no scheduler, no token and no RBAC: its init container
/// prints the device's UUID as its termination message, and its container holds the device (the
/// kubelet hands an init container's device on to the containers of the same pod).
final class HolderPod {
  static final String LABEL = "berth.dev/holder";
  static final String NODE_LABEL = "berth.dev/holder-node";
  static final String SLOT = "berth.dev/holder-slot";

  private static final int LONGEST_NAME = 63;
  private static final int HASH = 8;
  private static final String REPORT =
      "printf %s \"$NVIDIA_VISIBLE_DEVICES\" > /dev/termination-log";
  private static final String FOREVER = "2147483647";

  private HolderPod() {}

  /// The same for the same node and slot, so that a repeated creation collides.
  static String name(NodeName node, int slot) {
    String end = "-" + slot;
    return "holder-"
        + shortened(node.value(), LONGEST_NAME - "holder-".length() - end.length())
        + end;
  }

  static Map<String, Object> body(
      NodeName node, int slot, Resource device, HolderPodSettings settings) {
    var spec =
        Json.object(
            "nodeName",
            node.value(),
            "restartPolicy",
            "Always",
            "automountServiceAccountToken",
            false,
            "enableServiceLinks",
            false,
            "terminationGracePeriodSeconds",
            0,
            "tolerations",
            List.of(Json.object("operator", "Exists")),
            "securityContext",
            Json.object(
                "runAsNonRoot",
                true,
                "runAsUser",
                65532,
                "runAsGroup",
                65532,
                "seccompProfile",
                Json.object("type", "RuntimeDefault")),
            "initContainers",
            List.of(container("report", List.of("sh", "-c", REPORT), device, settings)),
            "containers",
            List.of(container("hold", List.of("sleep", FOREVER), device, settings)));
    if (!settings.priorityClass().isEmpty()) {
      spec.put("priorityClassName", settings.priorityClass());
    }
    if (!settings.runtimeClass().isEmpty()) {
      spec.put("runtimeClassName", settings.runtimeClass());
    }
    return Json.object(
        "apiVersion",
        "v1",
        "kind",
        "Pod",
        "metadata",
        Json.object(
            "name",
            name(node, slot),
            "namespace",
            settings.namespace(),
            "labels",
            Json.object(
                "app.kubernetes.io/managed-by",
                "berth",
                LABEL,
                "true",
                NODE_LABEL,
                shortened(node.value(), LONGEST_NAME)),
            "annotations",
            Json.object(SLOT, String.valueOf(slot))),
        "spec",
        spec);
  }

  private static Map<String, Object> container(
      String name, List<String> command, Resource device, HolderPodSettings settings) {
    return Json.object(
        "name",
        name,
        "image",
        settings.image(),
        "command",
        command,
        "resources",
        Json.object(
            "limits",
            Json.object(device.name(), "1"),
            "requests",
            // Said, or a LimitRange would say something else.
            Json.object("cpu", "0", "memory", "0", device.name(), "1")),
        "securityContext",
        Json.object(
            "allowPrivilegeEscalation",
            false,
            "readOnlyRootFilesystem",
            true,
            "capabilities",
            Json.object("drop", List.of("ALL"))));
  }

  /// The text, or its beginning with a hash of the whole.
  private static String shortened(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    String start = text.substring(0, longest - HASH - 1).replaceAll("[^a-z0-9]+$", "");
    return start + "-" + hash(text);
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }
}
