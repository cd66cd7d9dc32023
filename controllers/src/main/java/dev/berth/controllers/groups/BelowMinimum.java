package dev.berth.controllers.groups;

import dev.berth.controllers.crd.PodGroupStatus.Members;

/// A group that lost members and has too few left.
final class BelowMinimum {
  static final String CODE = "BelowMinimum";

  private BelowMinimum() {}

  /// What is left of it, and what comes.
  static String sentence(Members members) {
    return members.running()
        + " of its members run and "
        + members.failed()
        + " failed, but it needs "
        + members.required()
        + ": those that are left leave when its staleness grace is over, unless others come in"
        + " their place. See why they failed: kubectl describe pod.";
  }
}
