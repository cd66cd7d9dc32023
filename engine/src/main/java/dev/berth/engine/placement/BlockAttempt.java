package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.Free;
import dev.berth.engine.model.Reason.Largest;
import dev.berth.engine.model.Reason.Mixed;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.Released;
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
import java.util.HashSet;
import java.util.Optional;
import java.util.TreeMap;

/// One try at one block, and how far it came at best.
///
/// Parts below parts that want a topology multiply the domains that are tried. So an attempt tries
/// a bounded number of domains for them, and all attempts of a plan share a second bound.
final class BlockAttempt {
  private static final int MOST_NESTED = 1_000; // domains for parts below parts, in one attempt
  private static final int LEAST_NESTED = 64;

  private static final Comparator<MemberState> LARGEST_FIRST =
      Comparator.comparingLong((MemberState seat) -> -seat.podClass().leastThousandths())
          .thenComparingLong(seat -> -seat.podClass().request().amounts().of(Resource.CPU))
          .thenComparingLong(seat -> -seat.podClass().request().amounts().of(Resource.MEMORY));

  private final BlockSearch search;
  private final Session session;
  private final FreeCapacity room;
  private final NodePicker places;
  private final Domains domains;
  private final Domain cluster;
  private int nestedLeft;
  private int depth; // of parts that want a topology
  private final int members;
  private final boolean inBlock;
  private final boolean explains;
  private final boolean chargeVaries; // that of any member
  private Reason reason;
  private PlacementStep asking; // the part whose members must share a domain; else all
  private PlacementStep toldAsking; // and what it was, and where, when the reason was found
  private Domain toldWithin;
  private int before; // placed when that part began
  private int placed;
  private int reached; // the most that were placed at once
  private int farthest = -1;

  /// @param explains whether it is asked why not
  BlockAttempt(BlockSearch search, PlacementStep whole, boolean inBlock, boolean explains) {
    this.search = search;
    this.session = search.session();
    this.room = session.room();
    this.places = search.places();
    this.domains = search.domains();
    this.cluster = search.cluster();
    this.nestedLeft = Math.clamp(search.nestedLeft(), LEAST_NESTED, MOST_NESTED);
    this.toldWithin = cluster;
    this.asking = whole;
    this.toldAsking = whole;
    this.members = whole.all().size();
    this.inBlock = inBlock;
    this.explains = explains;
    this.chargeVaries = // no pod is placed before one that is alone
        members > 1 && whole.all().stream().anyMatch(seat -> seat.podClass().chargeVaries());
    reason = new NoRoom(members, 0, room.nodes(), Collections.emptyList());
  }

  /// Why the block found no room; of several tries that of the one that came farthest.
  Reason reason() {
    return reason;
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
    search.tryNested();
    return nestedLeft >= 0;
  }

  private boolean tellsLargest() {
    return reason instanceof NoRoom room && !room.largest().isNone();
  }

  /// Members that must be near each other follow the first, and where the first fits best there may
  /// not be room for all: then one of their domains after the other is tried.
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
  /// own. Nothing, where that is the order which was tried, or where not even the first found room.
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
          refusal.or(() -> places.unaffordable(seat, within)).orElseGet(() -> noRoom(seat, within));
    }
  }

  /// Whether a seat may be on no node of a domain, and may be on others.
  private boolean isElsewhere(MemberState seat, Domain within) {
    return !within.name().isEmpty()
        && !places.mayBeIn(seat, within)
        && places.mayBeIn(seat, cluster);
  }

  /// No domain came into question, so no seat was tried in any: tells how far the nearest one goes,
  /// or what no node is labelled with.
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
    var none =
        new NoRoom(
            members,
            placed,
            alike(seat),
            room.nodes(),
            OwnHostPorts.told(
                places.told(shortfalls.list(), seat, alike(seat)), room, seat, asking.all()),
            isApart(shortfalls) ? shortfalls.free() : releasable(shortfalls.free(), seat),
            largest(within),
            new Mixed(isMixed(asking) ? seat.pod().key().name() : "", Released.UNTOLD));
    return startsSmaller(within) ? none.startingSmaller() : none;
  }

  /// Whether those that have a place would find it without the others, too: alike ones of one role
  /// are placed one after the other.
  private boolean startsSmaller(Domain within) {
    return within.name().isEmpty()
        && asking.parts().isEmpty()
        && !asking.asksTopology()
        && !isMixed(asking);
  }

  /// Whether nodes where a member is count for no other one.
  private static boolean isApart(Shortfalls shortfalls) {
    return shortfalls.list().stream()
        .anyMatch(each -> each.obstacle() == Reason.Obstacle.OWN_ANTI_AFFINITY);
  }

  /// Without nodes that lack devices which members of this block have there, and not others.
  private Free releasable(Free free, MemberState seat) {
    if (!(seat.podClass().devices() instanceof DeviceRequest.Whole(_, int devices))) {
      return free;
    }
    var own = new TreeMap<Integer, Integer>(); // devices by node
    for (MemberState each : asking.all()) {
      if (each.isPlaced()) {
        own.merge(each.now().node(), each.podClass().devices().count(), Integer::sum);
      }
    }
    var releasable = free;
    for (var entry : own.entrySet()) {
      int n = entry.getKey();
      int device = room.device(n);
      long left = device < 0 ? devices : Math.max(0, room.free(n, device));
      long others = device < 0 ? 0 : room.allocatable(n, device) - left - entry.getValue();
      if (others < devices - left) {
        releasable = releasable.withoutLacking((int) (devices - left));
      }
    }
    return releasable;
  }

  /// With what must be released, where the members of the part that was told ask for different
  /// things. All places are given back by now.
  NoRoom releasing(NoRoom none) {
    boolean isWhole = toldAsking.parts().stream().noneMatch(PlacementStep::asksTopology);
    return none.mixed().isNone() || !isWhole
        ? none
        : none.releasing(search.fewest().released(toldAsking.all(), toldWithin));
  }

  private static boolean isMixed(PlacementStep step) {
    var seats = step.all();
    int first = seats.getFirst().podClass().id();
    return seats.stream().anyMatch(seat -> seat.podClass().id() != first);
  }

  /// Why the first member that may be on no node finds none: whatever the others wait for, that is
  /// what the block waits for.
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
        : new Largest(
            domains.word(asking),
            within.name(),
            placed - before,
            asking.all().size(),
            domains.isWidest(asking),
            asking.role().name());
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
