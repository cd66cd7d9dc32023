package dev.berth.engine.action;

import dev.berth.engine.fairness.ReclaimRight;
import dev.berth.engine.fairness.ReclaimRight.Beyond;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import java.util.Optional;

/// Workloads that borrow nothing for a while, since kube-scheduler keeps room while it waits for
/// volumes. No eviction can free that room meanwhile, since a pod that is not bound is no victim.
/// So these workloads get no free room with which their queue would exceed its fair share. In that
/// case others request it, such as a gang that needs all of it to be free. Room that no other queue
/// requests is within the share. These are:
///
/// * workloads for which it kept room in vain;
/// * workloads with a volume to come, while such a volume is overdue for another pod of the same
///   namespace or queue: the next one may be, too. Else one pod after the other could keep the same
///   room, and each for the first time.
final class Borrowing {
  private Borrowing() {}

  static Optional<Reason> refusal(Session session, Shares shares, Group group, PlacementStep step) {
    var backoffs = session.snapshot().backoffs();
    var backoff =
        backoffs
            .borrowing()
            .of(group.group())
            .filter(pause -> pause.until().isAfter(session.now()));
    if (backoff.isPresent()) {
      return beyondShare(session, shares, group, step)
          .map(beyond -> paused(session, beyond, backoff.get()));
    }
    if (backoffs.overdue().isEmpty() || step.all().stream().noneMatch(Borrowing::hasVolumeToCome)) {
      return Optional.empty();
    }
    String namespace = step.all().getFirst().pod().key().namespace();
    boolean ofItsNamespace = backoffs.overdue().namespaces().contains(namespace);
    var queue = session.queues().queue(group.queue()).name();
    if (!ofItsNamespace && !backoffs.overdue().queues().contains(queue)) {
      return Optional.empty();
    }
    return beyondShare(session, shares, group, step)
        .map(beyond -> overdue(beyond, ofItsNamespace ? namespace : ""));
  }

  private static boolean hasVolumeToCome(MemberState seat) {
    return seat.pod().traits().volumes().stream()
        .anyMatch(volume -> volume.lack() == VolumeLack.TO_COME);
  }

  private static Optional<Beyond> beyondShare(
      Session session, Shares shares, Group group, PlacementStep step) {
    return new ReclaimRight(session, shares, group, step.asked(), 1).beyondShare();
  }

  private static Reason paused(Session session, Beyond beyond, Backoff backoff) {
    session.looksAgain(backoff.until());
    return new Reason.BorrowingBackoff(
        beyond.queue(), beyond.resource(), beyond.used(), beyond.asked(), beyond.share(), backoff);
  }

  private static Reason overdue(Beyond beyond, String namespace) {
    return new Reason.VolumesOverdue(
        beyond.queue(),
        beyond.resource(),
        beyond.used(),
        beyond.asked(),
        beyond.share(),
        namespace);
  }
}
