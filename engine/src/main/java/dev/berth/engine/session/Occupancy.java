package dev.berth.engine.session;

import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.TreeMap;

/// Which pod is where, as it would be: room, queues, claims, budgets and followers are told of each
/// move here and nowhere else.
final class Occupancy {
  private final FreeCapacity room;
  private final QueueTree queues;
  private final ClaimAllocation claims;
  private final Budgets budgets;
  private final MemberCharges charges;
  private final List<MoveListener> followers = new ArrayList<>(1);

  /// What counts as non-preemptible of semi-preemptible groups. Looked up only.
  private final IdentityHashMap<Group, Charge> staying = new IdentityHashMap<>();

  private final TreeMap<PodUid, MemberState> ending = new TreeMap<>();

  Occupancy(FreeCapacity room, QueueTree queues, ClaimAllocation claims, Budgets budgets) {
    this.room = room;
    this.queues = queues;
    this.claims = claims;
    this.budgets = budgets;
    this.charges = new MemberCharges(room, queues);
  }

  FreeCapacity room() {
    return room;
  }

  QueueTree queues() {
    return queues;
  }

  ClaimAllocation claims() {
    return claims;
  }

  MemberCharges charges() {
    return charges;
  }

  void follow(MoveListener one) {
    followers.add(one);
  }

  void rewind() {
    budgets.rewind();
    followers.clear();
  }

  /// A member that is new in the session.
  void enter(Group group, MemberState seat) {
    claims.begin(seat);
    budgets.add(seat);
    if (seat.isEnding()) {
      ending.put(seat.pod().uid(), seat);
    }
    if (seat.isPlaced()) {
      queues.add(group.queue(), charges.at(seat, seat.now()), group.isPreemptible());
    } else if (isAwaited(group, seat)) {
      queues.awaits(group.queue(), seat.podClass().asked());
    }
  }

  /// The reverse of [#enter] for all members of a group.
  void leave(Group group) {
    for (MemberState seat : group.seats()) {
      if (seat.was() == MemberState.Was.TENTATIVE && seat.promised().isOnTheMap()) {
        room.take(seat.podClass(), seat.promised());
      }
      ending.remove(seat.pod().uid());
      if (seat.isPlaced()) {
        queues.subtract(group.queue(), charges.at(seat, seat.now()), group.isPreemptible());
      } else if (isAwaited(group, seat)) {
        queues.awaitsNoMore(group.queue(), seat.podClass().asked());
      }
      budgets.remove(seat);
    }
    var stays = staying.remove(group);
    if (stays != null) {
      queues.stays(group.queue(), stays, queues.nothing());
    }
  }

  /// Pods of namespaces that a queue does not admit are no demand of it. Otherwise pods of any
  /// tenant could raise its fair share and lower others'.
  private boolean isAwaited(Group group, MemberState seat) {
    return seat.isPending()
        && !group.group().namespaceTerminates()
        && QueueFlaws.refusesNamespace(queues, group.group()).isEmpty();
  }

  void move(MemberState seat, Assignment to) {
    boolean wasVictim = seat.isVictim();
    detach(seat);
    seat.move(to);
    attach(seat);
    budgets.moved(seat, wasVictim);
    countStaying(seat.group());
  }

  /// The minimum of a semi-preemptible group counts as non-preemptible.
  void countStaying(Group group) {
    if (group.isSemiPreemptible()) {
      var before = staying.getOrDefault(group, queues.nothing());
      var stays = charges.now(EvictionUnits.staying(group));
      staying.put(group, stays);
      queues.stays(group.queue(), before, stays);
    }
  }

  private void detach(MemberState seat) {
    var from = seat.now();
    if (!from.isSomewhere()) {
      return;
    }
    if (from.isOnTheMap()) {
      if (seat.isAtHome()) {
        room.leave(seat.podClass(), from);
      } else {
        room.giveBack(seat.podClass(), from);
      }
      claims.leave(seat);
      followers.forEach(follower -> follower.moved(seat, from.node(), -1));
    }
    queues.subtract(seat.group().queue(), charges.at(seat, from), seat.group().isPreemptible());
  }

  private void attach(MemberState seat) {
    var to = seat.now();
    if (!to.isSomewhere()) {
      return;
    }
    if (to.isOnTheMap()) {
      if (seat.isAtHome()) {
        room.stay(seat.podClass(), to);
      } else {
        seat.waits(!room.isFreeNow(seat.podClass(), to));
        room.take(seat.podClass(), to);
      }
      claims.place(seat, to.node());
      followers.forEach(follower -> follower.moved(seat, to.node(), 1));
    }
    queues.add(seat.group().queue(), charges.at(seat, to), seat.group().isPreemptible());
  }

  /// Members that are deleted and still there, in the order of their uids.
  Collection<MemberState> ending() {
    return Collections.unmodifiableCollection(ending.values());
  }

  /// What those have of a queue, and below it, whose nodes answer. Looks at each of them.
  long ending(int q, int r) {
    long all = 0;
    for (MemberState seat : ending.values()) {
      boolean isBelow = false;
      for (int level : queues.chain(seat.group().queue())) {
        isBelow |= level == q;
      }
      if (isBelow && isOnNodeThatAnswers(seat)) {
        all = Charge.sum(all, charges.untilGone(seat).of(r));
      }
    }
    return all;
  }

  private boolean isOnNodeThatAnswers(MemberState seat) {
    return seat.member().standing() instanceof Standing.Leaving(var at, _, _)
        && room.assignment(at).isOnTheMap()
        && room.node(room.assignment(at).node()).node().ready();
  }
}
