package dev.berth.cli.doctor;

import dev.berth.engine.request.ManifestTree;
import java.util.List;

/// What the status of a pod says of why it does not run, in its kubelet's words.
final class PodWords {
  private static final int LONGEST = 240;
  private static final List<String> USUAL =
      List.of("", "PodInitializing", "ContainerCreating", "Completed");

  private PodWords() {}

  /// Empty where nothing is said.
  static String of(ManifestTree status) {
    for (String list : List.of("initContainerStatuses", "containerStatuses")) {
      for (ManifestTree container : status.objects(list)) {
        for (String state : List.of("waiting", "terminated")) {
          ManifestTree said = container.object("state").object(state);
          if (!USUAL.contains(said.text("reason"))) {
            return shortened(said.text("reason") + ": " + said.text("message"));
          }
        }
      }
    }
    return status.text("reason").isEmpty()
        ? ""
        : shortened(status.text("reason") + ": " + status.text("message"));
  }

  private static String shortened(String words) {
    String text = words.replaceAll("\\s+", " ").trim();
    text = text.endsWith(":") ? text.substring(0, text.length() - 1) : text;
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }
}
