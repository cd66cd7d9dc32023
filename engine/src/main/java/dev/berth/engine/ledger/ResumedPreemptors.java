package dev.berth.engine.ledger;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Pods for whose groups the previous leader requested evictions, and which it left without a plan.
/// For a while their groups are planned first, and their plans stand
/// ([resumed][dev.berth.engine.model.PodGroup#resumed]): otherwise other groups could take the
/// room, and the victims would have been evicted for nothing.
final class ResumedPreemptors {
  private final GroupStates groups;
  private final List<PodRecord> resumed = new ArrayList<>();
  private Instant until = Instant.MIN;

  ResumedPreemptors(GroupStates groups) {
    this.groups = groups;
  }

  /// @return whether there is any
  boolean begin(List<PodRecord> left, Instant end) {
    until = end;
    for (PodRecord each : left) {
      each.resumed = true;
      resumed.add(each);
      groups.touch(each);
    }
    return !left.isEmpty();
  }

  boolean endAllUntil(Instant now) {
    if (resumed.isEmpty() || until.isAfter(now)) {
      return false;
    }
    for (PodRecord each : resumed) {
      each.resumed = false;
      groups.touch(each);
    }
    resumed.clear();
    return true;
  }
}
