package dev.berth.engine.request;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Whether a node says that its devices, as a whole, are sick: in a label, or in a condition that a
/// watchdog of the devices writes.
///
/// That single devices are sick needs no word: their device plugin takes them out of what is
/// allocatable.
final class DeviceHealth {
  /// Label of a node: any value but `healthy`, `ok` or `true` keeps pods from its GPUs.
  private static final String OWN_LABEL = "berth.dev/gpu-health";

  /// Label of a node: like `berth.dev/gpu-health`, as others write it.
  private static final String VENDOR_LABEL = "nvidia.com/gpu.health";

  private static final List<String> LABELS = List.of(OWN_LABEL, VENDOR_LABEL);
  private static final Set<String> GOOD = words("", "healthy", "ok", "true");

  /// Conditions that are good when they are true.
  private static final Set<String> HEALTH = words("AcceleratedHardwareReady", "GpuHealthy");

  /// Conditions that are bad when they are true.
  private static final Set<String> FLAWS =
      words(
          "GpuUnhealthy",
          "GpuMissing",
          "GpuXidError",
          "XidErrors",
          "NvLinkStatusInactive",
          "NvLinkError");

  private DeviceHealth() {}

  private static Set<String> words(String... words) {
    var set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    Collections.addAll(set, words);
    return set;
  }

  /// Empty = nothing is wrong.
  static String flaw(ManifestTree status, ManifestTree labels) {
    for (String label : LABELS) {
      String value = labels.text(label);
      if (!GOOD.contains(value)) {
        return label + "=" + value.toLowerCase(Locale.ROOT);
      }
    }
    var flaws = new TreeMap<String, String>();
    for (ManifestTree condition : status.objects("conditions")) {
      String type = condition.text("type");
      boolean is = condition.text("status").equals("True");
      boolean isNot = condition.text("status").equals("False");
      if (FLAWS.contains(type) && is || HEALTH.contains(type) && isNot) {
        flaws.put(type, condition.text("status"));
      }
    }
    return flaws.isEmpty() ? "" : flaws.firstEntry().getKey() + "=" + flaws.firstEntry().getValue();
  }
}
