package dev.berth.controllers.grouping;

import dev.berth.controllers.grouping.kinds.Seated;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// A gang while it is known: its members, and what was said of it.
final class Gang {
  /// By UID.
  final TreeMap<String, Seated> members = new TreeMap<>();

  GroupSpec spec = Membership.UNTOLD.said();

  /// What the ledger has heard.
  GroupSpec told = Membership.UNTOLD.said();

  /// Whether anybody in it neither is finished nor leaves.
  boolean isAlive() {
    return members.values().stream().anyMatch(seated -> seated.member().isAlive());
  }

  List<Seated> all() {
    return new ArrayList<>(members.values());
  }
}
