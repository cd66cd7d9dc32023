package dev.berth.engine.explain;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// A snapshot with [changes][Change] made to it. The snapshot itself stays as it is.
///
/// What is not changed is shared with it; O(nodes + queues + groups) for a copy of the lists, and
/// the members of the groups that are removed or were on a drained node.
final class ChangedSnapshot {
  private final Snapshot before;
  private final TreeMap<NodeName, NodeView> nodes = new TreeMap<>();
  private final TreeMap<QueueName, Queue> queues = new TreeMap<>();
  private final TreeMap<GroupKey, PodGroup> groups = new TreeMap<>();

  private Instant now;

  private ChangedSnapshot(Snapshot before) {
    this.before = before;
    this.now = before.now();
    before.nodes().forEach(node -> nodes.put(node.name(), node));
    before.queues().forEach(queue -> queues.put(queue.name(), queue));
    before.groups().forEach(group -> groups.put(group.key(), group));
  }

  /// @return the snapshot itself where nothing changes
  static Snapshot of(Snapshot before, List<Change> changes) {
    if (changes.isEmpty()) {
      return before;
    }
    var changed = new ChangedSnapshot(before);
    changes.forEach(changed::make);
    return changed.snapshot();
  }

  private void make(Change change) {
    switch (change) {
      case Change.SetQueue(var queue) -> queues.put(queue.name(), queue);
      case Change.RemoveQueue(var queue) -> queues.remove(queue);
      case Change.SetNode(var node) -> nodes.put(node.name(), node);
      case Change.DrainNode(var node) -> drain(node);
      case Change.SetGroup(var group) -> groups.put(group.key(), group);
      case Change.RemoveGroup(var key) -> remove(key);
      case Change.AtTime(var then) -> now = then;
      case Change.SwitchOn _ -> {} // a setting of the planner: the cluster is as it was
    }
  }

  private void drain(NodeName name) {
    nodes.remove(name);
    for (PodGroup group : List.copyOf(groups.values())) {
      var members = new ArrayList<Member>();
      boolean any = false;
      for (Member member : group.members()) {
        boolean there = member.standing().placement().node().equals(name);
        any |= there;
        if (!there) {
          members.add(member);
        } else if (!member.pod().belonging().owner().isNone()) {
          members.add(anew(member));
        }
      }
      if (any && members.isEmpty() && group.single()) {
        groups.remove(group.key());
      } else if (any) {
        groups.put(group.key(), group.of(members));
      }
    }
  }

  /// What the pod's controller makes in its stead: it asks for the same, and waits.
  private Member anew(Member member) {
    Pod pod = member.pod();
    var life =
        new Pod.Lifecycle(Pod.Phase.PENDING, NodeName.NONE, List.of(Pod.Lifecycle.GATE), false, "");
    var again =
        new Pod(
            pod.uid(),
            pod.key(),
            pod.version(),
            before.now(),
            pod.scheduler(),
            life,
            pod.asks(),
            pod.belonging(),
            Pod.Written.NOTHING,
            pod.holding(),
            pod.traits(),
            pod.problems());
    return new Member(again, new Standing.Waiting(), member.vetoes());
  }

  private void remove(GroupKey key) {
    var group = groups.remove(key);
    if (group == null) {
      return;
    }
    for (Member member : group.members()) {
      var room = nodes.get(member.standing().placement().node());
      if (room != null) {
        nodes.put(room.name(), without(room, member));
      }
    }
  }

  /// The node without a member. A device without shares is no longer held for shares.
  private static NodeView without(NodeView room, Member member) {
    boolean leaves = member.standing() instanceof Standing.Leaving;
    var placement = member.standing().placement();
    var request = member.pod().asks().request();
    var amounts = request.amounts().plus(Amounts.of(Resource.PODS, 1));
    var used = room.used().minus(amounts);
    var slots = new ArrayList<Slot>();
    for (Slot slot : room.slots()) {
      if (!placement.slots().contains(slot.index())) {
        slots.add(slot);
        continue;
      }
      int left = slot.usedMillis() - placement.millis();
      if (left > 0) {
        int leaving = slot.leavingMillis() - (leaves ? placement.millis() : 0);
        slots.add(new Slot(slot.index(), slot.holder(), slot.uuid(), left, leaving));
      } else {
        used = used.minus(holder(room));
      }
    }
    var ports = new TreeSet<>(room.hostPorts());
    request.hostPorts().forEach(ports::remove);
    return new NodeView(
        room.node(),
        used,
        leaves ? room.leaving().minus(amounts) : room.leaving(),
        room.foreign(),
        slots,
        ports,
        room.trouble(),
        room.numa());
  }

  /// What a holder takes of its node, besides its device: it is a pod.
  private static Amounts holder(NodeView room) {
    return Amounts.of(Resource.PODS, 1).plus(Amounts.of(room.node().accelerator().resource(), 1));
  }

  private Snapshot snapshot() {
    return new Snapshot(
        before.version(),
        now,
        List.copyOf(nodes.values()),
        List.copyOf(queues.values()),
        List.copyOf(groups.values()),
        before.topologies(),
        before.past(),
        before.strangers(),
        before.devices(),
        before.budgets());
  }
}
