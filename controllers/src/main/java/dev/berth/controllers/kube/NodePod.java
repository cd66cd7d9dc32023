package dev.berth.controllers.kube;

import dev.berth.engine.model.NodeName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// What Berth's own pods on GPU nodes, holders and probes, have in common: bound to their node at
/// creation, without a token, within Pod Security `restricted`.
final class NodePod {
  /// Sets `d` to the UUIDs of the GPUs whose device nodes the container sees, separated by commas;
  /// empty = it sees none, or `/proc/driver/nvidia` is not there. `Device Minor` and `GPU UUID` are
  /// printed by the driver's kernel module; a UUID of question marks means that the GPU is not
  /// initialized yet. Runs under busybox, dash and bash.
  static final String SEEN_GPUS =
      """
      d=
      for i in 1 2 3 4 5 6 7 8 9 10; do
        d=
        for n in /dev/nvidia[0-9]*; do
          [ -e "$n" ] || continue
          for f in /proc/driver/nvidia/gpus/*/information; do
            [ "$(sed -n 's/^Device Minor:[[:space:]]*//p' "$f" 2>/dev/null)" = "${n##*/nvidia}" ] || continue
            d="$d${d:+,}$(sed -n 's/^GPU UUID:[[:space:]]*//p' "$f")"
          done
        done
        case $d in *'?'*) sleep 1 ;; *) break ;; esac
      done
      """;

  private static final int LONGEST_NAME = 63;
  private static final int HASH = 8;

  private NodePod() {}

  /// `prefix` + node + `suffix`, with the node's name shortened to what a label value may hold.
  static String name(String prefix, NodeName node, String suffix) {
    return prefix
        + shortened(node.value(), LONGEST_NAME - prefix.length() - suffix.length())
        + suffix;
  }

  /// The node's name as a label value.
  static String label(NodeName node) {
    return shortened(node.value(), LONGEST_NAME);
  }

  static Map<String, Object> body(Map<String, Object> metadata, Map<String, Object> spec) {
    return JsonBodies.object("apiVersion", "v1", "kind", "Pod", "metadata", metadata, "spec", spec);
  }

  static Map<String, Object> spec(
      NodeName node,
      String restartPolicy,
      List<Map<String, Object>> containers,
      HolderPodSettings settings) {
    return JsonBodies.object(
        "nodeName",
        node.value(),
        "restartPolicy",
        restartPolicy,
        "automountServiceAccountToken",
        false,
        "enableServiceLinks",
        false,
        "terminationGracePeriodSeconds",
        0,
        "tolerations",
        List.of(JsonBodies.object("operator", "Exists")),
        "securityContext",
        JsonBodies.object(
            "runAsNonRoot",
            true,
            "runAsUser",
            65532,
            "runAsGroup",
            65532,
            "seccompProfile",
            JsonBodies.object("type", "RuntimeDefault")),
        "containers",
        containers);
  }

  static Map<String, Object> container(
      String name, String script, String image, Map<String, Object> resources) {
    return JsonBodies.object(
        "name",
        name,
        "image",
        image,
        "command",
        List.of("sh", "-c", script),
        "resources",
        resources,
        "securityContext",
        JsonBodies.object(
            "allowPrivilegeEscalation",
            false,
            "readOnlyRootFilesystem",
            true,
            "capabilities",
            JsonBodies.object("drop", List.of("ALL"))));
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
