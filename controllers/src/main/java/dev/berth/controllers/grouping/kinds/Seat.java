package dev.berth.controllers.grouping.kinds;

/// Where a pod sits among the pods of its workload.
///
/// @param alone a group of one, whatever the others are
/// @param part which of the workload's groups; empty = the only one
/// @param role its sub-group; empty = none
/// @param leads comes before all others
public record Seat(boolean alone, String part, String role, boolean leads) {
  public static final Seat ALONE = new Seat(true, "", "", false);
  public static final Seat MEMBER = new Seat(false, "", "", false);

  static Seat of(String role) {
    return new Seat(false, "", role, false);
  }

  Seat in(String group) {
    return new Seat(alone, group, role, leads);
  }

  Seat leading(boolean first) {
    return new Seat(alone, part, role, first);
  }
}
