package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.Member;
import dev.berth.controllers.grouping.kinds.Seat;
import dev.berth.engine.model.GroupKey;
import java.util.TreeSet;

/// A pod while it is known.
final class Entry {
  /// As last seen; its owners as far as they were read.
  Member member;

  /// Its owners are known.
  boolean climbed;

  /// Where it belongs; none = nowhere, or to nobody else.
  GroupKey group = GroupKey.NONE;

  /// What the ledger has heard of it: its seat, and what is said of one alone.
  Object told = Seat.ALONE;

  /// Owners under whose UIDs it is listed.
  final TreeSet<String> listed = new TreeSet<>();

  Entry(Member member) {
    this.member = member;
  }

  String uid() {
    return member.pod().uid();
  }
}
