package dev.berth.engine.placement;

import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.Mixed;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Released;
import dev.berth.engine.model.Reason.Shortfall;
import dev.berth.engine.model.Resource;
import dev.berth.engine.session.Assignment;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/// Places blocks, all or nothing: the members one after the other, each at its best place; where a
/// topology is asked, within one domain after the other until the whole block fits, the parts of
/// the tree within the domain of their parent. Where a block of different members finds no room in
/// its own order, it is tried with the largest first: small ones may have taken what a large one
/// needs.
public final class BlockPlacement {
  // Domains that are tried for parts below parts that want a topology too.
  private static final int NESTED = 4_000; // for all attempts of a plan, before each has the least
  private static final int MOST_NESTED = 1_000; // for one attempt
  private static final int LEAST_NESTED = 64;

  private final Session session;
  private final FreeCapacity room;
  private final NodePicker places;
  private final Domains domains;
  private final Domain cluster;
  private final FewestReleased fewest;
  private int nestedOfAll = NESTED;
  private final HashMap<Integer, Failure> failures = new HashMap<>(); // looked up only

  private static final Comparator<MemberState> LARGEST_FIRST =
      Comparator.comparingLong((MemberState seat) -> -seat.podClass().leastThousandths())
          .thenComparingLong(seat -> -seat.podClass().request().amounts().of(Resource.CPU))
          .thenComparingLong(seat -> -seat.podClass().request().amounts().of(Resource.MEMORY));

  /// A block of so many equal members found no room when room had grown for the last time at
  /// `growth`. Until it grows again, no larger one does.
  private record Failure(int members, long growth, NoRoom reason) {
    static final Failure NONE =
        new Failure(Integer.MAX_VALUE, -1, new NoRoom(0, 0, 0, Collections.emptyList()));
  }

