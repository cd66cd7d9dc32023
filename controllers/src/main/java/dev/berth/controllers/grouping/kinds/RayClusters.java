package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.GroupLabels;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import java.util.Optional;

/// `ray.io` RayCluster, by itself or made by a RayJob or RayService: the head, and of each worker
/// group `minReplicas` (else `replicas`) times `numOfHosts`, each a sub-group. What is suspended is
/// left out, and a group at 0 replicas counts nothing: its pods may come later. Above the minimum
/// workers come and go. With the in-tree autoscaler `replicas` is what it asks for at the moment,
/// so that only `minReplicas` is mandatory.
///
/// Each cluster is a gang of its own: while a RayService is upgraded two of them run. The pod that
/// submits a RayJob is created when the cluster is ready, and is surplus.
final class RayClusters implements Rule {
  private static final String RAY = "ray.io";
  private static final String HEAD = "headgroup";

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    String cluster = cluster(subject, pod).map(KubeObject::name).orElseGet(() -> current(subject));
    if (cluster.isEmpty()) {
      return RoleAssignment.ALONE; // a submitter without a cluster asks for no other pods
    }
    String role = pod.label(RAY + "/group");
    boolean leads = pod.label(RAY + "/node-type").equals("head");
    String part = subject.kind().equals("RayCluster") ? "" : cluster;
    return RoleAssignment.of(role).leading(leads).in(part);
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    var cluster =
        family.subject().kind().equals("RayCluster")
            ? Optional.of(family.subject())
            : family.owner(RAY, "RayCluster").stream().findFirst();
    if (cluster.isEmpty()) {
      return GangShape.of(1); // only its submitter is left
    }
    ManifestTree spec = cluster.get().spec(problems);
    var roles = new Roles();
    roles.leaf(HEAD, "", 1, topology(spec.object("headGroupSpec")));
    boolean autoscaled = spec.flag("enableInTreeAutoscaling");
    int index = 0;
    for (ManifestTree group : spec.objects("workerGroupSpecs")) {
      String name = group.text("groupName");
      int least = group.number("minReplicas", 0).orElse(0);
      int replicas = group.number("replicas", 0).orElse(least);
      if (least > replicas && replicas > 0) {
        group.problem(
            "minReplicas", Integer.toString(least), "there are " + replicas + " replicas only.");
      }
      if (!group.flag("suspend")) {
        int needed = Math.min(replicas, least > 0 || autoscaled ? least : replicas);
        roles.leaf(
            name.isEmpty() ? "worker-group-" + index : name,
            "",
            GangShape.counted(
                (long) needed * group.number("numOfHosts", 1).orElse(1), group, "numOfHosts"),
            topology(group));
      }
      index++;
    }
    return roles.shape().of(family.subject().label("ray.io/priority-class-name"));
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return pod.owner(RAY, "RayCluster").stream()
        .findFirst()
        .<Object>map(ObjectTrait::new)
        .orElse(SAME);
  }

  private static Optional<KubeObject> cluster(KubeObject subject, WorkloadPod pod) {
    return subject.kind().equals("RayCluster")
        ? Optional.of(subject)
        : pod.owner(RAY, "RayCluster").stream().findFirst();
  }

  /// The cluster that a RayJob or RayService uses now.
  private static String current(KubeObject subject) {
    ManifestTree status = subject.status(new Problems());
    if (subject.kind().equals("RayJob")) {
      return status.text("rayClusterName");
    }
    String active = status.object("activeServiceStatus").text("rayClusterName");
    return active.isEmpty() ? status.object("pendingServiceStatus").text("rayClusterName") : active;
  }

  private static TopologyAsk topology(ManifestTree group) {
    return GroupLabels.topology(group.object("template").object("metadata").words("annotations"));
  }
}
