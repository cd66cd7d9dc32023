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
          moved.isLate(victim, Instant.MAX);
          isReplaced(victim);
        });
    moved.succeeds(entry);
  }

  /// It is asked to leave. If it was to start again elsewhere, that is remembered though its plan
  /// may end before it is seen to leave.
  void isAsked(PodRecord victim) {
    moved.isAsked(victim);
  }

  /// The API server refused that.
  void isRefused(PodRecord victim, Instant now) {
    if (!victim.pod.life().leaving()) {
      victim.moves = false;
      victim.refusedAt = now;
    }
  }

  /// A victim, and where it was placed again; none = it is lost.
  void move(PodRecord victim, Placement again) {
    moved.begin(victim, again);
  }

  /// Who comes in its stead is there, or is awaited no more.
  private void isReplaced(PodRecord victim) {
    boolean gone = moved.isGone(victim);
    moved.end(victim);
    if (gone) {
      groups.part(victim, victim.pod);
    } else {
      transitions.refresh(victim);
    }
  }

  /// Those who were moved and are not back after a moment are not coming.
  ///
  /// @return whether there was anybody
  boolean stopAwaiting(Instant now) {
    var overdue = moved.overdue(now);
    for (PodRecord each : overdue) {
      moved.isOverdue(each, now);
      isReplaced(each);
    }
    var tooLate = moved.tooLate(now);
    tooLate.forEach(groups::touch);
    return !overdue.isEmpty() || !tooLate.isEmpty();
  }

  /// A Job that makes no pods sends nobody in the stead of those that left.
  ///
  /// @return whether anybody is awaited no more
  boolean jobSeen(OwnerUid job, boolean makesPods) {
    if (makesPods) {
      moved.makesPods(job);
      return false;
    }
    var late = moved.noneIsLate(job);
    late.forEach(groups::touch);
    var leaving = moved.makesNone(job);
    leaving.forEach(this::isReplaced);
    return !late.isEmpty() || !leaving.isEmpty();
  }

  /// It belongs to another group than that for which it came.
  void leavesItsGroup(PodRecord entry) {
    moved.succeedsNoMore(entry);
  }
}
