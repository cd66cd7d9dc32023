package dev.berth.controllers.client;

import java.util.Map;

/// Takes what a watch delivers, in order, one object kind after the other's own thread. Objects are
/// plain trees: maps, lists, strings, numbers, booleans.
public interface Watcher {
  /// Added or changed.
  void seen(Kind kind, Map<String, ?> object);

  /// Deleted; the object as it was last.
  void gone(Kind kind, Map<String, ?> object);

  /// The first list, and every later full list, is delivered: objects not seen since `relisted`
  /// began are gone and were reported so.
  void synced(Kind kind);

  /// Whether objects of this kind may be read. Comes before [#synced]; a kind that may not is
  /// synced as if there were none.
  default void readable(Kind kind, boolean isReadable) {}

  /// Every change up to this version is delivered.
  default void reached(Kind kind, String version) {}

  /// Kinds that Berth watches.
  enum Kind {
    NODE("", "v1", "nodes"),
    POD("", "v1", "pods"),
    NAMESPACE("", "v1", "namespaces"),
    JOB("batch", "v1", "jobs"),
    PRIORITY_CLASS("scheduling.k8s.io", "v1", "priorityclasses"),
    /// May be forbidden to Berth: then there are none.
    DISRUPTION_BUDGET("policy", "v1", "poddisruptionbudgets"),
    QUEUE("berth.dev", "v1alpha1", "queues"),
    POD_GROUP("berth.dev", "v1alpha1", "podgroups"),
    TOPOLOGY("berth.dev", "v1alpha1", "topologies"),
    RESOURCE_CLAIM("resource.k8s.io", "v1", "resourceclaims"),
    RESOURCE_SLICE("resource.k8s.io", "v1", "resourceslices"),
    DEVICE_CLASS("resource.k8s.io", "v1", "deviceclasses"),
    /// Where volumes can be reached.
    VOLUME_CLAIM("", "v1", "persistentvolumeclaims"),
    VOLUME("", "v1", "persistentvolumes"),
    STORAGE_CLASS("storage.k8s.io", "v1", "storageclasses"),
    /// The NUMA zones of a node, where an agent writes them.
    NODE_RESOURCE_TOPOLOGY("topology.node.k8s.io", "v1alpha2", "noderesourcetopologies"),
    /// What tells how containers get their GPU (decision 20).
    RUNTIME_CLASS("node.k8s.io", "v1", "runtimeclasses"),
    CLUSTER_POLICY("nvidia.com", "v1", "clusterpolicies"),
    GPU_CLUSTER("nvidia.com", "v1alpha1", "gpuclusters"),
    /// KAI's, where they are read in place.
    KAI_QUEUE("scheduling.run.ai", "v2", "queues"),
    KAI_POD_GROUP("scheduling.run.ai", "v2alpha2", "podgroups"),
    KAI_TOPOLOGY("kai.scheduler", "v1alpha1", "topologies");

    private final String group;
    private final String version;
    private final String plural;

    /// Whether Berth does without it where the cluster does not serve it, or does not let Berth
    /// read.
    public boolean isOptional() {
      return group.equals("resource.k8s.io")
          || this == NODE_RESOURCE_TOPOLOGY
          || this == DISRUPTION_BUDGET
          || tellsOfVolumes()
          || tellsOfInjection()
          || isOfKai();
    }

    private boolean tellsOfVolumes() {
      return this == VOLUME_CLAIM || this == VOLUME || this == STORAGE_CLASS;
    }

    /// Read for the way in which containers get their GPU, and for nothing else.
    public boolean tellsOfInjection() {
      return this == RUNTIME_CLASS || this == CLUSTER_POLICY || this == GPU_CLUSTER;
    }

    /// Watched only where the configuration says so.
    public boolean isOfKai() {
      return this == KAI_QUEUE || this == KAI_POD_GROUP || this == KAI_TOPOLOGY;
    }

    Kind(String group, String version, String plural) {
      this.group = group;
      this.version = version;
      this.plural = plural;
    }

    /// `/api/v1/pods`, `/apis/berth.dev/v1alpha1/queues`.
    public String path() {
      return (group.isEmpty() ? "/api/" : "/apis/" + group + "/") + version + "/" + plural;
    }

    public String plural() {
      return plural;
    }
  }
}
