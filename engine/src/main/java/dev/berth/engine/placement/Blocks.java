package dev.berth.engine.placement;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Room;
import dev.berth.engine.session.Seat;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Spot;
import dev.berth.engine.session.Statement;
import dev.berth.engine.session.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Places blocks, all or nothing: the members one after the other, each at its best place; where a
/// topology is asked, within one domain after the other until the whole block fits, the parts of
/// the tree within the domain of their parent. Where a block of different members finds no room in
/// its own order, it is tried with the largest first: small ones may have taken what a large one
/// needs.
public final class Blocks {
  private final Session session;
  private final Room room;
  private final Places places;
  private final Domains domains;
  private final Domain cluster;
  private final HashMap<Integer, Failure> failures = new HashMap<>(); // looked up only

  private static final Comparator<Seat> LARGEST_FIRST =
      Comparator.comparingLong((Seat seat) -> -seat.shape().leastThousandths())
          .thenComparingLong(seat -> -seat.shape().request().amounts().of(Resource.CPU))
          .thenComparingLong(seat -> -seat.shape().request().amounts().of(Resource.MEMORY));

  /// A block of so many equal members found no room when room had grown for the last time at
  /// `growth`. Until it grows again, no larger one does.
  private record Failure(int members, long growth, NoRoom reason) {
    static final Failure NONE =
        new Failure(Integer.MAX_VALUE, -1, new NoRoom(0, 0, 0, Collections.emptyList()));
  }

  /// @param rankings over the same session
  public Blocks(Session session, Rankings rankings) {
    this.session = session;
    this.room = session.room();
    places = new Places(session, rankings);
    domains = new Domains(session);
    cluster = Domain.whole(room);
  }

  /// Gives every seat of the step a place, or none of them.
  ///
  /// @param together whether they start as one block, also where it is a single member
  public Outcome place(Step step, boolean together) {
    var seats = step.all();
    boolean alike = areAlike(step);
    if (alike) {
      var known = known(seats);
      if (known.members <= seats.size()) {
        var reason = known.reason;
        return new Outcome.Refused(
            told(
                seats,
                new NoRoom(
                    seats.size(),
                    reason.placed(),
                    reason.nodes(),
                    reason.shortfalls(),
                    reason.free())));
      }
    }
    var attempt = new Attempt(seats.size(), together || seats.size() > 1, true);
    if (attempt.place(step, cluster)) {
      return new Outcome.Placed();
    }
    if (alike && !session.isTrial() && attempt.reason instanceof NoRoom reason) {
      failures.put(
          seats.getFirst().shape().id(), new Failure(seats.size(), session.growth(), reason));
    }
    if (attempt.reason instanceof NoRoom reason) {
      return new Outcome.Refused(alike ? told(seats, reason) : orNever(reason));
    }
    return new Outcome.Refused(attempt.reason);
  }

  /// Whether no node is large enough for a member that found no room, of those that are of its
  /// kind.
  private static Reason orNever(NoRoom reason) {
    boolean isTooLarge = false;
    for (Shortfall shortfall : reason.shortfalls()) {
      switch (shortfall.obstacle()) {
        case TOO_SMALL -> isTooLarge = true;
        case NO_DEVICES, TAINT, NODE_SELECTOR, NODE_AFFINITY, DEVICE_MODEL -> {}
        default -> {
          return reason;
        }
      }
    }
    return isTooLarge ? new Reason.NeverFits(reason, 0) : reason;
  }

  /// Of a block of like members whether it could ever have room.
  private Reason told(List<Seat> seats, NoRoom reason) {
    var first = seats.getFirst();
    if (orNever(reason) instanceof Reason.NeverFits never) {
      return never;
    }
    if (seats.size() < 2 || first.shape().asksPartitions() || !claimsNothing(first)) {
      return reason;
    }
    long most = places.capacity(first);
    return most > 0 && most < seats.size() ? new Reason.NeverFits(reason, most) : reason;
  }

  private static boolean claimsNothing(Seat seat) {
    return seat.pod().traits().claims().isEmpty();
  }

  /// Gives every seat of the step the place that it was promised, or none of them.
  public boolean keeps(Step step, boolean together) {
    var seats = step.all();
    try (Statement statement = session.open()) {
      for (Seat seat : seats) {
        if (!places.isFree(seat, seat.promised())) {
          return false;
        }
        statement.place(seat, seat.promised(), together || seats.size() > 1);
      }
      statement.keep();
      return true;
    }
  }

  /// As [#place], without finding out why not.
  public boolean fits(Step step, boolean together) {
    var seats = step.all();
    if (areAlike(step) && known(seats).members <= seats.size()) {
      return false;
    }
    return new Attempt(seats.size(), together || seats.size() > 1, false).place(step, cluster);
  }

  /// How many members of a step find room one after the other as things are; nothing stays.
  public int countFitting(Step step) {
    try (Statement statement = session.open()) {
      int count = 0;
      for (Seat seat : step.all()) {
        var spot = places.best(seat, cluster);
        if (spot.isPresent()) {
          statement.place(seat, spot.get(), true);
          count++;
        }
      }
      return count;
    }
  }

  /// As [#fits], on other nodes than these; what it finds stays.
  ///
  /// @param taboo by number; not to be changed afterwards
  public boolean placeBeside(Step step, boolean together, boolean[] taboo) {
    var others = new boolean[taboo.length];
    for (int n = 0; n < taboo.length; n++) {
      others[n] = !taboo[n];
    }
    return new Attempt(step.all().size(), together || step.all().size() > 1, false)
        .place(step, Domain.of(others));
  }

