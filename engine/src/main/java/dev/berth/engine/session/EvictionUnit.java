package dev.berth.engine.session;

import java.util.ArrayList;
import java.util.List;

/// What leaves a group together, as one step: a surplus member, a whole child above `minSubGroup`,
/// or its core: all the rest.
///
/// @param core whether the group is below its minimum without it
public record EvictionUnit(List<MemberState> seats, boolean core) {
  public EvictionUnit {
    seats = List.copyOf(seats);
  }

  /// The same with others that leave with it.
  public EvictionUnit with(List<MemberState> others) {
    var all = new ArrayList<>(seats);
    all.addAll(others);
    return new EvictionUnit(all, core);
  }
}
