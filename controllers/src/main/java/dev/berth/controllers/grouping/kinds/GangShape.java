package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.GroupSpec.SubGroup;
import dev.berth.engine.model.GroupSpec.TopologyAsk;
import dev.berth.engine.request.ManifestTree;
import dev.berth.engine.request.SubGroupTree;
import java.util.ArrayList;
import java.util.List;

/// What of a group must start together.
///
/// @param minMember pods of a group without sub-groups; 0 with them
/// @param minSubGroup how many sub-groups at the top; 0 = all
/// @param topology what the kind has a field of its own for; none = annotations say it
/// @param priorityClass likewise; empty = labels say it
/// @param completions of a workload that makes other pods in the stead of those that complete
public record GangShape(
    int minMember,
    int minSubGroup,
    List<SubGroup> subGroups,
    TopologyAsk topology,
    String priorityClass,
    Completions completions) {
  public GangShape {
    subGroups = List.copyOf(subGroups);
  }

  static GangShape of(int minMember) {
    return new GangShape(minMember, 0, List.of(), TopologyAsk.NONE, "", Completions.NONE);
  }

  static GangShape of(List<SubGroup> subGroups) {
    return new GangShape(0, 0, subGroups, TopologyAsk.NONE, "", Completions.NONE);
  }

  GangShape needing(int ofThoseAtTheTop) {
    return new GangShape(
        minMember, ofThoseAtTheTop, subGroups, topology, priorityClass, completions);
  }

  GangShape within(TopologyAsk levels) {
    return new GangShape(minMember, minSubGroup, subGroups, levels, priorityClass, completions);
  }

  GangShape of(String priority) {
    return new GangShape(minMember, minSubGroup, subGroups, topology, priority, completions);
  }

  GangShape with(Completions stillToCome) {
    return new GangShape(minMember, minSubGroup, subGroups, topology, priorityClass, stillToCome);
  }

  /// With its tree as it can be planned; one pod, if nothing of it can.
  GangShape withTree(List<SubGroup> sane) {
    int minimum = sane.isEmpty() && !subGroups.isEmpty() ? 1 : minMember;
    return new GangShape(minimum, minSubGroup, sane, topology, priorityClass, completions);
  }

  /// With one more sub-group, for members without a role: it asks for none of them, so it is always
  /// complete, and the others must be as many as before.
  GangShape withSurplus(String name) {
    var roles = new ArrayList<>(subGroups);
    roles.add(new SubGroup(name, "", 0, 0, TopologyAsk.NONE));
    return new GangShape(
        minMember,
        minSubGroup == 0 ? 0 : minSubGroup + 1,
        roles,
        topology,
        priorityClass,
        completions);
  }

  /// A sum of numbers that tenants write, each of which may be the largest.
  ///
  /// @param field of `where`, that is told if there are more than can be counted
  static int counted(long pods, ManifestTree where, String field) {
    if (pods > Integer.MAX_VALUE) {
      where.problem(field, Long.toString(pods), "a gang has 2147483647 pods at most.");
    }
    return Math.clamp(pods, 0, Integer.MAX_VALUE);
  }

  /// A tree under construction.
  static final class Roles {
    private final List<SubGroup> roles = new ArrayList<>();
    private boolean refused;

    /// Reserves `more` sub-groups. Returns false, and records a problem, if the tree would have
    /// more than [SubGroupTree#MOST]; it is empty then. Call it before creating them: their number
    /// is one that tenants write.
    ///
    /// @param field of `where`: the number that makes them so many
    boolean takes(long more, ManifestTree where, String field) {
      if (!refused && roles.size() + more > SubGroupTree.MOST) {
        refused = true;
        where.problem(
            field,
            where.text(field),
            "it makes "
                + more
                + " sub-groups, and a gang has "
                + SubGroupTree.MOST
                + " at most. Lower it, or make several workloads of it.");
      }
      return !refused;
    }

    Roles leaf(String name, String parent, int minMember, TopologyAsk topology) {
      roles.add(new SubGroup(name, parent, minMember, 0, topology));
      return this;
    }

    Roles leaf(String name, int minMember) {
      return leaf(name, "", minMember, TopologyAsk.NONE);
    }

    Roles parent(String name, int minSubGroup, TopologyAsk topology) {
      roles.add(new SubGroup(name, "", 0, minSubGroup, topology));
      return this;
    }

    boolean isEmpty() {
      return roles.isEmpty() && !refused;
    }

    GangShape shape() {
      return refused ? GangShape.of(1) : GangShape.of(roles);
    }

    List<SubGroup> list() {
      return roles;
    }
  }
}