  /// Whether all who got a place in this session still have somebody near whom they must be near.
  public boolean leavesNobodyAlone() {
    return places.leavesNobodyAlone();
  }

  /// The smallest block of such members that is known to find no room.
  private Failure known(List<Seat> seats) {
    var known = failures.getOrDefault(seats.getFirst().shape().id(), Failure.NONE);
    return known.growth == session.growth() ? known : Failure.NONE;
  }

  /// Whether a node comes into question for a seat at all, whatever is free there.
  public boolean allows(Seat seat, int n) {
    return places.allows(seat, n);
  }

  /// Whether a node, as it would be, has room for a seat; its number is 0 there.
  public static boolean hasRoom(Room node, Seat seat) {
    return Fit.isRoom(Fit.room(node, seat.shape(), 0));
  }

  /// Whether a seat that has a place may find another one: as far as its shape tells, on another
  /// node as things are, or on another shared device of its own. For one that minds who else is
  /// where, yes.
  public boolean mayMove(Seat seat) {
    return places.isChoosy(seat) || places.findsElsewhere(seat);
  }

  /// Whether all that matters for room is how many there are.
  public boolean areAlike(Step step) {
    if (step.asksTopology()) {
      return false;
    }
    var seats = step.all();
    var shape = seats.getFirst().shape();
    for (Seat seat : seats) {
      boolean alike =
          seat.shape().id() == shape.id()
              && seat.member().vetoes().isEmpty()
              && !places.isChoosy(seat)
              && !seat.origin().isSomewhere();
      if (!alike) {
        return false;
      }
    }
    return !shape.chargeVaries();
  }

  /// One try at one block, and how far it came at best.
  private final class Attempt {
    private final int members;
    private final boolean inBlock;
    private final boolean explains;
    private Reason reason;
    private int placed;
    private int reached; // the most that were placed at once
    private int farthest = -1;

    /// @param explains whether somebody wants to know why not
    Attempt(int members, boolean inBlock, boolean explains) {
      this.members = members;
      this.inBlock = inBlock;
      this.explains = explains;
      reason = new NoRoom(members, 0, room.nodes(), Collections.emptyList());
    }

    boolean place(Step step, Domain within) {
      if (step.role().topology().isNone()) {
        return placeAll(step, within)
            || placeTogether(step, within)
            || placeLargestFirst(step, within);
      }
      for (Domain domain : domains.candidates(step, within)) {
        if (placeAll(step, domain) || placeLargestFirst(step, domain)) {
          return true;
        }
      }
      noteDomains(step, within);
      return false;
    }

    /// Members that must be near each other follow the first, and where he is best there may not be
    /// room for all: then one of their domains after the other is tried.
    private boolean placeTogether(Step step, Domain within) {
      if (step.seats().size() < 2) {
        return false;
      }
      var founded = places.wouldFound(step.seats().getFirst());
      if (founded.isPresent()) {
        var tally = founded.get();
        for (Domain domain :
            domains.together(tally.domainOf(), tally.domains(), step.seats(), within)) {
          if (placeAll(step, domain)) {
            return true;
          }
        }
      }
      return false;
    }

    /// All seats of a step, whichever part they are of, but for parts that want a topology of their
    /// own. Nothing, where that is the order which was tried, or where not even the first found
    /// room.
    private boolean placeLargestFirst(Step step, Domain within) {
      if (reached <= placed || step.parts().stream().anyMatch(Step::asksTopology)) {
        return false;
      }
      var seats = step.all();
      var ordered = new ArrayList<>(seats);
      ordered.sort(LARGEST_FIRST);
      return !ordered.equals(seats) && placeAll(Step.of(step.role(), ordered), within);
    }

    /// The seats and parts of a step, or nothing.
    private boolean placeAll(Step step, Domain within) {
      int before = placed;
      try (Statement statement = session.open()) {
        boolean all = true;
        for (Seat seat : step.seats()) {
          all = all && place(statement, seat, within);
        }
        for (Step part : step.parts()) {
          all = all && place(part, within);
        }
        if (all) {
          statement.keep();
          return true;
        }
      }
      placed = before;
      return false;
    }

    private boolean place(Statement statement, Seat seat, Domain within) {
      Optional<Spot> spot = places.best(seat, within);
      if (spot.isEmpty()) {
        note(seat, within);
        return false;
      }
      statement.place(seat, spot.get(), inBlock);
      placed++;
      reached = Math.max(reached, placed);
      return true;
    }

    /// Of several tries the one that came farthest is told.
    private void note(Seat seat, Domain within) {
      if (explains && placed > farthest) {
        farthest = placed;
        reason = places.unaffordable(seat, within).orElseGet(() -> noRoom(seat, within));
      }
    }

    /// No domain came into question, so no seat was tried in any: tells what the cluster says.
    private void noteDomains(Step step, Domain within) {
      if (explains && farthest < 0) {
        farthest = placed;
        var nowhere = Domain.of(new boolean[room.nodes()]);
        var none = noRoom(step.all().getFirst(), nowhere);
        String largest = domains.largest(step, within);
        reason =
            new NoRoom(
                members,
                placed,
                room.nodes(),
                none.shortfalls().stream().map(each -> each.told(largest)).toList(),
                none.free());
      }
    }

    private NoRoom noRoom(Seat seat, Domain within) {
      var shortfalls = Shortfalls.count(room, places, seat, within);
      return new NoRoom(members, placed, room.nodes(), shortfalls.list(), shortfalls.free());
    }
  }
}
