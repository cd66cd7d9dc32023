package dev.berth.cli.imports;

import java.util.ArrayList;
import java.util.List;

/// The kinds of objects that an import reads.
enum ForeignKind {
  KAI_QUEUE("scheduling.run.ai", "Queue", "queues", "v2"),
  KAI_SHARD("kai.scheduler", "SchedulingShard", "schedulingshards", "v1"),
  CLUSTER_QUEUE("kueue.x-k8s.io", "ClusterQueue", "clusterqueues", "v1beta2", "v1beta1"),
  COHORT("kueue.x-k8s.io", "Cohort", "cohorts", "v1beta2", "v1beta1"),
  FLAVOR("kueue.x-k8s.io", "ResourceFlavor", "resourceflavors", "v1beta2", "v1beta1"),
  LOCAL_QUEUE("kueue.x-k8s.io", "LocalQueue", "localqueues", "v1beta2", "v1beta1"),
  VOLCANO_QUEUE("scheduling.volcano.sh", "Queue", "queues", "v1beta1"),
  BERTH_QUEUE("berth.dev", "Queue", "queues", "v1alpha1");

  private final String group;
  private final String kind;
  private final String resource;
  private final List<String> versions;

  ForeignKind(String group, String kind, String resource, String... versions) {
    this.group = group;
    this.kind = kind;
    this.resource = resource;
    this.versions = List.of(versions);
  }

  String kind() {
    return kind;
  }

  /// The name of the resource with its group, as `kubectl get` takes it.
  String resource() {
    return resource + "." + group;
  }

  /// Whether an object is of this kind, whatever its version.
  boolean isKindOf(String apiVersion, String kindOfObject) {
    return kind.equals(kindOfObject) && apiVersion.startsWith(group + "/");
  }

  /// Whether the fields of this version are known.
  boolean knows(String apiVersion) {
    return versions.contains(apiVersion.substring(apiVersion.indexOf('/') + 1));
  }

  /// `kueue.x-k8s.io/v1beta2`, the newest first.
  List<String> apiVersions() {
    return versions.stream().map(version -> group + "/" + version).toList();
  }

  /// The collections of the API server, the newest version first.
  List<String> paths() {
    var paths = new ArrayList<String>();
    apiVersions().forEach(version -> paths.add("/apis/" + version + "/" + resource));
    return paths;
  }

  /// `ClusterQueue of kueue.x-k8s.io/v1beta2 or v1beta1`.
  String title() {
    return kind + " of " + group + "/" + String.join(" or ", versions);
  }
}
