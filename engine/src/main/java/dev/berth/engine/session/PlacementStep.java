package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// What a group tries next, as one block: members of a leaf, or the steps of its children.
///
/// @param seats in the order in which they are placed; only of a leaf
/// @param parts only of an inner role
public record PlacementStep(Role role, List<MemberState> seats, List<PlacementStep> parts) {
  public PlacementStep {
    seats = Collections.unmodifiableList(seats);
    parts = Collections.unmodifiableList(parts);
  }

  public static PlacementStep of(Role role, List<MemberState> seats) {
    return new PlacementStep(role, seats, Collections.emptyList());
  }

  /// The same for its first members only.
  public PlacementStep first(int members) {
    if (parts.isEmpty()) {
      return of(role, seats.subList(0, Math.min(members, seats.size())));
    }
    var some = new ArrayList<PlacementStep>();
    int left = members;
    for (int i = 0; i < parts.size() && left > 0; i++) {
      some.add(parts.get(i).first(left));
      left -= some.getLast().all().size();
    }
    return new PlacementStep(role, seats, some);
  }

  /// All seats, part by part.
  public List<MemberState> all() {
    if (parts.isEmpty()) {
      return seats;
    }
    var all = new ArrayList<MemberState>();
    for (PlacementStep part : parts) {
      all.addAll(part.all());
    }
    return all;
  }

  /// What its seats are charged together on the nodes that are cheapest for each.
  public Charge least() {
    return sum(PodClass::least);
  }

  /// What its seats count as long as they wait.
  public Charge asked() {
    return sum(PodClass::asked);
  }

  /// Equal shapes one after the other count at once.
  private Charge sum(Function<PodClass, Charge> counts) {
    var all = all();
    var sum = Optional.<Charge>empty();
    for (int from = 0, to = 0; from < all.size(); from = to) {
      var podClass = all.get(from).podClass();
      while (to < all.size() && all.get(to).podClass() == podClass) {
        to++;
      }
      var one = counts.apply(podClass);
      var some = to - from > 1 ? one.times(to - from) : one;
      sum = Optional.of(sum.map(it -> it.plus(some)).orElse(some));
    }
    return sum.orElseThrow();
  }

  /// Whether any role in it wants a topology.
  public boolean asksTopology() {
    boolean asks = !role.topology().isNone();
    for (PlacementStep part : parts) {
      asks |= part.asksTopology();
    }
    return asks;
  }
}
