package dev.berth.engine;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/// A world that does what it is told: victims leave and come back as pods that wait, planned pods
/// start when their room is free, together with their whole group.
public final class Aftermath {
  private final Snapshot before;
  private final TreeMap<NodeName, NodeView> rooms = new TreeMap<>();
  private final TreeMap<PodUid, Standing> standings = new TreeMap<>();
  private final TreeMap<PodUid, Pod> pods = new TreeMap<>();
  private final TreeSet<PodUid> gone = new TreeSet<>();

  private Aftermath(Snapshot before) {
    this.before = before;
    before.nodes().forEach(room -> rooms.put(room.name(), room));
    for (PodGroup group : before.groups()) {
      for (Member member : group.members()) {
        pods.put(member.pod().uid(), member.pod());
        standings.put(member.pod().uid(), member.standing());
      }
    }
  }

  /// Victims are gone at once.
  public static Snapshot swift(Snapshot before, Plan plan) {
    var world = new Aftermath(before);
    world.obey(plan);
    world.removeLeavingPods();
    world.startPlannedGroups();
    return world.snapshot();
  }

  /// Victims of this plan are on their way out until the next one is carried out.
  public static Snapshot slow(Snapshot before, Plan plan) {
    var world = new Aftermath(before);
    world.removeLeavingPods();
    world.obey(plan);
    world.startPlannedGroups();
    return world.snapshot();
  }

