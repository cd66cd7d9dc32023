package dev.berth.engine.action;

import dev.berth.engine.action.ExpectedEnds.End;
import dev.berth.engine.model.BinarySearch;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.placement.PlacementOutcome;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;

/// Keeps those that come later from starving the *head*: the first group below its minimum, in
/// ordinary order, that is refused for room only.
///
/// *Reservation*: where the expected runtimes of running pods tell when the head starts at the
/// latest, a later group may start only if that does not delay it: it ends before that, or the head
/// finds its place beside it all the same.
///
/// *Hold*: where they do not tell, the free devices of the nodes that lack the fewest are held for
/// the head, at its [HoldTimes] and if it needs no more than the settings allow.
///
/// Nothing is kept for a group that could not start though all of those left; the next one that is
/// refused is the head then, and so on for a few.
final class Backfill {
  private static final int MOST_HEADS = 4;

  private final Session session;
  private final BlockPlacement blocks;
  private final BackfillSettings settings;
  private final HashMap<Integer, Integer> refused = new HashMap<>(); // looked up only
  private Optional<Kept> kept = Optional.empty();
  private Optional<List<End>> ends = Optional.empty();
  private int heads;

  /// @param nodes that the head is to have places on
  /// @param until when it starts at the latest, or when the hold ends
  /// @param leaving seats that are over by then; those of later groups come to them
  @SuppressWarnings("ArrayRecordComponent") // a table, private to this class
  private record Kept(
      Group head,
      boolean reserved,
      boolean[] nodes,
      int devices,
      Instant until,
      List<MemberState> leaving) {}

  Backfill(Round round, BackfillSettings settings) {
    this.session = round.session();
    this.blocks = round.blocks();
    this.settings = settings;
  }

  /// A group was refused: it may be the head.
  void refused(Group group, PlacementStep step, Reason reason) {
    boolean candidate = reason instanceof NoRoom && group.isBelowMinimum();
    if (kept.isEmpty() && candidate && heads < MOST_HEADS) {
      heads++;
      kept = reserve(group, step).or(() -> hold(group, step));
      kept.ifPresent(it -> session.looksAgain(it.until));
    }
  }

  /// Places a step as ever, but not where it would harm the head.
  PlacementOutcome place(Group group, PlacementStep step) {
    boolean together = group.isBelowMinimum();
    if (kept.isEmpty() || !concerns(kept.get(), step)) {
      return blocks.place(step, together);
    }
    var head = kept.get();
    if (head.reserved && endsBy(group, head.until)) {
      var outcome = blocks.place(step, together);
      if (outcome.isPlaced()) {
        head.leaving.addAll(step.all());
      }
      return outcome;
    }
    boolean alike = blocks.areAlike(step);
    int podClass = step.all().getFirst().podClass().id();
    int members = step.all().size();
    if (alike && refused.getOrDefault(podClass, Integer.MAX_VALUE) <= members) {
      return new PlacementOutcome.Refused(reason(head, group));
    }
    if (blocks.placeBeside(step, together, head.nodes)) {
      return new PlacementOutcome.Placed();
    }
    try (Statement statement = session.open()) {
      if (blocks.fits(step, together)) {
        if (head.reserved && finds(head)) {
          statement.keep();
          return new PlacementOutcome.Placed();
        }
        if (alike) {
          refused.put(podClass, members); // room only shrinks meanwhile
        }
        return new PlacementOutcome.Refused(reason(head, group));
      }
    }
    return blocks.place(step, together);
  }

  /// Devices are held for devices only.
  private static boolean concerns(Kept kept, PlacementStep step) {
    return kept.reserved || devices(step) > 0;
  }

  private boolean endsBy(Group group, Instant moment) {
    var runtime = runtime(group);
    return !runtime.isZero() && !session.now().plus(runtime).isAfter(moment);
  }

  private static Duration runtime(Group group) {
    return group.group().spec().patience().expectedRuntime();
  }

  private static Reason reason(Kept kept, Group group) {
    return kept.reserved
        ? new Reason.WouldDelay(kept.head.key(), kept.until, runtime(group))
        : new Reason.HeldForHead(kept.head.key(), kept.devices, kept.until);
  }

  /// Whether the head finds its places when those are over that end before it starts.
  private boolean finds(Kept kept) {
    return kept.head
        .next()
        .filter(step -> nodesWithout(kept.leaving, kept.head, step).isPresent())
        .isPresent();
  }

  // ---- a reservation in time

