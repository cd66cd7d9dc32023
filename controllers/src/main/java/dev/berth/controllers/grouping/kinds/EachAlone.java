package dev.berth.controllers.grouping.kinds;

import dev.berth.engine.request.Problems;

/// Kinds whose pods are independent, or come one after the other: a group of one each, whatever is
/// annotated.
///
/// @param priorityClass of a group of which nobody names one
record EachAlone(String priorityClass) implements Rule {
  @Override
  public Seat seat(Thing subject, Member pod, Problems problems) {
    return Seat.ALONE;
  }

  @Override
  public Shape shape(Family family, Problems problems) {
    return Shape.of(1);
  }

  @Override
  public boolean readsSpec() {
    return false;
  }
}
