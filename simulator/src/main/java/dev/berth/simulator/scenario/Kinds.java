package dev.berth.simulator.scenario;

import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.simulator.world.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The kinds of objects that a scenario may hold, and the fields at their top.
final class Kinds {
  private static final List<String> HEAD = List.of("apiVersion", "kind", "metadata");

  /// @param groups API groups in which it may be, with any version; empty = the core group
  /// @param watched what the API server knows it as; empty = accepted, and counted by nobody yet
  private record Known(String group, Optional<Kind> watched, boolean namespaced, String fields) {}

  private static final Map<String, Known> KNOWN = known();

  private Kinds() {}

  private static Map<String, Known> known() {
    var known = new TreeMap<String, Known>();
    known.put("Node", new Known("", Optional.of(Kind.NODE), false, "spec status"));
    known.put("Pod", new Known("", Optional.of(Kind.POD), true, "spec status"));
    known.put("Namespace", new Known("", Optional.of(Kind.NAMESPACE), false, "spec status"));
    known.put("Job", new Known("batch", Optional.of(Kind.JOB), true, "spec status"));
    known.put(
        "PriorityClass",
        new Known(
            "scheduling.k8s.io",
            Optional.of(Kind.PRIORITY_CLASS),
            false,
            "value globalDefault description preemptionPolicy"));
    known.put("Queue", new Known("berth.dev", Optional.of(Kind.QUEUE), false, "spec status"));
    known.put("PodGroup", new Known("berth.dev", Optional.of(Kind.POD_GROUP), true, "spec status"));
    known.put("Topology", new Known("berth.dev", Optional.of(Kind.TOPOLOGY), false, "spec status"));
    for (String kind : List.of("ResourceClaim", "ResourceClaimTemplate")) {
      known.put(kind, new Known("resource.k8s.io", Optional.empty(), true, "spec status"));
    }
    for (String kind : List.of("ResourceSlice", "DeviceClass")) {
      known.put(kind, new Known("resource.k8s.io", Optional.empty(), false, "spec"));
    }
    known.put("PodDisruptionBudget", new Known("policy", Optional.empty(), true, "spec status"));
    return known;
  }

  private static Optional<Known> of(Map<String, ?> object) {
    String version = Tree.text(object, "apiVersion");
    int slash = version.indexOf('/');
    String group = slash < 0 ? "" : version.substring(0, slash);
    return Optional.ofNullable(KNOWN.get(Tree.text(object, "kind")))
        .filter(known -> known.group().equals(group));
  }

  /// What the API server knows it as; empty where nobody counts it yet.
  static Optional<Kind> watched(Map<String, ?> object) {
    return of(object).flatMap(Known::watched);
  }

  static boolean isKnown(Map<String, ?> object) {
    return of(object).isPresent();
  }

  static boolean isNamespaced(Map<String, ?> object) {
    return of(object).map(Known::namespaced).orElse(false);
  }

  /// Fields at the top of a known kind.
  static List<String> fields(Map<String, ?> object) {
    var fields = new java.util.ArrayList<>(HEAD);
    of(object).ifPresent(known -> fields.addAll(List.of(known.fields().split(" ", -1))));
    return fields;
  }

  static String names() {
    return String.join(", ", KNOWN.keySet());
  }
}
