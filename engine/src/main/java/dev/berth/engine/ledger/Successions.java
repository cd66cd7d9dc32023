package dev.berth.engine.ledger;

import dev.berth.engine.model.OwnerUid;
import dev.berth.engine.model.Placement;
import java.time.Instant;

/// Pods that leave to start again elsewhere, and those that come in their stead.
final class Successions {
  private final Relocations moved;
  private final GroupStates groups;
  private final PodTransitions transitions;

  Successions(Relocations moved, GroupStates groups, PodTransitions transitions) {
    this.moved = moved;
    this.groups = groups;
    this.transitions = transitions;
  }

  /// A pod that may come in the stead of one that leaves, or was moved.
  void comes(PodRecord entry) {
    moved
        .predecessor(entry)
        .ifPresent(victim -> {
          moved.markLate(victim, Instant.MAX);
          endRelocation(victim);
        });
    moved.succeeds(entry);
  }

  /// It is asked to leave. If it was to start again elsewhere, that is remembered though its plan
  /// may end before it is seen to leave.
  void evictionAsked(PodRecord victim) {
    moved.evictionAsked(victim);
  }

  /// The API server refused that.
  void evictionRefused(PodRecord victim, Instant now) {
    if (!victim.pod.life().leaving()) {
      victim.relocation.stay();
      victim.refusedAt = now;
    }
  }

  /// A victim, and where it was placed again; none = it is lost.
  void move(PodRecord victim, Placement again) {
    moved.begin(victim, again);
  }

  /// Its successor is there, or is awaited no more.
  private void endRelocation(PodRecord victim) {
    boolean gone = moved.isGone(victim);
    moved.end(victim);
    if (gone) {
      groups.part(victim, victim.pod);
    } else {
      transitions.refresh(victim);
    }
  }

  /// Relocated pods that are not back after a moment get no successor.
  ///
  /// @return whether there was any
  boolean stopAwaiting(Instant now) {
    var overdue = moved.overdue(now);
    for (PodRecord each : overdue) {
      moved.markOverdue(each, now);
      endRelocation(each);
    }
    var tooLate = moved.tooLate(now);
    tooLate.forEach(groups::touch);
    return !overdue.isEmpty() || !tooLate.isEmpty();
  }

  /// A Job that creates no pods sends no successors for those that left.
  ///
  /// @return whether any pod is awaited no more
  boolean jobSeen(OwnerUid job, boolean makesPods) {
    if (makesPods) {
      moved.makesPods(job);
      return false;
    }
    var late = moved.noneIsLate(job);
    late.forEach(groups::touch);
    var leaving = moved.makesNone(job);
    leaving.forEach(this::endRelocation);
    return !late.isEmpty() || !leaving.isEmpty();
  }

  /// It belongs to another group than that for which it came.
  void leavesItsGroup(PodRecord entry) {
    moved.succeedsNoMore(entry);
  }
}