  /// No victim leaves; the plans start that need no victims to leave below a limit.
  ///
  /// @param plan what was planned over the snapshot
  public static Snapshot refused(Snapshot before, Plan plan) {
    var world = new Aftermath(before);
    world.standings.replaceAll((_, standing) ->
        standing instanceof Standing.Leaving(var placement, _, _)
            ? new Standing.Bound(placement)
            : standing);
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Reserve reserve when !reserve.afterOthers() ->
            Expectations.all(reserve)
                .forEach(
                    each -> world.standings.put(each.uid(), new Standing.Bound(each.placement())));
        case Decision.Withdraw(_, var plans, _) ->
            plans.forEach(each -> world.standings.put(each.uid(), new Standing.Waiting()));
        case Reserve _, Decision.Evict _, Decision.Wait _ -> {}
      }
    }
    return world.snapshot();
  }

  /// Whether no pod is about to start or to leave.
  public static boolean isSettled(Snapshot snapshot) {
    for (PodGroup group : snapshot.groups()) {
      for (Member member : group.members()) {
        if (member.standing() instanceof Standing.Planned
            || member.standing() instanceof Standing.Leaving) {
          return false;
        }
      }
    }
    return true;
  }

  private void obey(Plan plan) {
    for (Decision decision : plan.decisions()) {
      switch (decision) {
        case Reserve reserve -> {
          reserve.victims().forEach(this::leave);
          Expectations.all(reserve).forEach(this::promise);
        }
        case Decision.Evict(_, var victims) -> victims.forEach(this::leave);
        case Decision.Withdraw(_, var plans, _) ->
            plans.forEach(each -> takeBack(each.uid(), each.plan().placement()));
        case Decision.Wait _ -> {}
      }
    }
  }

  private void leave(Victim victim) {
    switch (standings.get(victim.uid())) {
      case Standing.Bound(var placement) -> {
        var room = rooms.get(placement.node());
        var slots = slots(room);
        for (int slot : placement.slots()) {
          slots.compute(slot, (_, there) -> slot(there, slot, 0, placement.millis()));
        }
        put(room, room.used(), room.leaving().plus(asked(victim.uid())), slots);
        standings.put(victim.uid(), new Standing.Leaving(placement, victim.again(), true));
      }
      case Standing.Planned(var plan, _) -> takeBack(victim.uid(), plan.placement());
      case Standing other -> throw new AssertionError(victim + " cannot leave: " + other);
    }
  }

  private void promise(Reserved reserved) {
    var placement = reserved.placement();
    var room = rooms.get(placement.node());
    var used = room.used().plus(asked(reserved.uid()));
    var slots = slots(room);
    for (int slot : placement.slots()) {
      used = slots.containsKey(slot) ? used : used.plus(holder());
      slots.compute(slot, (_, there) -> slot(there, slot, placement.millis(), 0));
    }
    put(room, used, room.leaving(), slots);
    var plan = new WrittenPlan(placement, "", 1, before.now().plusSeconds(300));
    standings.put(reserved.uid(), new Standing.Planned(plan, false));
  }

  private void takeBack(PodUid uid, Placement placement) {
    var room = rooms.get(placement.node());
    free(room, room.used().minus(asked(uid)), room.leaving(), placement, 0);
    standings.put(uid, new Standing.Waiting());
  }

  private void removeLeavingPods() {
    for (PodUid uid : List.copyOf(standings.keySet())) {
      if (standings.get(uid) instanceof Standing.Leaving(var placement, _, _)) {
        var room = rooms.get(placement.node());
        free(
            room,
            room.used().minus(asked(uid)),
            room.leaving().minus(asked(uid)),
            placement,
            placement.millis());
        gone.add(uid);
        standings.put(uid, new Standing.Waiting());
      }
    }
  }

  private void free(NodeView room, Amounts used, Amounts leaving, Placement placement, int left) {
    var slots = slots(room);
    var now = used;
    for (int slot : placement.slots()) {
      var next = slot(slots.get(slot), slot, -placement.millis(), -left);
      if (next.usedMillis() == 0) {
        slots.remove(slot);
        now = now.minus(holder());
      } else {
        slots.put(slot, next);
      }
    }
    put(room, now, leaving, slots);
  }

  private void startPlannedGroups() {
    for (PodGroup group : before.groups()) {
      var starting = new TreeMap<PodUid, Placement>();
      boolean clear = true;
      for (Member member : group.members()) {
        if (standings.get(member.pod().uid()) instanceof Standing.Planned(var plan, _)) {
          starting.put(member.pod().uid(), plan.placement());
          clear &= isClear(rooms.get(plan.placement().node()));
        }
      }
      if (clear) {
        starting.forEach((uid, placement) -> standings.put(uid, new Standing.Bound(placement)));
      }
    }
  }

  /// Whether the pods on the node fit together.
  private static boolean isClear(NodeView room) {
    return room.used().fitsIn(room.node().allocatable())
        && room.slots().stream().allMatch(slot -> slot.usedMillis() <= 1000);
  }

  private Amounts asked(PodUid uid) {
    return pods.get(uid).asks().request().amounts().plus(Amounts.of(Resource.PODS, 1));
  }

  private static Amounts holder() {
    return Amounts.of(Resource.PODS, 1).plus(Amounts.of(Resource.NVIDIA, 1));
  }

  private static TreeMap<Integer, Slot> slots(NodeView room) {
    var slots = new TreeMap<Integer, Slot>();
    room.slots().forEach(slot -> slots.put(slot.index(), slot));
    return slots;
  }

  private static Slot slot(Slot there, int index, int used, int leaving) {
    return there == null
        ? new Slot(index, Holder.REPORTED, "GPU-" + index, used, leaving)
        : new Slot(
            index,
            there.holder(),
            there.uuid(),
            there.usedMillis() + used,
            there.leavingMillis() + leaving);
  }

  private void put(NodeView room, Amounts used, Amounts leaving, TreeMap<Integer, Slot> slots) {
    rooms.put(
        room.name(),
        new NodeView(
                room.node(),
                used,
                leaving,
                room.foreign(),
                new ArrayList<>(slots.values()),
                room.hostPorts())
            .in(room.numa()));
  }

  private Snapshot snapshot() {
    var groups = new ArrayList<PodGroup>();
    for (PodGroup group : before.groups()) {
      var members = new ArrayList<Member>();
      for (Member member : group.members()) {
        var uid = member.pod().uid();
        members.add(
            new Member(
                gone.contains(uid) ? another(member.pod()) : member.pod(),
                standings.get(uid),
                member.vetoes()));
      }
      groups.add(group.of(members));
    }
    return new Snapshot(
        before.version() + 1,
        before.now().plus(Duration.ofSeconds(10)),
        new ArrayList<>(rooms.values()),
        before.queues(),
        groups,
        before.topologies(),
        before.usage());
  }

  /// What its owner makes in its place.
  private Pod another(Pod pod) {
    return new Pod(
        new PodUid(pod.uid().value() + "'"),
        pod.key(),
        pod.version() + 1,
        before.now(),
        pod.scheduler(),
        pod.life(),
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.problems());
  }
}
