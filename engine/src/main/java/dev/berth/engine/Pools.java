package dev.berth.engine;

import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Ahead;
import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Problem;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// A cluster divided by a label of its nodes: each value is a pool with its own capacity and its
/// own fair shares; nodes without the label are a pool as well, called "". Queues span all pools,
/// with their quota and limit in each, or others where they say so ([Queue#pools]). Disruption
/// budgets count over all of them.
///
/// A group belongs to the pool that its nodes belong to; one that has none yet, to the pool that
/// its first member selects. Groups whose pool has no nodes wait and say so, and those that select
/// none and ask for devices that other pools alone have. So do those with a member that selects
/// another pool than the rest: what runs of them is counted in its pool still, and may leave and
/// must end there.
final class Pools {
  private final String label;
  private final TreeMap<String, PoolContents> parts = new TreeMap<>();
  private final GroupPools poolOf;
  private final TreeMap<GroupKey, Decision> strays = new TreeMap<>();

  /// What of the cluster is in one pool, in the order of the snapshot.
  ///
  /// @param offers whether any of the nodes has devices of a resource, as far as that was asked
  private record PoolContents(
      List<NodeView> nodes, List<PodGroup> groups, TreeMap<Resource, Boolean> offers) {
    PoolContents() {
      this(new ArrayList<>(), new ArrayList<>(), new TreeMap<>());
    }

    boolean offers(Resource devices) {
      return offers.computeIfAbsent(
          devices,
          asked -> nodes.stream().anyMatch(node -> node.node().allocatable().of(asked) > 0));
    }
  }

  private Pools(String label, Snapshot snapshot) {
    this.label = label;
    this.poolOf = GroupPools.of(label, snapshot);
    for (NodeView room : snapshot.nodes()) {
      String pool = poolOf.of(room.name()).orElse("");
      parts.computeIfAbsent(pool, _ -> new PoolContents()).nodes.add(room);
    }
    for (PodGroup group : snapshot.groups()) {
      add(group);
    }
  }

  /// @param label that tells the pool of a node
  static Pools of(String label, Snapshot snapshot) {
    return new Pools(label, snapshot);
  }

  /// One snapshot for each pool, by its name.
  TreeMap<String, Snapshot> divide(Snapshot whole, PoolQueues queues) {
    var divided = new TreeMap<String, Snapshot>();
    parts.forEach((name, part) ->
        divided.put(name, whole.of(part.nodes, queues.in(name, whole.queues()), part.groups)));
    return divided;
  }

  /// Groups that are in no pool wait.
  List<Decision> strays() {
    return List.copyOf(strays.values());
  }

  private void add(PodGroup group) {
    var home = poolOf.home(group);
    var pool = home.orElseGet(() -> poolOf.selected(group));
    var part = parts.get(pool);
    var astray = astray(group, pool);
    boolean elsewhere =
        home.isEmpty() && pool.isEmpty() && part != null && isElsewhere(group, part);
    if (part != null && !elsewhere && (astray.isEmpty() || home.isPresent())) {
      part.groups.add(astray.map(each -> each.in(group)).orElse(group));
    } else if (waits(group)) {
      var reason = astray.map(Astray::reason).orElseGet(() -> noSuchPool(pool));
      strays.put(group.key(), new Decision.Wait(group.key(), reason, Ahead.NONE));
    }
  }

  /// Whether a group that selects no pool asks for devices that only nodes of pools have.
  private boolean isElsewhere(PodGroup group, PoolContents unlabelled) {
    for (Member member : group.members()) {
      var devices = member.pod().asks().request().devices();
      if (member.standing() instanceof Standing.Waiting
          && !(devices instanceof DeviceRequest.None)) {
        var asked = devices instanceof DeviceRequest.Whole(var whole, _) ? whole : Resource.NVIDIA;
        return !unlabelled.offers(asked)
            && parts.values().stream().anyMatch(part -> part.offers(asked));
      }
    }
    return false;
  }

  /// A member that waits and selects another pool than the rest of its group.
  private record Astray(Pod pod, Problem problem) {
    Reason reason() {
      return new Reason.BadRequest("pod " + pod.key(), problem);
    }

    /// The group with a member that is invalid.
    PodGroup in(PodGroup group) {
      var members = new ArrayList<Member>();
      for (Member member : group.members()) {
        boolean it = member.pod().equals(pod);
        members.add(
            it ? new Member(pod.with(problem), member.standing(), member.vetoes()) : member);
      }
      return group.of(members);
    }
  }

  private Reason noSuchPool(String pool) {
    var named = new ArrayList<>(parts.keySet());
    named.remove("");
    return new Reason.NoSuchPool(label, pool, named);
  }

  private Optional<Astray> astray(PodGroup group, String pool) {
    for (Member member : group.members()) {
      if (member.standing() instanceof Standing.Waiting && !poolOf.selected(member).equals(pool)) {
        var problem =
            new Problem(
                "spec.nodeSelector[" + label + "]",
                poolOf.selected(member),
                "must be \"" + pool + "\", the pool of the rest of its group");
        return Optional.of(new Astray(member.pod(), problem));
      }
    }
    return Optional.empty();
  }

  private static boolean waits(PodGroup group) {
    for (Member member : group.members()) {
      if (member.standing() instanceof Standing.Waiting) {
        return true;
      }
    }
    return false;
  }
}
