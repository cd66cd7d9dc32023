package dev.berth.cli.shadow;

import static dev.berth.simulator.world.ObjectTree.annotation;
import static dev.berth.simulator.world.ObjectTree.label;
import static dev.berth.simulator.world.ObjectTree.number;
import static dev.berth.simulator.world.ObjectTree.text;

import dev.berth.engine.request.WellKnownNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Gangs that other schedulers know by objects of their own, and the queues that these name.
final class ForeignGroups {
  private static final List<String> VOLCANO_NAMES =
      List.of("scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name");
  private static final String KUEUE_NAME = "kueue.x-k8s.io/pod-group-name";
  private static final String KUEUE_COUNT = "kueue.x-k8s.io/pod-group-total-count";

  private final Map<String, Group> groups = new HashMap<>(); // looked up only

  /// @param minMember pods that start together
  /// @param queue empty = none is named
  record Group(String name, long minMember, String queue) {
    static final Group NONE = new Group("", 0, "");

    boolean isNone() {
      return name.isEmpty();
    }
  }

  /// @param objects PodGroups of KAI Scheduler, Volcano and the scheduler-plugins, among others
  ForeignGroups(List<Map<String, Object>> objects) {
    for (Map<String, Object> object : objects) {
      if (text(object, "kind").equals("PodGroup")
          && !text(object, "apiVersion").startsWith("berth.dev/")) {
        String name = text(object, "metadata", "name");
        groups.put(
            text(object, "metadata", "namespace") + "/" + name,
            new Group(name, number(object, 1, "spec", "minMember"), text(object, "spec", "queue")));
      }
    }
  }

  /// The group that a pod names.
  Group of(Map<String, Object> pod) {
    String ofKueue = label(pod, KUEUE_NAME);
    if (!ofKueue.isEmpty()) {
      return new Group(ofKueue, whole(annotation(pod, KUEUE_COUNT)), "");
    }
    String name = annotation(pod, WellKnownNames.POD_GROUP_ALIAS);
    for (String key : VOLCANO_NAMES) {
      name = name.isEmpty() ? annotation(pod, key) : name;
    }
    name = name.isEmpty() ? label(pod, WellKnownNames.POD_GROUP_LABEL) : name;
    return groups.getOrDefault(text(pod, "metadata", "namespace") + "/" + name, Group.NONE);
  }

  private static long whole(String text) {
    return text.matches("[0-9]{1,6}") ? Long.parseLong(text) : 1;
  }
}
