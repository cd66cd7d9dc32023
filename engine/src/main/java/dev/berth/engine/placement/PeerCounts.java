package dev.berth.engine.placement;

import dev.berth.engine.model.Constraints;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.Standing;
import dev.berth.engine.placement.JudgedTerms.Rules;
import dev.berth.engine.placement.PodMatches.Kind;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.MoveListener;
import dev.berth.engine.session.Session;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Where the pods are that affinity, anti-affinity and spread terms count, and those that ask for
/// them: the counts of [JudgedTerms] follow every move in the session, undone ones included.
/// Without such terms, nothing is followed.
///
/// Where the session is over one pool of several, pods of the others count in the domains that they
/// share, such as zones.
final class PeerCounts implements MoveListener {
  private final FreeCapacity room;
  private final List<FreeCapacity> otherRooms;
  private final JudgedTerms terms;
  private final List<DomainCounts> tallies;
  private final IdentityHashMap<MemberState, PeerRole> parts =
      new IdentityHashMap<>(); // looked up only
  private final LinkedHashSet<MemberState> followers =
      new LinkedHashSet<>(); // got a place near others
  private long moves; // of pods that ask for bans
  private long changes; // of counts

  /// What a seat is to others.
  ///
  /// @param kind says which tallies count it
  record PeerRole(Kind kind, Rules rules) {
    static final PeerRole NONE = new PeerRole(Kind.NONE, Rules.NONE);

    int[] counted() {
      return kind.counted();
    }

    boolean isCountedBy(DomainCounts tally) {
      return Arrays.binarySearch(counted(), tally.number()) >= 0;
    }

    /// Whether it goes only where others are, and may not be the first.
    boolean follows() {
      return !rules.near().isEmpty() && !isCountedBy(rules.near().getFirst());
    }
  }

  PeerCounts(Session session, JudgedTerms terms) {
    this.room = session.room();
    this.otherRooms = session.others().stream().map(Session::room).toList();
    this.terms = terms;
    this.tallies = terms.tallies();
    if (!tallies.isEmpty()) {
      for (Group group : session.groups()) {
        for (MemberState seat : group.seats()) {
          begin(seat);
        }
      }
      session.snapshot().strangers().forEach(this::begin);
      if (terms.lookOut()) {
        session.others().forEach(this::lookInto);
      }
      session.follow(this);
    }
  }

  /// What a seat is to others.
  PeerRole part(MemberState seat) {
    return parts.getOrDefault(seat, PeerRole.NONE);
  }

  /// Seats that got a place in this session near others, and may not be the first there.
  Set<MemberState> followers() {
    return Collections.unmodifiableSet(followers);
  }

  /// Grows with every change of any count.
  long changes() {
    return changes;
  }

  /// Grows when a pod that asks for anti-affinity comes to a node, or goes.
  long moves() {
    return moves;
  }

  // ---- which pod is where

  private PeerRole part(Pod pod, Constraints constraints) {
    var kind = terms.kindOf(pod);
    var asks = terms.rules(constraints);
    return asks == Rules.NONE && kind.counted().length == 0
        ? PeerRole.NONE
        : new PeerRole(kind, asks);
  }

  private void begin(MemberState seat) {
    var part = part(seat.pod(), seat.podClass().constraints());
    if (part == PeerRole.NONE) {
      return;
    }
    parts.put(seat, part);
    if (seat.now().isOnTheMap()) {
      count(part, seat.now().node(), 1, false);
    }
    beginElsewhere(seat, part);
  }

  private void begin(Pod stranger) {
    var part = part(stranger, stranger.asks().constraints());
    countAt(stranger.life().node(), part, stranger.life().leaving());
  }

  /// In the rest of the cluster pods stay as they are by now.
  private void lookInto(Session other) {
    for (Group group : other.groups()) {
      for (MemberState seat : group.seats()) {
        var part = part(seat.pod(), seat.podClass().constraints());
        if (part != PeerRole.NONE && seat.now().isOnTheMap()) {
          countIn(other.room(), part, seat.now().node(), false);
        }
        beginElsewhere(seat, part);
      }
    }
  }

  /// It is, or is there still, where its session does not have it.
  private void beginElsewhere(MemberState seat, PeerRole part) {
    switch (seat.member().standing()) {
      case Standing.Bound(var placement) when !seat.isAtHome() || !seat.now().isOnTheMap() ->
          countAt(placement.node(), part, seat.isVictim());
      case Standing.Leaving(var placement, _, _) -> countAt(placement.node(), part, true);
      default -> {}
    }
  }

  private void countAt(NodeName node, PeerRole part, boolean leaves) {
    int here = room.indexOf(node);
    if (here >= 0) {
      count(part, here, 1, leaves);
    } else if (terms.lookOut()) {
      for (FreeCapacity other : otherRooms) {
        int there = other.indexOf(node);
        if (there >= 0) {
          countIn(other, part, there, leaves);
        }
      }
    }
  }

  private void countIn(FreeCapacity other, PeerRole part, int n, boolean leaves) {
    changes++;
    for (int number : part.counted()) {
      tallies.get(number).addIn(other, n, leaves);
    }
    for (DomainCounts ban : part.rules.apart()) {
      ban.addAskerIn(other, n, leaves);
      moves++;
    }
  }

  private void count(PeerRole part, int n, int by, boolean leaves) {
    changes++;
    for (int number : part.counted()) {
      tallies.get(number).add(n, by, leaves);
    }
    for (DomainCounts ban : part.rules.apart()) {
      ban.addAsker(n, by, leaves);
      moves++;
    }
  }

  @Override
  public void moved(MemberState seat, int node, int by) {
    var part = part(seat);
    count(part, node, by, false);
    if (seat.isAtHome()) {
      for (int number : part.counted()) {
        tallies.get(number).ask(node, -by);
      }
    } else if (part.follows() && !seat.now().isSame(seat.origin())) {
      if (by > 0) {
        followers.add(seat);
      } else {
        followers.remove(seat);
      }
    }
  }
}
