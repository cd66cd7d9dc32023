package dev.berth.simulator.scenario;

import dev.berth.engine.request.PodManifest;
import dev.berth.engine.request.WellKnownNames;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.PodView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// The pods of other schedulers at the end of a run, by their nodes.
final class OtherPods {
  private static final String NO_GPU = "no GPU";

  private final TreeMap<String, List<PodView>> byNode = new TreeMap<>();
  private final TreeSet<String> before = new TreeSet<>(); // had a node when the run began

  OtherPods(Ending ending) {
    for (var pod : ending.pods().values()) {
      if (!pod.node().isEmpty() && pod.takesRoom() && isOfOthers(pod)) {
        byNode.computeIfAbsent(pod.node(), _ -> new ArrayList<>()).add(pod);
      }
    }
    for (var item : ending.scenario().objects()) {
      if (item.kind().equals("Pod") && ObjectTree.has(item.object(), "spec", "nodeName")) {
        before.add(PodView.of(item.object()).name());
      }
    }
  }

  private static boolean isOfOthers(PodView pod) {
    return !scheduler(pod).equals(WellKnownNames.SCHEDULER);
  }

  private static String scheduler(PodView pod) {
    return WellKnownNames.scheduler(ObjectTree.text(pod.tree(), "spec", "schedulerName"));
  }

  /// By node, `other-0 (2 GPUs, of default-scheduler)`; those without GPUs as a number.
  SortedMap<String, List<String>> words() {
    var words = new TreeMap<String, List<String>>();
    byNode.forEach((node, pods) -> {
      var each = new ArrayList<String>();
      int without = 0;
      for (var pod : pods) {
        String gpus = gpus(pod);
        if (gpus.equals(NO_GPU)) {
          without++;
        } else {
          each.add(Names.of(pod.name()) + " (" + gpus + ", of " + scheduler(pod) + ")");
        }
      }
      if (without > 0) {
        each.add(
            without
                + (without == 1 ? " pod" : " pods")
                + " of other schedulers, which ask for no GPU");
      }
      words.put(node, each);
    });
    return words;
  }

  private static String gpus(PodView pod) {
    return PodManifest.read(pod.tree()).map(GpuRequestText::of).orElse(NO_GPU);
  }

  /// Those that came to a node in the run, `other-0 (default-scheduler)`.
  List<String> cameTo(String node) {
    var came = new ArrayList<String>();
    for (var pod : byNode.getOrDefault(node, Collections.emptyList())) {
      if (!before.contains(pod.name())) {
        came.add(Names.of(pod.name()) + " (" + scheduler(pod) + ")");
      }
    }
    return came;
  }
}
