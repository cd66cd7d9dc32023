package dev.berth.engine.action;

import dev.berth.engine.session.Group;
import dev.berth.engine.session.Session;
import java.time.Instant;

/// Who must wait before anybody leaves for him, and who is spared for a while.
final class Patience {
  private Patience() {}

  /// A claimant younger than its preemption delay takes no victims.
  static boolean mayTakeVictims(Session session, Group claimant) {
    return !delayedUntil(claimant).isAfter(session.now());
  }

  /// When its preemption delay is over.
  static Instant delayedUntil(Group claimant) {
    var delay = claimant.group().spec().patience().preemptionDelay();
    return claimant.group().created().plus(delay);
  }

  static boolean protectsFromReclaim(Session session, Group group, Group claimant) {
    return false;
  }

  static boolean protectsFromPreempt(Session session, Group group) {
    return false;
  }
}
