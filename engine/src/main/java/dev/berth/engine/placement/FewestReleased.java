package dev.berth.engine.placement;

import dev.berth.engine.model.DeviceRequest;
import dev.berth.engine.model.Reason.Released;
import dev.berth.engine.session.FreeCapacity;
import dev.berth.engine.session.MemberState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// The fewest whole devices that must be released so that unlike members find room together, on as
/// few nodes as possible: a depth-first search with a bound, from the largest member to the
/// smallest. It counts devices alone, on nodes where nothing else stands in the way for good. What
/// would do counts only where [BlockPlacement] finds the places: it tries two orders, and no more.
///
/// What all searches of a plan may try is bounded. One that ends early tells what would do, which
/// may be more than the fewest, or nothing.
final class FewestReleased {
  private static final int MOST_MEMBERS = 64;
  private static final int MOST_CLASSES = 16;
  private static final int TRIES = 2_000; // of one search
  private static final int TRIES_OF_ALL = 20_000; // before each has its first descent alone

  private final FreeCapacity room;
  private final NodePicker places;
  private int triesOfAll = TRIES_OF_ALL;

  FewestReleased(FreeCapacity room, NodePicker places) {
    this.room = room;
    this.places = places;
  }

  /// @param seats none of which has a place
  /// @return untold where other things than whole devices matter, or no device lacks
  Released released(List<MemberState> seats, Domain within) {
    var asking = new ArrayList<MemberState>();
    for (MemberState seat : seats) {
      if (!isCounted(seat)) {
        return Released.UNTOLD;
      }
      if (devices(seat) > 0) {
        asking.add(seat);
      }
    }
    if (asking.isEmpty() || asking.size() > MOST_MEMBERS) {
      return Released.UNTOLD;
    }
    return new Search(asking).run(within);
  }

  private boolean isCounted(MemberState seat) {
    boolean isWhole =
        switch (seat.podClass().devices()) {
          case DeviceRequest.Whole _, DeviceRequest.None _ -> true;
          case DeviceRequest.Fraction _, DeviceRequest.Memory _ -> false;
        };
    return isWhole && seat.member().vetoes().isEmpty() && !places.isChoosy(seat);
  }

  private static int devices(MemberState seat) {
    return seat.podClass().devices().count();
  }

  /// Nodes that are alike to all classes.
  ///
  /// @param open a bit for each class that may be there
  private record Kind(int free, int capacity, int open) implements Comparable<Kind> {
    private static final Comparator<Kind> ORDER =
        Comparator.comparingInt(Kind::free)
            .thenComparingInt(Kind::capacity)
            .thenComparingInt(Kind::open);

    @Override
    public int compareTo(Kind other) {
      return ORDER.compare(this, other);
    }
  }

  private final class Search {
    private final int[] asked; // by member, most first
    private final int[] classOf; // by member
    private final int[] order; // of members, as they are placed first
    private final List<MemberState> classes = new ArrayList<>(); // one of each
    private final List<Kind> nodes = new ArrayList<>(); // alike ones side by side
    private int[] load = {};
    private int[] best = {};
    private int bestReleased = Integer.MAX_VALUE;
    private int bestNodes;
    private int tries;
    private boolean isCut;
    private boolean isMoreAmiss; // devices would do, and something else would not

    /// @param inOrder as they are placed first
    Search(List<MemberState> inOrder) {
      var byClass = new LinkedHashMap<Integer, List<MemberState>>();
      for (MemberState seat : inOrder) {
        byClass.computeIfAbsent(seat.podClass().id(), _ -> new ArrayList<>()).add(seat);
      }
      var alike = new ArrayList<>(byClass.values());
      alike.sort(Comparator.comparingInt(each -> -devices(each.getFirst()))); // stable
      var seats = new ArrayList<MemberState>();
      asked = new int[inOrder.size()];
      classOf = new int[inOrder.size()];
      for (var each : alike) {
        for (MemberState seat : each) {
          asked[seats.size()] = devices(seat);
          classOf[seats.size()] = classes.size();
          seats.add(seat);
        }
        classes.add(each.getFirst());
      }
      order = inOrder.stream().mapToInt(seats::indexOf).toArray();
    }

    Released run(Domain within) {
      if (classes.size() > MOST_CLASSES) {
        return Released.UNTOLD;
      }
      collect(within);
      load = new int[nodes.size()];
      tries = Math.clamp(triesOfAll, asked.length, TRIES);
      int before = tries;
      place(0, 0, 0);
      triesOfAll -= before - tries;
      if (bestReleased == Integer.MAX_VALUE) {
        return isCut || isMoreAmiss ? Released.UNTOLD : Released.NEVER;
      }
      return bestReleased == 0 ? Released.UNTOLD : told();
    }

    /// As many of each kind as there are members, at the most.
    private void collect(Domain within) {
      var kinds = new TreeMap<Kind, Integer>();
      for (int n = 0; n < room.nodes(); n++) {
        int device = room.device(n);
        int open = device < 0 || !within.contains(n) ? 0 : open(n, device);
        if (open != 0) {
          int free = (int) Math.max(0, room.free(n, device));
          kinds.merge(new Kind(free, (int) room.allocatable(n, device), open), 1, Integer::sum);
        }
      }
      kinds.forEach((kind, count) -> {
        for (int i = 0; i < Math.min(count, asked.length); i++) {
          nodes.add(kind);
        }
      });
    }

