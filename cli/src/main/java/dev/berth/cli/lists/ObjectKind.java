package dev.berth.cli.lists;

import java.util.List;
import java.util.stream.Stream;

/// What is read of a cluster that runs, and where. Their names are those in their objects.
public enum ObjectKind {
  NODE("v1", "Node", "/api/v1/nodes", true),
  POD("v1", "Pod", "/api/v1/pods", true),
  NAMESPACE("v1", "Namespace", "/api/v1/namespaces", false),
  QUEUE("berth.dev/v1alpha1", "Queue", "/apis/berth.dev/v1alpha1/queues", true),
  POD_GROUP("berth.dev/v1alpha1", "PodGroup", "/apis/berth.dev/v1alpha1/podgroups", true),
  TOPOLOGY("berth.dev/v1alpha1", "Topology", "/apis/berth.dev/v1alpha1/topologies", false),
  JOB("batch/v1", "Job", "/apis/batch/v1/jobs", false),
  PRIORITY_CLASS(
      "scheduling.k8s.io/v1", "PriorityClass", "/apis/scheduling.k8s.io/v1/priorityclasses", false),
  DISRUPTION_BUDGET(
      "policy/v1", "PodDisruptionBudget", "/apis/policy/v1/poddisruptionbudgets", false),
  VOLUME_CLAIM("v1", "PersistentVolumeClaim", "/api/v1/persistentvolumeclaims", false),
  VOLUME("v1", "PersistentVolume", "/api/v1/persistentvolumes", false),
  STORAGE_CLASS(
      "storage.k8s.io/v1", "StorageClass", "/apis/storage.k8s.io/v1/storageclasses", false),
  RESOURCE_CLAIM(
      "resource.k8s.io/v1", "ResourceClaim", "/apis/resource.k8s.io/v1/resourceclaims", false),
  RESOURCE_SLICE(
      "resource.k8s.io/v1", "ResourceSlice", "/apis/resource.k8s.io/v1/resourceslices", false),
  DEVICE_CLASS(
      "resource.k8s.io/v1", "DeviceClass", "/apis/resource.k8s.io/v1/deviceclasses", false),
  NODE_RESOURCE_TOPOLOGY(
      "topology.node.k8s.io/v1alpha2",
      "NodeResourceTopology",
      "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies",
      false),

  /// Not read but by commands that ask for it.
  ROLE_BINDING(
      "rbac.authorization.k8s.io/v1",
      "RoleBinding",
      "/apis/rbac.authorization.k8s.io/v1/rolebindings",
      false);

  /// What every command reads.
  public static final List<ObjectKind> ALWAYS =
      Stream.of(values()).filter(kind -> kind != ROLE_BINDING).toList();

  private final String apiVersion;
  private final String kind;
  private final String path;
  private final boolean needed;

  ObjectKind(String apiVersion, String kind, String path, boolean needed) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.path = path;
    this.needed = needed;
  }

  String apiVersion() {
    return apiVersion;
  }

  String kind() {
    return kind;
  }

  String path() {
    return path;
  }

  /// Whether nothing right can be said without it.
  boolean isNeeded() {
    return needed;
  }

  /// Whether nothing right can be said without it even where Berth is not there.
  boolean isOfAnyCluster() {
    return this == NODE || this == POD;
  }

  /// The resource, as in `kubectl get`.
  public String resource() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
