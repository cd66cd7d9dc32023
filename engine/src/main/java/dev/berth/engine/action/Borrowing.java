package dev.berth.engine.action;

import dev.berth.engine.fairness.ReclaimRight;
import dev.berth.engine.fairness.ReclaimRight.Beyond;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Backoffs.Backoff;
import dev.berth.engine.model.Backoffs.KeptRoom;
import dev.berth.engine.model.Backoffs.Overdue;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Resource;
import dev.berth.engine.model.VolumeLack;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueTree;
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
///   namespace or queue that keeps room beyond its share, too: the next one may be, too. Else one
///   pod after the other could keep the same room, and each for the first time.
/// * workloads of queues from which it was reclaimed, where pods of other schedulers took some of
///   the room before the preemptor was bound, if less would be left free than that needs.
final class Borrowing {
  private Borrowing() {}

  static Optional<Reason> refusal(Session session, Shares shares, Group group, PlacementStep step) {
    var backoffs = session.snapshot().backoffs();
    var backoff =
        backoffs
            .borrowing()
            .of(group.group())
            .filter(pause -> pause.until().isAfter(session.now()))
            .or(() -> keptFree(session, shares, group, step));
    if (backoff.isPresent()) {
      return beyondShare(session, shares, group, step)
          .map(beyond -> paused(session, beyond, backoff.get()));
    }
    if (backoffs.overdue().isEmpty() || step.all().stream().noneMatch(Borrowing::hasVolumeToCome)) {
      return Optional.empty();
    }
    return beyondShare(session, shares, group, step)
        .flatMap(beyond -> overdue(session, shares, group, beyond));
  }

  private static Optional<Backoff> keptFree(
      Session session, Shares shares, Group group, PlacementStep step) {
    return Optional.ofNullable(session.snapshot().backoffs().reclaimed().get(group.group().queue()))
        .filter(kept -> kept.backoff().until().isAfter(session.now()))
        .filter(kept -> kept.gpus() == 0 || kept.gpus() > left(session.queues(), shares, step))
        .map(KeptRoom::backoff);
  }

  /// GPUs that would be free, in thousandths.
  private static long left(QueueTree queues, Shares shares, PlacementStep step) {
    int gpu = queues.gpu();
    long left = shares.total(gpu) - step.asked().of(gpu);
    for (int root : queues.roots()) {
      left -= queues.allocated(root, gpu);
    }
    return left;
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

  /// The first overdue wait of its namespace or queue that keeps such room beyond a fair share.
  private static Optional<Reason> overdue(
      Session session, Shares shares, Group group, Beyond beyond) {
    String namespace = group.group().members().getFirst().pod().key().namespace();
    for (Overdue wait : session.snapshot().backoffs().overdue().waits()) {
      boolean isOfNamespace = wait.namespace().equals(namespace);
      if ((isOfNamespace || wait.queue().equals(beyond.queue()))
          && wait.resources().contains(beyond.resource())
          && isBeyondShare(session.queues(), shares, wait.queue(), beyond.resource())) {
        return Optional.of(
            new Reason.VolumesOverdue(
                beyond.queue(),
                beyond.resource(),
                beyond.used(),
                beyond.asked(),
                beyond.share(),
                isOfNamespace ? namespace : ""));
      }
    }
    return Optional.empty();
  }

  private static boolean isBeyondShare(
      QueueTree queues, Shares shares, QueueName name, Resource resource) {
    int queue = queues.find(name);
    for (int r = 0; r < queues.width() && queue != QueueTree.NONE; r++) {
      if (queues.resource(r).equals(resource)) {
        return queues.allocated(queue, r) > shares.share(queue, r);
      }
    }
    return false;
  }
}
