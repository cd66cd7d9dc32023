package dev.berth.engine.action;

import dev.berth.engine.fairness.Orders;
import dev.berth.engine.model.Reason;
import dev.berth.engine.placement.BlockPlacement;
import dev.berth.engine.placement.PlacementOutcome;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.QueueLimits;
import dev.berth.engine.session.Session;
import dev.berth.engine.session.Statement;
import java.util.Optional;

/// Gives waiting groups room that is free, or that is being left.
///
/// Groups come in the ordinary order ([Orders]), each with its next step: the members missing to
/// its minimum, all or nothing, then one member more at a time. A group is taken up again as long
/// as its steps succeed. No step passes the gates of capacity, from its leaf queue to the root. A
/// first group that finds no room is not starved by those behind it ([Backfill]).
///
/// Before, each group that is [resumed][dev.berth.engine.model.PodGroup#resumed] takes one step.
public final class Allocate implements Action {
  private final BackfillSettings settings;

  public Allocate(BackfillSettings settings) {
    this.settings = settings;
  }

  @Override
  public void run(Round round) {
    var session = round.session();
    resume(round);
    var order = round.orders().over(session.waiting());
    var backfill = new Backfill(round, settings);
    var cancellation = round.cancellation();
    for (var group = order.next();
        group.isPresent() && !cancellation.dropsPlan();
        group = order.next()) {
      var step = group.get().next();
      if (step.isPresent() && succeeds(round, backfill, group.get(), step.get())) {
        order.again(group.get());
      }
    }
  }

  /// One that finds no room comes again in the ordinary order, which says why.
  private static void resume(Round round) {
    var session = round.session();
    var resumed = session.waiting().stream().filter(group -> group.group().resumed()).toList();
    if (resumed.isEmpty()) {
      return;
    }
    var order = round.orders().over(resumed);
    for (var next = order.next(); next.isPresent(); next = order.next()) {
      var group = next.get();
      var step = group.next();
      if (step.isPresent()
          && QueueLimits.refusal(session.queues(), group, step.get().least()).isEmpty()) {
        var _ = round.blocks().place(step.get(), group.isBelowMinimum());
      }
    }
  }

  private static boolean succeeds(Round round, Backfill backfill, Group group, PlacementStep step) {
    var session = round.session();
    var blocks = round.blocks();
    Optional<Reason> refusal = QueueRefusal.of(session, group, step);
    if (refusal.isPresent()) {
      session.waits(group, whyForGood(session, blocks, group, step, refusal.get()));
      return false;
    }
    Optional<Reason> pause = Borrowing.refusal(session, round.shares(), group, step);
    if (pause.isPresent()) {
      session.waits(group, pause.get());
      return false;
    }
    if (group.hasPromises()) {
      if (blocks.keeps(step, group.isBelowMinimum())) {
        return true;
      }
      blocks
          .overtaker(step, group.isBelowMinimum())
          .ifPresent(taker -> step.all().forEach(seat -> seat.setOvertakenBy(taker)));
    }
    return place(session, backfill, group, step);
  }

  /// A limit is half of the truth where no node is large enough either. A place is looked for only
  /// if the limit is too small even for the group alone, or a member requests more than any node
  /// has.
  private static Reason whyForGood(
      Session session, BlockPlacement blocks, Group group, PlacementStep step, Reason refusal) {
    boolean isForGood =
        switch (refusal) {
          case Reason.OverLimit over -> over.isForGood();
          case Reason.NonPreemptibleOverQuota over -> over.isForGood();
          default -> false;
        };
    if (!isForGood && !blocks.asksForMoreThanAnyNodeHas(step)) {
      return refusal;
    }
    try (Statement _ = session.open()) {
      return blocks.place(step, group.isBelowMinimum())
                  instanceof PlacementOutcome.Refused(var reason)
              && reason instanceof Reason.NeverFits never
          ? never.besides(refusal)
          : refusal;
    }
  }

  private static boolean place(
      Session session, Backfill backfill, Group group, PlacementStep step) {
    return switch (backfill.place(group, step)) {
      case PlacementOutcome.Placed() -> true;
      case PlacementOutcome.Refused(Reason reason) -> {
        session.waits(group, reason);
        backfill.refused(group, step, reason);
        yield false;
      }
    };
  }
}
