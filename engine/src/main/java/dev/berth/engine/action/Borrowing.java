package dev.berth.engine.action;

import dev.berth.engine.fairness.ReclaimRight;
import dev.berth.engine.fairness.Shares;
import dev.berth.engine.model.Reason;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import java.util.Optional;

/// Who borrows nothing for a while: workloads for which kube-scheduler kept room in vain, as it
/// waited for their volumes. Nobody can take that room back meanwhile, since a pod that is not
/// bound is no victim. So what is free is not for them, as long as their queue would have more than
/// its fair share with it: then others ask for it, such as a gang that finds room only once all of
/// it is free. What nobody else asks for is within the share.
final class Borrowing {
  private Borrowing() {}

  static Optional<Reason> refusal(Session session, Shares shares, Group group, PlacementStep step) {
    return session
        .snapshot()
        .backoffs()
        .borrowing()
        .of(group.group())
        .filter(backoff -> backoff.until().isAfter(session.now()))
        .flatMap(backoff ->
            new ReclaimRight(session, shares, group, step.asked(), 1)
                .beyondShare()
                .map(beyond -> {
                  session.looksAgain(backoff.until());
                  return new Reason.BorrowingBackoff(
                      beyond.queue(),
                      beyond.resource(),
                      beyond.used(),
                      beyond.asked(),
                      beyond.share(),
                      backoff);
                }));
  }
}
