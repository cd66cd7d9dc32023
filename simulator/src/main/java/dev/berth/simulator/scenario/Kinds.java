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
  private record KnownKind(String group, boolean namespaced, List<String> fields) {
    private static KnownKind of(String group, boolean namespaced, String... more) {
      var fields = new ArrayList<>(HEAD);
      fields.addAll(List.of(more));
      return new KnownKind(group, namespaced, fields);
    }
  }

  private static final TreeMap<String, KnownKind> KNOWN = known();

  /// What the API server of the world knows. Others are accepted, and have no effect yet.
  private static final TreeMap<String, Kind> WATCHED = watched();

  private Kinds() {}

  private static TreeMap<String, KnownKind> known() {
    var known = new TreeMap<String, KnownKind>();
    known.put("Node", KnownKind.of("", false, "spec", "status"));
    known.put("Pod", KnownKind.of("", true, "spec", "status"));
    known.put("Namespace", KnownKind.of("", false, "spec", "status"));
    known.put("Job", KnownKind.of("batch", true, "spec", "status"));
    known.put(
        "PriorityClass",
        KnownKind.of(
            "scheduling.k8s.io",
            false,
            "value",
            "globalDefault",
            "description",
            "preemptionPolicy"));
    known.put("Queue", KnownKind.of("berth.dev", false, "spec", "status"));
    known.put("PodGroup", KnownKind.of("berth.dev", true, "spec", "status"));
    known.put("Topology", KnownKind.of("berth.dev", false, "spec", "status"));
    known.put("ResourceClaim", KnownKind.of("resource.k8s.io", true, "spec", "status"));
    known.put("ResourceClaimTemplate", KnownKind.of("resource.k8s.io", true, "spec"));
    known.put("ResourceSlice", KnownKind.of("resource.k8s.io", false, "spec"));
    known.put("DeviceClass", KnownKind.of("resource.k8s.io", false, "spec"));
    known.put(
        "NodeResourceTopology",
        KnownKind.of("topology.node.k8s.io", false, "topologyPolicies", "attributes", "zones"));
    known.put("PersistentVolumeClaim", KnownKind.of("", true, "spec", "status"));
    known.put("PersistentVolume", KnownKind.of("", false, "spec", "status"));
    known.put(
        "StorageClass",
        KnownKind.of(
            "storage.k8s.io",
            false,
            "provisioner",
            "parameters",
            "reclaimPolicy",
            "mountOptions",
            "allowVolumeExpansion",
            "volumeBindingMode",
            "allowedTopologies"));
    known.put("PodDisruptionBudget", KnownKind.of("policy", true, "spec", "status"));
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

  private static Optional<KnownKind> of(Map<String, ?> object) {
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
    return of(object).map(KnownKind::namespaced).orElse(false);
  }

  /// Fields at the top of its kind.
  static List<String> fields(Map<String, ?> object) {
    return of(object).map(KnownKind::fields).orElse(HEAD);
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
