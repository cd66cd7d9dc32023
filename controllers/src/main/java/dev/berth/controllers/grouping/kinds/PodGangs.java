package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.Problems;
import dev.berth.engine.request.WellKnownNames;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/// `grove.io` PodCliqueSet (once PodGangSet): what starts together is not told by the owners but by
/// the PodGang that the label `grove.io/podgang` names. Each of its pod groups is a sub-group, by
/// its `podReferences`, and those of one `topologyConstraintGroupConfigs` entry stand below a
/// parent.
final class PodGangs implements Rule {
  private static final String LABEL = "grove.io/podgang";

  @Override
  public List<OwnerReference> wants(KubeObject subject, WorkloadPod pod) {
    return List.of(
        OwnerReference.named(
            "scheduler.grove.io/v1alpha1", "PodGang", pod.pod().namespace(), pod.label(LABEL)));
  }

  /// Labels and annotations of the PodCliqueSet fill in what the PodGang lacks.
  @Override
  public List<KubeObject> speakers(WorkloadPod pod) {
    return pod.further();
  }

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    var gang = gang(pod);
    if (gang.isEmpty()) {
      return RoleAssignment.ALONE;
    }
    String role = "";
    for (ManifestTree group : gang.get().spec(problems).objects("podgroups")) {
      for (ManifestTree reference : group.objects("podReferences")) {
        String namespace = reference.text("namespace");
        if (!namespace.isEmpty() && !namespace.equals(pod.pod().namespace())) {
          reference.problem("namespace", namespace, "a gang has pods of its own namespace alone.");
        } else if (reference.text("name").equals(pod.pod().name())) {
          role = group.text("name");
        }
      }
    }
    return RoleAssignment.of(role.isEmpty() ? pod.label("grove.io/podclique") : role)
        .in(gang.get().name());
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    var gang = gang(family.first()).orElse(family.subject());
    ManifestTree spec = gang.spec(problems);
    String topology = topologyName(gang, family.subject());
    var parents = new LinkedHashMap<String, String>();
    var roles = new Roles();
    int number = 0;
    for (ManifestTree config : spec.objects("topologyConstraintGroupConfigs")) {
      String name = config.text("name");
      String parent = name.isEmpty() ? "constraint-group-" + number : name;
      var groups = config.texts("podGroupNames");
      groups.forEach(group -> parents.put(group, parent));
      roles.parent(parent, groups.size(), levels(config, topology));
      number++;
    }
    for (ManifestTree group : spec.objects("podgroups")) {
      var minimum = group.number("minReplicas", 1);
      if (minimum.isEmpty() && !group.has("minReplicas")) {
        group.problem("minReplicas", "", "each pod group of a gang has one pod at least.");
      }
      String name = group.text("name");
      roles.leaf(name, parents.getOrDefault(name, ""), minimum.orElse(1), levels(group, topology));
    }
    String priority = gang.label(WellKnownNames.PRIORITY_CLASS);
    return roles
        .shape()
        .within(levels(spec, topology))
        .of(priority.isEmpty() ? spec.text("priorityClassName") : priority);
  }

  @Override
  public Object trait(KubeObject subject, WorkloadPod pod) {
    return gang(pod).<Object>map(ObjectTrait::new).orElse(SAME);
  }

  private static Optional<KubeObject> gang(WorkloadPod pod) {
    return pod.further().stream().findFirst();
  }

  private static TopologyAsk levels(ManifestTree constrained, String topology) {
    ManifestTree pack = constrained.object("topologyConstraint").object("packConstraint");
    String required = pack.text("required");
    String preferred = pack.text("preferred");
    if (required.isEmpty() && preferred.isEmpty()) {
      return TopologyAsk.NONE;
    }
    if (topology.isEmpty()) {
      pack.problem(
          required.isEmpty() ? "preferred" : "required",
          required.isEmpty() ? preferred : required,
          "a level belongs to a Topology object. Name it with the annotation"
              + " grove.io/topology-name.");
      return TopologyAsk.NONE;
    }
    return new TopologyAsk(topology, required, preferred);
  }

  /// What the PodGang lacks its PodCliqueSet may say.
  private static String topologyName(KubeObject gang, KubeObject set) {
    for (KubeObject each : List.of(gang, set)) {
      for (String key :
          List.of(
              "grove.io/topology-name", WellKnownNames.TOPOLOGY, WellKnownNames.TOPOLOGY_ALIAS)) {
        String name = each.annotations().getOrDefault(key, "");
        if (!name.isEmpty()) {
          return name;
        }
      }
    }
    return "";
  }
}
