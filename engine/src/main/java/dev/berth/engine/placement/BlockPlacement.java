package dev.berth.engine.placement;

import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntPredicate;

/// Places blocks, all or nothing: the members one after the other, each at its best place; where a
/// topology is asked, within one domain after the other until the whole block fits, the parts of
/// the tree within the domain of their parent. Where a block of different members finds no room in
/// its own order, it is tried with the largest first: small ones may have taken what a large one
/// needs.
public final class BlockPlacement {
  private final Session session;
  private final LargestAmounts largest;
  private final NodePicker places;
  private final BlockSearch search;
  private final BlockCapacity capacity;
  private final Domain cluster;
  private final HashMap<Integer, Failure> failures = new HashMap<>(); // looked up only

  /// A block of so many equal members found no room when room had grown for the last time at
  /// `growth`. Until it grows again, no larger one does.
  private record Failure(int members, long growth, NoRoom reason) {
    static final Failure NONE =
        new Failure(Integer.MAX_VALUE, -1, new NoRoom(0, 0, 0, Collections.emptyList()));
  }

  /// @param rankings over the same session
  public BlockPlacement(Session session, Rankings rankings) {
    this.session = session;
    largest = rankings.largest();
    places = new NodePicker(session, rankings);
    search = new BlockSearch(session, places);
    capacity = new BlockCapacity(search);
    cluster = search.cluster();
  }

  /// Gives every seat of the step a place, or none of them.
  ///
  /// @param together whether they start as one block, also where it is a single member
  public PlacementOutcome place(PlacementStep step, boolean together) {
    var seats = step.all();
    boolean alike = areAlike(step);
    if (alike) {
      var known = known(seats);
      if (known.members <= seats.size()) {
        var reason = known.reason;
        var none =
            new NoRoom(
                seats.size(), reason.placed(), reason.nodes(), reason.shortfalls(), reason.free());
        return new PlacementOutcome.Refused(
            capacity.told(step, true, step.parts().isEmpty() ? none.startingSmaller() : none));
      }
    }
    var attempt = new BlockAttempt(search, step, together || seats.size() > 1, true);
    if (attempt.place(step, cluster)) {
      return new PlacementOutcome.Placed();
    }
    if (alike && !session.isTrial() && attempt.reason() instanceof NoRoom reason) {
      failures.put(
          seats.getFirst().podClass().id(), new Failure(seats.size(), session.growth(), reason));
    }
    if (attempt.reason() instanceof NoRoom farthest) {
      var reason = attempt.releasing(farthest);
      return new PlacementOutcome.Refused(
          (alike ? Optional.<NoRoom>empty() : attempt.nowhere(step))
              .map(nowhere -> BlockCapacity.toldNowhere(step, nowhere))
              .orElseGet(() -> capacity.told(step, alike, reason)));
    }
    return new PlacementOutcome.Refused(attempt.reason());
  }

  /// Gives every seat of the step the place that it was promised, or none of them.
  public boolean keeps(PlacementStep step, boolean together) {
    var seats = step.all();
    try (Statement statement = session.open()) {
      for (MemberState seat : seats) {
        if (!places.isFree(seat, seat.promised())) {
          return false;
        }
        statement.place(seat, seat.promised(), together || seats.size() > 1);
      }
      statement.keep();
      return true;
    }
  }

  /// A group that was placed in this round, and without which the seats of the step could keep the
  /// places that they were promised. With others there may be several: the first by key.
  public Optional<GroupKey> overtaker(PlacementStep step, boolean together) {
    var nodes = new HashSet<Integer>(); // looked up only
    step.all().forEach(seat -> nodes.add(seat.promised().node()));
    var own = step.all().getFirst().group();
    var takers = new TreeSet<GroupKey>();
    try (Statement statement = session.open()) {
      for (Group other : List.copyOf(session.index().touched())) {
        for (MemberState seat : other == own ? List.<MemberState>of() : other.seats()) {
          boolean isPlacedNow = seat.isNew() || seat.isBroken() && seat.isPlaced();
          if (isPlacedNow && nodes.contains(seat.now().node())) {
            statement.evict(seat, seat.cause(), seat.beneficiary());
            takers.add(other.key());
          }
        }
      }
      return takers.isEmpty() || !keeps(step, together)
          ? Optional.empty()
          : Optional.of(takers.first());
    }
  }

  /// Whether a member of the step asks for more of something than any node has.
  public boolean asksForMoreThanAnyNodeHas(PlacementStep step) {
    return step.all().stream().anyMatch(seat -> largest.isBelow(seat.podClass()));
  }

  /// As [#place], without finding out why not.
  public boolean fits(PlacementStep step, boolean together) {
    var seats = step.all();
    if (areAlike(step) && known(seats).members <= seats.size()) {
      return false;
    }
    return new BlockAttempt(search, step, together || seats.size() > 1, false).place(step, cluster);
  }

  /// How many members of a step find room one after the other as things are; nothing stays.
  public int countFitting(PlacementStep step) {
    try (Statement statement = session.open()) {
      int count = 0;
      for (MemberState seat : step.all()) {
        var assignment = places.best(seat, cluster);
        if (assignment.isPresent()) {
          statement.place(seat, assignment.get(), true);
          count++;
        }
      }
      return count;
    }
  }

  /// As [#fits], on other nodes than these; what it finds stays.
  ///
  /// @param taboo by number; not to be changed afterwards
  public boolean placeBeside(PlacementStep step, boolean together, boolean[] taboo) {
    var others = new boolean[taboo.length];
    for (int n = 0; n < taboo.length; n++) {
      others[n] = !taboo[n];
    }
    return new BlockAttempt(search, step, together || step.all().size() > 1, false)
        .place(step, Domain.of(others));
  }

  /// Whether all pods that got a place in this session still have a pod near that they must be
  /// near.
  public boolean keepsPeersTogether() {
    return places.keepsPeersTogether();
  }

  /// The smallest block of such members that is known to find no room.
  private Failure known(List<MemberState> seats) {
    var known = failures.getOrDefault(seats.getFirst().podClass().id(), Failure.NONE);
    return known.growth == session.growth() ? known : Failure.NONE;
  }

  /// Whether a node comes into question for a seat at all, whatever is free there.
  public boolean allows(MemberState seat, int n) {
    return places.allows(seat, n);
  }

  /// All such nodes.
  public IntPredicate allowedTo(MemberState seat) {
    return places.allowedTo(seat);
  }

  /// Whether a node, as it would be, has room for a seat; its number is 0 there.
  public static boolean hasRoom(FreeCapacity node, MemberState seat) {
    return Fit.isRoom(Fit.room(node, seat.podClass(), 0));
  }

  /// Whether a victim may have its own place back.
  public boolean mayStay(MemberState seat) {
    return places.mayStay(seat);
  }

  /// Whether a seat that has a place may find another one: as far as its shape tells, on another
  /// node as things are, or on another shared device of its own. True where it matters which other
  /// pods are where.
  public boolean mayMove(MemberState seat) {
    return places.isChoosy(seat) || places.findsElsewhere(seat);
  }

  /// Whether all that matters for room is how many there are.
  public boolean areAlike(PlacementStep step) {
    if (step.asksTopology()) {
      return false;
    }
    var seats = step.all();
    var podClass = seats.getFirst().podClass();
    for (MemberState seat : seats) {
      boolean alike =
          seat.podClass().id() == podClass.id()
              && seat.member().vetoes().isEmpty()
              && !places.isChoosy(seat)
              && !seat.origin().isSomewhere();
      if (!alike) {
        return false;
      }
    }
    return !podClass.chargeVaries();
  }
}
