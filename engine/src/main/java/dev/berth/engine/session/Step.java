package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What a group tries next, as one block: members of a leaf, or the steps of its children.
///
/// @param seats in the order in which they are placed; only of a leaf
/// @param parts only of an inner role
public record Step(Role role, List<Seat> seats, List<Step> parts) {
  public Step {
    seats = Collections.unmodifiableList(seats);
    parts = Collections.unmodifiableList(parts);
  }

  static Step of(Role role, List<Seat> seats) {
    return new Step(role, seats, Collections.emptyList());
  }

  /// All seats, part by part.
  public List<Seat> all() {
    if (parts.isEmpty()) {
      return seats;
    }
    var all = new ArrayList<Seat>();
    for (Step part : parts) {
      all.addAll(part.all());
    }
    return all;
  }

  /// What its seats are charged together on the nodes that are cheapest for each.
  public Charge least() {
    var all = all();
    var sum = all.getFirst().shape().least();
    for (Seat seat : all.subList(1, all.size())) {
      sum = sum.plus(seat.shape().least());
    }
    return sum;
  }

  /// What its seats count as long as they wait.
  public Charge asked() {
    var all = all();
    var sum = all.getFirst().shape().asked();
    for (Seat seat : all.subList(1, all.size())) {
      sum = sum.plus(seat.shape().asked());
    }
    return sum;
  }

  /// Whether any role in it wants a topology.
  public boolean asksTopology() {
    boolean asks = !role.topology().isNone();
    for (Step part : parts) {
      asks |= part.asksTopology();
    }
    return asks;
  }
}