    /// A node that refuses a class though it has devices enough lacks something else.
    private int open(int n, int device) {
      int open = 0;
      for (int c = 0; c < classes.size(); c++) {
        var seat = classes.get(c);
        boolean isOfKind =
            seat.podClass().devices() instanceof DeviceRequest.Whole(var resource, _)
                && resource.equals(room.resource(device));
        boolean lacksDevices = room.free(n, device) < devices(seat);
        boolean mayBe = isOfKind && places.keptRefusals(seat).isOpen(n);
        boolean isOpen = mayBe && (lacksDevices || Fit.isRoom(Fit.room(room, seat.podClass(), n)));
        isMoreAmiss |= mayBe && !isOpen || isOfKind && places.keptRefusals(seat).passes(n);
        open |= isOpen ? 1 << c : 0;
      }
      return open;
    }

    private void place(int member, int released, int onNodes) {
      if (member == asked.length) {
        if (isFound(order) || isFound(IntStream.range(0, asked.length).toArray())) {
          best = load.clone();
          bestReleased = released;
          bestNodes = onNodes;
        } else {
          isMoreAmiss = true;
        }
        return;
      }
      var least = leastOfRest(member);
      if (least.isEmpty() || !isBetter(released + least.get(), onNodes)) {
        return;
      }
      for (int n : options(member)) {
        isCut |= tries <= 0;
        if (isCut) {
          return;
        }
        tries--;
        int more = more(n, asked[member]);
        boolean isFirst = more > 0 && load[n] <= nodes.get(n).free;
        load[n] += asked[member];
        if (isBetter(released + more, onNodes + (isFirst ? 1 : 0))) {
          place(member + 1, released + more, onNodes + (isFirst ? 1 : 0));
        }
        load[n] -= asked[member];
      }
    }

    /// Whether members that take the fullest node one after the other all find room by then.
    private boolean isFound(int[] members) {
      var left = new int[load.length];
      for (int n = 0; n < left.length; n++) {
        left[n] = Math.max(nodes.get(n).free, load[n]);
      }
      for (int member : members) {
        int fullest = -1;
        for (int n = 0; n < left.length; n++) {
          boolean mayBe =
              (nodes.get(n).open & 1 << classOf[member]) != 0 && left[n] >= asked[member];
          fullest = mayBe && (fullest < 0 || left[n] < left[fullest]) ? n : fullest;
        }
        if (fullest < 0) {
          return false;
        }
        left[fullest] -= asked[member];
      }
      return true;
    }

    private boolean isBetter(int released, int onNodes) {
      return released < bestReleased || released == bestReleased && onNodes < bestNodes;
    }

    /// What the members from this one on need at the least: what each would need alone, as no
    /// member needs less once others have come. Empty = one of them has no place.
    private Optional<Integer> leastOfRest(int member) {
      int sum = 0;
      int ofClass = -1;
      int least = 0;
      for (int i = member; i < asked.length; i++) {
        if (classOf[i] != ofClass) {
          ofClass = classOf[i];
          least = least(i);
        }
        if (least == Integer.MAX_VALUE) {
          return Optional.empty();
        }
        sum += least;
      }
      return Optional.of(sum);
    }

    private int least(int member) {
      int least = Integer.MAX_VALUE;
      for (int n = 0; n < load.length && least > 0; n++) {
        if (mayTake(n, member)) {
          least = Math.min(least, more(n, asked[member]));
        }
      }
      return least;
    }

    private boolean mayTake(int n, int member) {
      var node = nodes.get(n);
      return (node.open & 1 << classOf[member]) != 0 && load[n] + asked[member] <= node.capacity;
    }

    /// What must be released there besides.
    private int more(int n, int devices) {
      int free = nodes.get(n).free;
      return Math.max(0, load[n] + devices - free) - Math.max(0, load[n] - free);
    }

    /// Nodes that take a member, one of those that are alike: first those where least must be
    /// released, of these the fullest.
    private List<Integer> options(int member) {
      var options = new ArrayList<Integer>();
      for (int n = 0; n < load.length; n++) {
        boolean isAsBefore =
            n > 0 && nodes.get(n).equals(nodes.get(n - 1)) && load[n] == load[n - 1];
        if (!isAsBefore && mayTake(n, member)) {
          options.add(n);
        }
      }
      options.sort(
          Comparator.comparingInt((Integer n) -> more(n, asked[member]))
              .thenComparingInt(n -> nodes.get(n).free - load[n]));
      return options;
    }

    private Released told() {
      var lacking = new ArrayList<Integer>();
      int most = 0;
      int free = 0;
      for (int n = 0; n < best.length; n++) {
        int lacks = best[n] - nodes.get(n).free;
        if (lacks > 0) {
          lacking.add(lacks);
        }
        if (lacks > most) {
          most = lacks;
          free = nodes.get(n).free;
        }
      }
      lacking.sort(Comparator.reverseOrder());
      return new Released(lacking, free, false);
    }
  }
}
