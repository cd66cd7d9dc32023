package dev.berth.simulator.scenario;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.engine.model.Spelling;
import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The kinds of objects that a scenario may hold, and the fields at their top.
final class Kinds {
  private static final List<String> HEAD = List.of("apiVersion", "kind", "metadata");

  /// @param group the API group, with any version; empty = the core group
  private record Known(String group, boolean namespaced, List<String> fields) {
    private static Known of(String group, boolean namespaced, String... more) {
      var fields = new ArrayList<>(HEAD);
      fields.addAll(List.of(more));
      return new Known(group, namespaced, fields);
    }
  }

  private static final TreeMap<String, Known> KNOWN = known();

  /// What the API server of the world knows. Others are accepted, and have no effect yet.
  private static final TreeMap<String, Kind> WATCHED = watched();

  private Kinds() {}

  private static TreeMap<String, Known> known() {
    var known = new TreeMap<String, Known>();
    known.put("Node", Known.of("", false, "spec", "status"));
    known.put("Pod", Known.of("", true, "spec", "status"));
    known.put("Namespace", Known.of("", false, "spec", "status"));
    known.put("Job", Known.of("batch", true, "spec", "status"));
    known.put(
        "PriorityClass",
        Known.of(
            "scheduling.k8s.io",
            false,
            "value",
            "globalDefault",
            "description",
            "preemptionPolicy"));
    known.put("Queue", Known.of("berth.dev", false, "spec", "status"));
    known.put("PodGroup", Known.of("berth.dev", true, "spec", "status"));
    known.put("Topology", Known.of("berth.dev", false, "spec", "status"));
    known.put("ResourceClaim", Known.of("resource.k8s.io", true, "spec", "status"));
    known.put("ResourceClaimTemplate", Known.of("resource.k8s.io", true, "spec"));
    known.put("ResourceSlice", Known.of("resource.k8s.io", false, "spec"));
    known.put("DeviceClass", Known.of("resource.k8s.io", false, "spec"));
    known.put(
        "NodeResourceTopology",
        Known.of("topology.node.k8s.io", false, "topologyPolicies", "attributes", "zones"));
    known.put("PersistentVolumeClaim", Known.of("", true, "spec", "status"));
    known.put("PersistentVolume", Known.of("", false, "spec", "status"));
    known.put(
        "StorageClass",
        Known.of(
            "storage.k8s.io",
            false,
            "provisioner",
            "parameters",
            "reclaimPolicy",
            "mountOptions",
            "allowVolumeExpansion",
            "volumeBindingMode",
            "allowedTopologies"));
    known.put("PodDisruptionBudget", Known.of("policy", true, "spec", "status"));
    return known;
  }

  private static TreeMap<String, Kind> watched() {
    var watched = new TreeMap<String, Kind>();
    watched.put("Node", Kind.NODE);
    watched.put("Pod", Kind.POD);
    watched.put("Namespace", Kind.NAMESPACE);
    watched.put("Job", Kind.JOB);
    watched.put("PriorityClass", Kind.PRIORITY_CLASS);
    watched.put("Queue", Kind.QUEUE);
    watched.put("PodGroup", Kind.POD_GROUP);
    watched.put("Topology", Kind.TOPOLOGY);
    watched.put("ResourceClaim", Kind.RESOURCE_CLAIM);
    watched.put("ResourceSlice", Kind.RESOURCE_SLICE);
    watched.put("DeviceClass", Kind.DEVICE_CLASS);
    watched.put("PersistentVolumeClaim", Kind.VOLUME_CLAIM);
    watched.put("PersistentVolume", Kind.VOLUME);
    watched.put("StorageClass", Kind.STORAGE_CLASS);
    watched.put("NodeResourceTopology", Kind.NODE_RESOURCE_TOPOLOGY);
    watched.put("PodDisruptionBudget", Kind.DISRUPTION_BUDGET);
    return watched;
  }

  private static Optional<Known> of(Map<String, ?> object) {
    String version = ObjectTree.text(object, "apiVersion");
    int slash = version.indexOf('/');
    String group = slash < 0 ? "" : version.substring(0, slash);
    return Optional.ofNullable(KNOWN.get(ObjectTree.text(object, "kind")))
        .filter(known -> known.group().equals(group));
  }

  static boolean isKnown(Map<String, ?> object) {
    return of(object).isPresent();
  }

  /// What the API server knows it as; empty where it has no effect yet.
  static Optional<Kind> watched(Map<String, ?> object) {
    return Optional.ofNullable(WATCHED.get(ObjectTree.text(object, "kind")));
  }

  static boolean isNamespaced(Map<String, ?> object) {
    return of(object).map(Known::namespaced).orElse(false);
  }

  /// Fields at the top of its kind.
  static List<String> fields(Map<String, ?> object) {
    return of(object).map(Known::fields).orElse(HEAD);
  }

  /// Whether a dump of a cluster may hold it, and a scenario does without: a kind of another
  /// project, and no misspelt one of those that are known.
  static boolean isOfOthers(Map<String, ?> object) {
    String kind = ObjectTree.text(object, "kind");
    return !kind.isEmpty()
        && !isKnown(object)
        && (KNOWN.containsKey(kind) || Spelling.nearest(kind, KNOWN.keySet()).isEmpty());
  }

  static String names() {
    return String.join(", ", KNOWN.keySet());
  }
}
