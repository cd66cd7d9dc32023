package dev.berth.cli.offers;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Pods of Ray clusters: the head, and of each worker group that is not suspended `replicas` times
/// `numOfHosts`, at least `minReplicas`. The pod that submits a RayJob comes when its cluster is
/// ready.
final class RayRoles {
  private static final String API = "ray.io/v1";

  private RayRoles() {}

  static List<PodRole> ofJob(Map<String, Object> spec, String name) throws UntoldPods {
    if (!spec.containsKey("rayClusterSpec")) {
      throw new UntoldPods(
          "it makes no cluster, but submits to one that is there (clusterSelector): give a"
              + " rayClusterSpec, or its submitter as a Pod");
    }
    return made(ObjectTree.under(spec, "rayClusterSpec"), name);
  }

  static List<PodRole> ofService(Map<String, Object> spec, String name) {
    return made(ObjectTree.under(spec, "rayClusterConfig"), name);
  }

  private static List<PodRole> made(Map<String, Object> cluster, String name) {
    return ofCluster(
        cluster,
        name,
        _ -> {
          var made = PodRole.object(API, "RayCluster", name);
          made.put("spec", ObjectTree.thaw(cluster));
          return Optional.of(made);
        });
  }

  /// @param between the cluster, where the manifest is none
  static List<PodRole> ofCluster(Map<String, Object> spec, String name, PodRole.Between between) {
    var roles = new ArrayList<PodRole>();
    var head = SubmittedKind.template(ObjectTree.under(spec, "headGroupSpec"));
    roles.add(
        new PodRole(
            head,
            1,
            1,
            between,
            (_, _, metadata) -> member(metadata, name, "head", "headgroup", 0)));
    int index = 0;
    for (var group : ObjectTree.maps(spec, "workerGroupSpecs")) {
      String said = ObjectTree.text(group, "groupName");
      String role = said.isEmpty() ? "worker-group-" + index : said;
      if (!ObjectTree.isTrue(group, "suspend")) {
        long hosts = Math.clamp(ObjectTree.number(group, 1, "numOfHosts"), 0, Integer.MAX_VALUE);
        roles.add(
            new PodRole(
                SubmittedKind.template(group),
                1,
                hosts * replicas(group),
                between,
                (_, pod, metadata) -> member(metadata, name, "worker", role, pod)));
      }
      index++;
    }
    return roles;
  }

  /// As many as Kubernetes can count at most.
  private static long replicas(Map<String, ?> group) {
    long least = ObjectTree.number(group, 0, "minReplicas");
    long replicas = Math.max(least, ObjectTree.number(group, least, "replicas"));
    return Math.clamp(replicas, 0, Integer.MAX_VALUE);
  }

  private static void member(
      Map<String, Object> metadata, String cluster, String type, String group, int pod) {
    metadata.put("name", cluster + "-" + group + "-" + type + "-" + pod);
    PodRole.label(metadata, "ray.io/cluster", cluster);
    PodRole.label(metadata, "ray.io/node-type", type);
    PodRole.label(metadata, "ray.io/group", group);
  }
}
