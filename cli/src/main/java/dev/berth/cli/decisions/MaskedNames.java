package dev.berth.cli.decisions;

import dev.berth.engine.model.DeviceClaim;
import dev.berth.engine.model.DeviceSlice;
import dev.berth.engine.model.Injection;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import java.util.HashMap;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// Other names in the place of names: the same for the same, in the same order, and of which
/// nothing but the order can be told. Words of Kubernetes and of hardware stay, as the planner
/// knows them: resources, GPU models, labels of well-known domains, taint effects, numbers.
final class MaskedNames implements UnaryOperator<String> {
  private static final Set<String> WORDS =
      Set.of(
          "",
          "cpu",
          "memory",
          "ephemeral-storage",
          "pods",
          "gpu",
          "NoSchedule",
          "NoExecute",
          "PreferNoSchedule",
          "Job",
          "batch/v1",
          "metadata.name",
          "env",
          "env-cdi",
          "nri",
          Injection.ANY_CLASS,
          "true",
          "false");

  /// Also of resources and device classes.
  private static final Pattern WELL_KNOWN =
      Pattern.compile(
          "gpu/.*|hugepages-.*|-?\\d+|(TCP|UDP|SCTP):.*"
              + "|([a-z0-9.-]+\\.)?(kubernetes\\.io|k8s\\.io|nvidia\\.com|amd\\.com|intel\\.com"
              + "|berth\\.dev)(/.*)?");

  private final HashMap<String, String> masks = new HashMap<>(); // looked up only

  private MaskedNames() {}

  /// The texts of a log, to be masked.
  static final class Texts implements UnaryOperator<String> {
    private final TreeSet<String> seen = new TreeSet<>();
    private final TreeSet<String> kept = new TreeSet<>();

    @Override
    public String apply(String text) {
      if (!isKept(text)) {
        seen.add(text);
      }
      return text;
    }

    private static boolean isKept(String text) {
      return WORDS.contains(text) || WELL_KNOWN.matcher(text).matches();
    }

    /// GPU models are compared with what pods ask for in any spelling; what drivers call their
    /// devices says what they are.
    void see(Snapshot snapshot) {
      snapshot.devices().classes().forEach(each -> kept.add(each.name()));
      snapshot.devices().slices().forEach(this::see);
      for (DeviceClaim claim : snapshot.devices().claims()) {
        for (DeviceClaim.Ask ask : claim.asks()) {
          for (DeviceClaim.Choice choice : ask.choices()) {
            kept.add(choice.deviceClass());
            kept.addAll(choice.capacity().keySet());
          }
        }
      }
      for (NodeView node : snapshot.nodes()) {
        kept.add(node.node().accelerator().model());
      }
      for (PodGroup group : snapshot.groups()) {
        group.members().forEach(member -> see(member.pod()));
      }
    }

    private void see(DeviceSlice slice) {
      kept.add(slice.driver());
      for (DeviceSlice.Device device : slice.devices()) {
        kept.addAll(device.attributes().keySet());
        kept.addAll(device.capacity().keySet());
      }
    }

    private void see(Pod pod) {
      kept.addAll(pod.asks().request().models());
    }

    MaskedNames masked() {
      var names = new MaskedNames();
      seen.removeAll(kept);
      int digits = Integer.toString(seen.size()).length();
      int number = 0;
      for (String text : seen) {
        names.masks.put(text, "x" + String.format(Locale.ROOT, "%0" + digits + "d", ++number));
      }
      return names;
    }
  }

  @Override
  public String apply(String text) {
    return masks.getOrDefault(text, text);
  }
}
