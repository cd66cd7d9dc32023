package dev.berth.engine.session;

import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import dev.berth.engine.model.WrittenPlan;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Takes groups into a session.
final class GroupEntry {
  private final Occupancy occupancy;
  private final FreeCapacity room;
  private final QueueTree queues;
  private final ClaimAllocation claims;
  private final PodClasses podClasses;
  private final GroupIndex roll;
  private final boolean again;

  /// @param again whether plans onto room that is still being left are made again
  GroupEntry(Occupancy occupancy, PodClasses podClasses, GroupIndex roll, boolean again) {
    this.occupancy = occupancy;
    this.room = occupancy.room();
    this.queues = occupancy.queues();
    this.claims = occupancy.claims();
    this.podClasses = podClasses;
    this.roll = roll;
    this.again = again;
  }

  /// Takes in groups that come, and those that wait again: their order depends on all of them. The
  /// claims of those that have a place are charged by then.
  List<Group> enter(Iterable<PodGroup> come) {
    var line = new PlanQueue(room);
    if (again) {
      come.forEach(group -> standInLine(line, group));
    }
    var entered = new ArrayList<Group>();
    for (PodGroup group : come) {
      entered.add(add(group, again ? tentative(line, group) : Set.of()));
    }
    claims.settle();
    entered.forEach(this::takeOut);
    return entered;
  }

  /// Of a group's plans behind gates that are still closed those that are made again: they wait for
  /// room that any preceding group may take. A block is made again as a whole; so are all of them
  /// where the others would be fewer than start together.
  private Set<PodUid> tentative(PlanQueue line, PodGroup group) {
    var waiting = new LinkedHashSet<PodUid>();
    var closed = new LinkedHashMap<PodUid, WrittenPlan>();
    var blocks = new HashSet<String>();
    for (PodGroup.Member member : group.members()) {
      if (member.standing() instanceof Standing.Planned(var plan, var released) && !released) {
        closed.put(member.pod().uid(), plan);
        if (!line.holdsNow(plan, room.assignment(plan.placement()), member.pod())) {
          waiting.add(member.pod().uid());
          blocks.add(plan.gang());
        }
      }
    }
    if (waiting.isEmpty() || group.standsFast()) {
      return Set.of();
    }
    closed.forEach((uid, plan) -> {
      if (plan.size() > 1 && blocks.contains(plan.gang())) {
        waiting.add(uid);
      }
    });
    return isBelowMinimum(group, waiting) ? closed.keySet() : waiting;
  }

  private static boolean isBelowMinimum(PodGroup group, Set<PodUid> without) {
    var rest = new ArrayList<PodGroup.Member>(group.members());
    rest.replaceAll(member ->
        without.contains(member.pod().uid())
            ? new PodGroup.Member(member.pod(), new Standing.Waiting(), member.vetoes())
            : member);
    return Group.outside(group.of(rest)).isBelowMinimum();
  }

  private void standInLine(PlanQueue line, PodGroup group) {
    for (PodGroup.Member member : group.members()) {
      if (member.standing() instanceof Standing.Planned(var plan, var released) && !released) {
        line.add(
            plan,
            member.pod(),
            podClasses.of(member.pod().asks(), ClaimedGpus.NONE),
            room.assignment(plan.placement()));
      }
    }
  }

  private void takeOut(Group group) {
    for (MemberState seat : group.seats()) {
      if (seat.was() == MemberState.Was.TENTATIVE && seat.promised().isOnTheMap()) {
        room.giveBack(seat.podClass(), seat.promised());
      }
    }
  }

  private Group add(PodGroup podGroup, Set<PodUid> tentative) {
    var group = new Group(podGroup, queues.find(podGroup.queue()));
    var moved = new ArrayList<MemberState>(0);
    for (PodGroup.Member member : podGroup.members()) {
      var seat = seat(group, member, tentative.contains(member.pod().uid()));
      if (seat.was() == MemberState.Was.MOVED) {
        moved.add(seat);
      } else {
        join(group, seat);
      }
    }
    moved.forEach(seat -> join(group, seat)); // groups that are there precede them
    occupancy.countStaying(group);
    boolean isCounted = group.queue() != QueueTree.NONE && !queues.isBroken(group.queue());
    roll.enter(group, !isCounted);
    return group;
  }

  private void join(Group group, MemberState seat) {
    group.seat(seat);
    occupancy.enter(group, seat);
  }

  private MemberState seat(Group group, PodGroup.Member member, boolean tentative) {
    var podClass = podClasses.of(member.pod().asks(), claims.gpus(group.group(), member.pod()));
    return switch (member.standing()) {
      case Standing.Planned(var plan, _) when tentative ->
          MemberState.again(
              group,
              member,
              podClass,
              MemberState.Was.TENTATIVE,
              room.assignment(plan.placement()));
      case Standing.Leaving(_, var place, _) when again && isMoved(member.pod(), place) ->
          MemberState.again(group, member, podClass, MemberState.Was.MOVED, room.assignment(place));
      case Standing.Awaited(var place) when again && isMoved(member.pod(), place) ->
          MemberState.again(group, member, podClass, MemberState.Was.MOVED, room.assignment(place));
      case Standing standing -> new MemberState(group, member, podClass, origin(standing));
    };
  }

  /// Claimed devices are still where their pod is.
  private static boolean isMoved(Pod pod, Placement again) {
    return !again.isNone() && pod.traits().claims().isEmpty();
  }

  private Assignment origin(Standing standing) {
    return switch (standing) {
      case Standing.Planned(var plan, _) -> room.assignment(plan.placement());
      case Standing.Bound(var placement) -> room.assignment(placement);
      case Standing.Waiting _, Standing.Leaving _, Standing.Awaited _, Standing.Over _ ->
          Assignment.NOWHERE;
    };
  }
}