  /// @param rankings over the same session
  public BlockPlacement(Session session, Rankings rankings) {
    this.session = session;
    this.room = session.room();
    places = new NodePicker(session, rankings);
    domains = new Domains(session);
    cluster = Domain.whole(room);
    fewest = new FewestReleased(room, places);
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
        return new PlacementOutcome.Refused(
            told(
                step,
                true,
                new NoRoom(
                    seats.size(),
                    reason.placed(),
                    reason.nodes(),
                    reason.shortfalls(),
                    reason.free())));
      }
    }
    var attempt = new Attempt(step, together || seats.size() > 1, true);
    if (attempt.place(step, cluster)) {
      return new PlacementOutcome.Placed();
    }
    if (alike && !session.isTrial() && attempt.reason instanceof NoRoom reason) {
      failures.put(
          seats.getFirst().podClass().id(), new Failure(seats.size(), session.growth(), reason));
    }
    if (attempt.reason instanceof NoRoom farthest) {
      var reason = attempt.releasing(farthest);
      return new PlacementOutcome.Refused(
          (alike ? Optional.<NoRoom>empty() : attempt.nowhere(step))
              .map(nowhere -> toldNowhere(step, nowhere))
              .orElseGet(() -> told(step, alike, reason)));
    }
    return new PlacementOutcome.Refused(attempt.reason);
  }

  /// Of a block with a member that may be on no node, whatever leaves and whatever its minimum.
  private static Reason toldNowhere(PlacementStep step, NoRoom reason) {
    return isTooLarge(reason) && !mayOthersDo(step) ? new Reason.NeverFits(reason, 0) : reason;
  }

  /// Whether it could ever have room: said only where no other members of the group could start in
  /// place of these.
  private Reason told(PlacementStep step, boolean alike, NoRoom reason) {
    Optional<Reason> never =
        isTooLarge(reason)
            ? Optional.of(new Reason.NeverFits(reason, 0))
            : alike ? neverAlike(step.all(), reason) : never(step, reason);
    return never.filter(_ -> !mayOthersDo(step)).orElse(reason);
  }

  private Optional<Reason> neverAlike(List<MemberState> seats, NoRoom reason) {
    var first = seats.getFirst();
    if (seats.size() < 2 || first.podClass().asksPartitions() || !claimsNothing(first)) {
      return Optional.empty();
    }
    long most = places.capacity(first, cluster);
    return most > 0 && most < seats.size()
        ? Optional.of(new Reason.NeverFits(reason, most))
        : Optional.empty();
  }

  /// Whether no node is large enough for a member that found no room, of those that are of its
  /// kind.
  private static boolean isTooLarge(NoRoom reason) {
    boolean isTooLarge = false;
    for (Shortfall shortfall : reason.shortfalls()) {
      if (Shortfalls.passes(shortfall.obstacle(), shortfall.detail())) {
        return false;
      }
      switch (shortfall.obstacle()) {
        case TOO_SMALL -> isTooLarge = true;
        case NO_DEVICES, TAINT, NODE_SELECTOR, NODE_AFFINITY, DEVICE_MODEL -> {}
        default -> {
          return false;
        }
      }
    }
    return isTooLarge;
  }

  /// Whether other members wait that are not all alike: the minimum may be met with smaller ones.
  private static boolean mayOthersDo(PlacementStep step) {
    var first = step.all().getFirst();
    int waiting = 0;
    boolean areAlike = true;
    for (MemberState seat : first.group().seats()) {
      if (seat.isWaiting()) {
        waiting++;
        areAlike &= seat.podClass().id() == first.podClass().id();
      }
    }
    return waiting > step.all().size() && !areAlike;
  }

  /// Where all nodes, or all of one domain that its members must share, hold fewer than the step
  /// has. That is an upper bound: each shape is counted as if the others were not there.
  private Optional<Reason> never(PlacementStep step, NoRoom reason) {
    if (step.all().size() < 2) {
      return Optional.empty();
    }
    long most = mostOf(step, cluster);
    if (most > 0 && most < step.all().size()) {
      return Optional.of(new Reason.NeverFits(reason, most));
    }
    if (step.role().standing().isEmpty()) {
      var largest =
          domains
              .largestEmpty(step, domain -> mostOf(step, domain))
              .filter(it -> it.holds() > 0 && it.holds() < it.members());
      if (largest.isPresent()) {
        return Optional.of(new Reason.NeverFits(reason, largest.get().holds(), largest.get()));
      }
    }
    for (PlacementStep part : step.parts()) {
      var never = part.asksTopology() ? never(part, reason) : Optional.<Reason>empty();
      if (never.isPresent()) {
        return never;
      }
    }
    return Optional.empty();
  }

  /// How many members of a step the nodes of a domain would hold at the most, were they empty.
  private long mostOf(PlacementStep step, Domain within) {
    var members = new LinkedHashMap<Integer, ArrayList<MemberState>>();
    long most = 0;
    for (MemberState seat : step.all()) {
      if (claimsNothing(seat) && !seat.podClass().asksPartitions()) {
        members.computeIfAbsent(seat.podClass().id(), _ -> new ArrayList<>()).add(seat);
      } else {
        most++; // of what they claim nothing is known here
      }
    }
    for (var alike : members.values()) {
      most += Math.min(alike.size(), places.capacity(alike.getFirst(), within));
    }
    return most;
  }

  private static boolean claimsNothing(MemberState seat) {
    return seat.pod().traits().claims().isEmpty();
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

  /// As [#place], without finding out why not.
  public boolean fits(PlacementStep step, boolean together) {
    var seats = step.all();
    if (areAlike(step) && known(seats).members <= seats.size()) {
      return false;
    }
    return new Attempt(step, together || seats.size() > 1, false).place(step, cluster);
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
    return new Attempt(step, together || step.all().size() > 1, false)
        .place(step, Domain.of(others));
  }

  /// Whether all who got a place in this session still have somebody near whom they must be near.
  public boolean leavesNobodyAlone() {
    return places.leavesNobodyAlone();
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
  /// node as things are, or on another shared device of its own. For one that minds who else is
  /// where, yes.
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

  /// One try at one block, and how far it came at best.
  ///
  /// Parts below parts that want a topology multiply the domains that are tried. So an attempt
  /// tries a bounded number of domains for them, and all attempts of a plan share a second bound.
  private final class Attempt {
    private int nestedLeft = Math.clamp(nestedOfAll, LEAST_NESTED, MOST_NESTED);
    private int depth; // of parts that want a topology
    private final int members;
    private final boolean inBlock;
    private final boolean explains;
    private final boolean chargeVaries; // that of any member
    private Reason reason;
    private PlacementStep asking; // the part whose members must share a domain; else all
    private PlacementStep toldAsking; // and what it was, and where, when the reason was found
    private Domain toldWithin = cluster;
    private int before; // placed when that part began
    private int placed;
    private int reached; // the most that were placed at once
    private int farthest = -1;

    /// @param explains whether somebody wants to know why not
    Attempt(PlacementStep whole, boolean inBlock, boolean explains) {
      this.asking = whole;
      this.toldAsking = whole;
      this.members = whole.all().size();
      this.inBlock = inBlock;
      this.explains = explains;
      this.chargeVaries = // nobody is placed before one that is alone
          members > 1 && whole.all().stream().anyMatch(seat -> seat.podClass().chargeVaries());
      reason = new NoRoom(members, 0, room.nodes(), Collections.emptyList());
    }

    boolean place(PlacementStep step, Domain within) {
      if (step.role().topology().isNone()) {
        return placeAll(step, within)
            || placeTogether(step, within)
            || placeLargestFirst(step, within);
      }
      var outer = asking;
      int outerBefore = before;
      asking = step;
      before = placed;
      boolean isPlaced = placeInOneDomain(step, within);
      asking = outer;
      before = outerBefore;
      return isPlaced;
    }

    private boolean placeInOneDomain(PlacementStep step, Domain within) {
      depth++;
      try {
        for (Domain domain : domains.candidates(step, within)) {
          if (depth > 1 && !mayTryOneMore()) {
            break;
          }
          if (placeAll(step, domain) || placeLargestFirst(step, domain)) {
            return true;
          }
        }
      } finally {
        depth--;
      }
      if (explains && !tellsLargest()) {
        noteDomains(step, within);
      }
      return false;
    }

    private boolean mayTryOneMore() {
      nestedLeft--;
      nestedOfAll--;
      return nestedLeft >= 0;
    }

    private boolean tellsLargest() {
      return reason instanceof NoRoom room && !room.largest().isNone();
    }

    /// Members that must be near each other follow the first, and where he is best there may not be
    /// room for all: then one of their domains after the other is tried.
    private boolean placeTogether(PlacementStep step, Domain within) {
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
    private boolean placeLargestFirst(PlacementStep step, Domain within) {
      if (reached <= placed || step.parts().stream().anyMatch(PlacementStep::asksTopology)) {
        return false;
      }
      var seats = step.all();
      var ordered = new ArrayList<>(seats);
      ordered.sort(LARGEST_FIRST);
      return !ordered.equals(seats) && placeAll(PlacementStep.of(step.role(), ordered), within);
    }

    /// The seats and parts of a step, or nothing.
    private boolean placeAll(PlacementStep step, Domain within) {
      int before = placed;
      try (Statement statement = session.open()) {
        boolean all = true;
        for (MemberState seat : step.seats()) {
          all = all && place(statement, seat, within);
        }
        for (PlacementStep part : step.parts()) {
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

    private boolean place(Statement statement, MemberState seat, Domain within) {
      var refusal = refusal(seat);
      Optional<Assignment> assignment =
          refusal.isEmpty() ? places.best(seat, within) : Optional.empty();
      if (assignment.isEmpty()) {
        note(seat, within, refusal);
        return false;
      }
      statement.place(seat, assignment.get(), inBlock);
      placed++;
      reached = Math.max(reached, placed);
      return true;
    }

    /// What the step costs at least was looked at before it was tried.
    private Optional<Reason> refusal(MemberState seat) {
      return chargeVaries ? places.refusalAnywhere(seat) : Optional.empty();
    }

    /// Of several tries the one that came farthest is told, rather of a required domain.
    private void note(MemberState seat, Domain within, Optional<Reason> refusal) {
      if (!explains || isElsewhere(seat, within)) {
        return;
      }
      boolean isNamed = !within.name().isEmpty() && !tellsLargest();
      if (placed > farthest || placed == farthest && isNamed) {
        farthest = placed;
        toldAsking = asking;
        toldWithin = within;
        reason =
            refusal
                .or(() -> places.unaffordable(seat, within))
                .orElseGet(() -> noRoom(seat, within));
      }
    }

    /// Whether a seat may be on no node of a domain, and may be on others.
    private boolean isElsewhere(MemberState seat, Domain within) {
      return !within.name().isEmpty()
          && !places.mayBeIn(seat, within)
          && places.mayBeIn(seat, cluster);
    }

    /// No domain came into question, so no seat was tried in any: tells how far the nearest one
    /// goes, or what no node is labelled with.
    private void noteDomains(PlacementStep step, Domain within) {
      var required = domains.required(step, allowed(step, within));
      var nearest = required.flatMap(Domains.Required::nearest);
      if (nearest.isPresent()) {
        int until = placed;
        try (Statement _ = session.open()) {
          var _ = placeAll(step, nearest.get());
        }
        placed = until;
      }
      if (farthest < 0) {
        farthest = placed;
        var none = noRoom(step.all().getFirst(), Domain.of(new boolean[room.nodes()]));
        String label = required.map(Domains.Required::label).orElse("");
        reason =
            new NoRoom(
                members,
                placed,
                none.alike(),
                room.nodes(),
                none.shortfalls().stream().map(each -> each.lacking(label)).toList(),
                none.free(),
                Largest.NONE,
                none.mixed());
      }
    }

    /// The nodes on which any of its members may be, as far as there are any: no other domain is
    /// nearer.
    private Domain allowed(PlacementStep step, Domain within) {
      var allowed = new boolean[room.nodes()];
      boolean any = false;
      for (int n = 0; n < allowed.length; n++) {
        int node = n;
        allowed[n] =
            within.contains(n) && step.all().stream().anyMatch(seat -> places.allows(seat, node));
        any |= allowed[n];
      }
      return any ? Domain.of(allowed) : within;
    }

    private NoRoom noRoom(MemberState seat, Domain within) {
      var shortfalls = ShortfallCounter.count(room, places, seat, within);
      return new NoRoom(
          members,
          placed,
          alike(seat),
          room.nodes(),
          places.told(shortfalls.list(), seat, alike(seat)),
          shortfalls.free(),
          largest(within),
          new Mixed(isMixed(asking) ? seat.pod().key().name() : "", Released.UNTOLD));
    }

    /// With what must be released, where the members of the part that was told ask for different
    /// things. All places are given back by now.
    NoRoom releasing(NoRoom none) {
      boolean isWhole = toldAsking.parts().stream().noneMatch(PlacementStep::asksTopology);
      return none.mixed().isNone() || !isWhole
          ? none
          : none.releasing(fewest.released(toldAsking.all(), toldWithin));
    }

    private static boolean isMixed(PlacementStep step) {
      var seats = step.all();
      int first = seats.getFirst().podClass().id();
      return seats.stream().anyMatch(seat -> seat.podClass().id() != first);
    }

    /// Why the first member that may be on no node finds none: whatever the others wait for, that
    /// is what the block waits for.
    Optional<NoRoom> nowhere(PlacementStep step) {
      var seen = new HashSet<Integer>();
      for (MemberState seat : step.all()) {
        boolean isNew = !seat.member().vetoes().isEmpty() || seen.add(seat.podClass().id());
        if (isNew && !places.mayBeIn(seat, cluster)) {
          placed = reached;
          return Optional.of(noRoom(seat, cluster));
        }
      }
      return Optional.empty();
    }

    private Largest largest(Domain within) {
      return within.name().isEmpty()
          ? Largest.NONE
          : new Largest(domains.word(asking), within.name(), placed - before, asking.all().size());
    }

    /// Those without a place that are like this one, itself included.
    private int alike(MemberState seat) {
      int alike = 0;
      for (MemberState each : asking.all()) {
        alike += !each.isPlaced() && each.podClass().id() == seat.podClass().id() ? 1 : 0;
      }
      return alike;
    }
  }
}
