package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.List;

/// What leaves a group together, as one step: a surplus member, a whole child above `minSubGroup`,
/// or its core: all the rest.
///
/// @param core whether the group is below its minimum without it
public record Piece(List<Seat> seats, boolean core) {
  public Piece {
    seats = List.copyOf(seats);
  }

  /// The same with others, who leave with it.
  public Piece with(List<Seat> others) {
    var all = new ArrayList<>(seats);
    all.addAll(others);
    return new Piece(all, core);
  }
}
