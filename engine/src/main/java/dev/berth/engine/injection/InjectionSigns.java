package dev.berth.engine.injection;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/// Everything whose change may change what a container gets on a node: the same text, the same
/// proof. Labels that change while nothing is installed (upgrade states, timestamps) are left out.
///
/// @param text one `name=value` a line, in a fixed order
public record InjectionSigns(String text) {
  private static final int HASH = 16;
  private static final String[] LABELS = {
    "nvidia.com/cuda.driver",
    "nvidia.com/gpu.product",
    "nvidia.com/gpu.count",
    "nvidia.com/gpu.replicas",
    "nvidia.com/gpu.sharing-strategy",
    "nvidia.com/mig.strategy",
    "nvidia.com/mig.config",
    "nvidia.com/container-toolkit",
    "cloud.google.com/gke-accelerator",
    "gke-no-default-nvidia-gpu-device-plugin",
  };

  public static InjectionSigns of(GpuNode node, GpuStack stack) {
    var text = new StringBuilder();
    line(text, "boot", node.bootId());
    line(text, "kubelet", node.kubelet());
    line(text, "runtime", node.runtime());
    line(text, "handlers", String.join(",", node.handlers()));
    line(text, "os", node.osImage());
    line(text, "kernel", node.kernel());
    for (Map.Entry<String, String> label : node.labels().entrySet()) {
      if (counts(label.getKey())) {
        line(text, label.getKey(), label.getValue());
      }
    }
    line(text, "stack", stack.generations());
    stack
        .classes()
        .forEach((name, handler) -> {
          if (name.startsWith(GpuStack.NVIDIA_CLASS)) {
            line(text, "class " + name, handler);
          }
        });
    return new InjectionSigns(text.toString());
  }

  /// Of the text, 16 hexadecimal digits of its SHA-256.
  public String hash() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, HASH);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every JDK has SHA-256", impossible);
    }
  }

  private static boolean counts(String label) {
    if (label.equals("nvidia.com/mig.config.state")) {
      return false;
    }
    for (String beginning : LABELS) {
      if (label.startsWith(beginning)) {
        return true;
      }
    }
    return false;
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(name).append('=').append(value).append('\n');
  }
}