  private Optional<Kept> reserve(Group head, PlacementStep step) {
    if (!settings.reservations()) {
      return Optional.empty();
    }
    if (ends.isEmpty()) {
      ends = Optional.of(ExpectedEnds.of(session));
    }
    var order = ends.get();
    int needed =
        fewest(order.size(), count -> nodesWithout(seats(order, count), head, step).isPresent());
    if (needed > order.size()) {
      return Optional.empty();
    }
    var until = order.get(needed - 1).when();
    while (needed < order.size() && order.get(needed).when().equals(until)) {
      needed++; // a group that ends at the same moment is over as well
    }
    var leaving = seats(order, needed);
    return nodesWithout(leaving, head, step)
        .map(nodes -> new Kept(head, true, nodes, devices(step), until, leaving));
  }

  private static List<MemberState> seats(List<End> ends, int count) {
    var seats = new ArrayList<MemberState>();
    for (End end : ends.subList(0, count)) {
      addPlaced(end.group(), seats);
    }
    return seats;
  }

  private static void addPlaced(Group group, List<MemberState> into) {
    for (MemberState seat : group.seats()) {
      if (seat.isPlaced()) {
        into.add(seat);
      }
    }
  }

  // ---- a hold for a while

  private Optional<Kept> hold(Group head, PlacementStep step) {
    int devices = devices(step);
    if (settings.hold().isZero() || devices == 0 || isTooMuch(devices)) {
      return Optional.empty();
    }
    var times =
        HoldTimes.of(head.group().created(), settings.after(), settings.hold(), session.now());
    if (!times.isOn(session.now())) {
      session.looksAgain(times.from());
      return Optional.empty();
    }
    var order = nodesByUse();
    int needed =
        fewest(order.size(), count -> nodesWithout(on(order, count), head, step).isPresent());
    return needed > order.size()
        ? Optional.empty()
        : nodesWithout(on(order, needed), head, step)
            .map(nodes -> new Kept(head, false, nodes, devices, times.until(), new ArrayList<>()));
  }

  private boolean isTooMuch(int devices) {
    var room = session.room();
    long all = 0;
    for (int n = 0; n < room.nodes(); n++) {
      all += room.device(n) < 0 ? 0 : room.allocatable(n, room.device(n));
    }
    return devices * 100L > all * settings.most();
  }

  /// Nodes with devices, those with the fewest in use first.
  private List<Integer> nodesByUse() {
    var room = session.room();
    var nodes = new ArrayList<Integer>();
    for (int n = 0; n < room.nodes(); n++) {
      if (room.device(n) >= 0) {
        nodes.add(n);
      }
    }
    nodes.sort(Comparator.comparingLong((Integer n) -> inUse(room, n)).thenComparing(n -> n));
    return nodes;
  }

  private static long inUse(FreeCapacity room, int n) {
    return room.allocatable(n, room.device(n)) - room.freeSoon(n, room.device(n));
  }

  private List<MemberState> on(List<Integer> nodes, int count) {
    var chosen = new boolean[session.room().nodes()];
    nodes.subList(0, count).forEach(n -> chosen[n] = true);
    var seats = new ArrayList<MemberState>();
    for (Group group : session.groups()) {
      for (MemberState seat : group.seats()) {
        if (seat.now().isOnTheMap() && chosen[seat.now().node()]) {
          seats.add(seat);
        }
      }
    }
    return seats;
  }

  private static int devices(PlacementStep step) {
    int devices = 0;
    for (MemberState seat : step.all()) {
      devices += seat.podClass().devices().count();
    }
    return devices;
  }

  // ---- what would be

  private interface Holds {
    boolean with(int count);
  }

  /// The smallest count from 1 on with which it holds; `most + 1` where it does not even with most.
  private static int fewest(int most, Holds holds) {
    if (most == 0 || !holds.with(most)) {
      return most + 1;
    }
    return BinarySearch.first(1, most, holds::with);
  }

  /// The nodes on which the head would be if these had left; empty where it would find no room.
  /// Nothing changes.
  private Optional<boolean[]> nodesWithout(
      List<MemberState> leaving, Group head, PlacementStep step) {
    try (Statement statement = session.open()) {
      for (MemberState seat : leaving) {
        if (seat.isPlaced()) {
          statement.evict(seat, Cause.MAX_RUNTIME, head.key());
        }
      }
      if (!blocks.fits(step, true)) {
        return Optional.empty();
      }
      var nodes = new boolean[session.room().nodes()];
      for (MemberState seat : step.all()) {
        nodes[seat.now().node()] = true;
      }
      return Optional.of(nodes);
    }
  }
}
