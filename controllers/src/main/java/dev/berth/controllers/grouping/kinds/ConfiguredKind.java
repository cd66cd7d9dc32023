package dev.berth.controllers.grouping.kinds;

import dev.berth.controllers.grouping.kinds.GangShape.Roles;
import dev.berth.engine.request.Problems;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/// A kind that the configuration describes: the sum of numbers in its object is the minimum, or
/// each component has one, and is a sub-group.
///
/// @param group API group, of any version
/// @param minMember path of a number; empty = 1, or the components decide
/// @param components roles, all of them required
/// @param priorityClass of a group that names none
public record ConfiguredKind(
    String group, String kind, String minMember, List<Component> components, String priorityClass)
    implements Rule {
  public ConfiguredKind {
    components = List.copyOf(components);
  }

  /// Whether a path can be read: names, `[*]` and `[0]`.
  public static boolean isPath(String path) {
    return !path.isEmpty() && JsonPath.isSane(path);
  }

  /// @param minMember path of a number in the workload's object
  /// @param label of the pod, that tells the role: with this value, where it says one
  public record Component(String name, String minMember, String label, String value) {
    boolean isRoleOf(WorkloadPod pod) {
      Map<String, String> labels = pod.pod().labels();
      return labels.containsKey(label) && (value.isEmpty() || value.equals(labels.get(label)));
    }
  }

  @Override
  public RoleAssignment seat(KubeObject subject, WorkloadPod pod, Problems problems) {
    for (Component component : components) {
      if (component.isRoleOf(pod)) {
        return RoleAssignment.of(component.name());
      }
    }
    return components.isEmpty() && minMember.isEmpty()
        ? RoleAssignment.ALONE
        : RoleAssignment.MEMBER;
  }

  @Override
  public GangShape shape(GangMembers family, Problems problems) {
    var object = family.subject();
    if (components.isEmpty()) {
      return GangShape.of(Math.max(1, number(object, minMember, problems)));
    }
    var roles = new Roles();
    for (Component component : components) {
      roles.leaf(component.name(), number(object, component.minMember(), problems));
    }
    return roles.shape();
  }

  private static int number(KubeObject object, String path, Problems problems) {
    OptionalLong sum = JsonPath.sum(object.fields(), path);
    if (sum.isEmpty() || sum.getAsLong() < 0 || sum.getAsLong() > Integer.MAX_VALUE) {
      problems.add(
          path,
          sum.isEmpty() ? "" : Long.toString(sum.getAsLong()),
          "the definition of " + object.kind() + " says that there is a number.");
      return 1;
    }
    return (int) sum.getAsLong();
  }
}
