package dev.berth.engine.action;

import dev.berth.engine.action.ActionSettings.Debts;
import dev.berth.engine.fairness.ChosenUnit;
import dev.berth.engine.fairness.LossBound;
import dev.berth.engine.fairness.ReclaimBound;
import dev.berth.engine.fairness.ReclaimRight;
import dev.berth.engine.fairness.ReclaimRight.Beyond;
import dev.berth.engine.fairness.VictimCandidates.Asked;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.BudgetsKeep;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NothingToTakeBack;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.MemberState;
import dev.berth.engine.session.PlacementStep;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.SearchVerdict;
import dev.berth.engine.victims.TrialCondition;
import java.util.ArrayList;
import java.util.List;

/// Takes back what other queues borrowed, for a queue that stays within its fair share.
///
/// Victims are preemptible groups of other queues, in victim order, as far as the [ReclaimRight]
/// covers what they lose: the side that loses was above its share before each piece, and afterwards
/// no side of the preemptor is above its share and more saturated than a sibling that lost
/// something. The last piece may take a side below its share only where no other victims make the
/// room.
///
/// A pod that a disruption budget protects stays for a while. Then, if no other victim makes the
/// room, it is evicted all the same, if every queue that loses GPUs by that still has its quota of
/// them afterwards: a budget protects no borrowed room. A queue may have less than its share by the
/// last piece, as without budgets.
public final class Reclaim implements Action {
  private final double multiplier;
  private final Debts debts;

  public Reclaim(ActionSettings.Reclaiming settings) {
    this.multiplier = settings.multiplier();
    this.debts = settings.debts();
  }

  @Override
  public void run(Round round) {
    var candidates = round.candidates();
    var search = VictimSearch.in(round, each -> candidates.isAnyOutside(each.queue()));
    search.each((preemptor, step) -> reclaim(round, search, preemptor, step));
  }

  private void reclaim(Round round, VictimSearch search, Group preemptor, PlacementStep step) {
    var session = round.session();
    var claim = new ReclaimRight(session, round.shares(), preemptor, step.asked(), multiplier);
    if (!claim.isDue()) {
      if (round.candidates().isAnyOutside(preemptor.queue())) {
        claim
            .beyondShare()
            .ifPresent(beyond ->
                search.insteadOfRoom(
                    preemptor, room -> beyond(session, search, claim, beyond, room, preemptor)));
      }
      return;
    }
    var asked =
        new Asked(
                preemptor,
                queue -> queue != preemptor.queue() && claim.mayAsk(queue),
                Long.MAX_VALUE,
                group -> MinRuntimes.protectsFromReclaim(session, group, preemptor))
            .shortened(true);
    var candidates = round.candidates();
    if (!candidates.isAny(asked) && candidates.isAnyOutside(preemptor.queue())) {
      var queue = preemptor.group().queue();
      search.insteadOfRoom(preemptor, room -> new NothingToTakeBack(room, queue));
    }
    var verdict = search.makeRoom(asked, Cause.RECLAIM, new Covered(round.session(), claim));
    boolean inVain = verdict == SearchVerdict.NO_PLAN || verdict == SearchVerdict.NO_VICTIMS;
    boolean yields = debts.yieldToBudgets();
    boolean hasWaited = !yields && MinRuntimes.hasWaited(session, preemptor, debts.budgetTimeout());
    if (inVain && hasWaited && session.budgets().cover()) {
      againstBudgets(round, search, asked, claim);
    } else {
      var keeps =
          yields || hasWaited
              ? BudgetsKeep.ALL
              : BudgetsKeep.until(MinRuntimes.waitedFor(preemptor, debts.budgetTimeout()));
      tellProtection(session, search, asked.in(claim::mayTakeOf), keeps);
    }
  }

  private static void againstBudgets(
      Round round, VictimSearch search, Asked asked, ReclaimRight claim) {
    var session = round.session();
    var owed =
        new Owed(round, asked.preemptor(), new Covered(round.session(), claim), new ArrayList<>());
    var told = asked.in(claim::mayTakeOf);
    try (var _ = session.budgets().overrule()) {
      var _ = search.makeRoom(asked.againstBudgets(true), Cause.RECLAIM, owed);
      if (owed.keeps.isEmpty()) { // there would be no room without budgets either
        tellProtection(session, search, told, BudgetsKeep.ALL);
        return;
      }
    }
    tellProtection(session, search, told, owed.keeps.getFirst());
  }

  private static void tellProtection(
      Session session, VictimSearch search, Asked asked, BudgetsKeep keeps) {
    search.tellProtection(
        asked,
        keeps,
        group -> MinRuntimes.endOfReclaimProtection(session, group, asked.preemptor()));
  }

  /// Of a queue whose quota is unlimited the share is all that there is: no quota helps. Nor does
  /// one where no pods that it would let the preemptor evict make the room.
  private static Reason beyond(
      Session session,
      VictimSearch search,
      ReclaimRight claim,
      Beyond beyond,
      NoRoom room,
      Group preemptor) {
    var quota = session.queues().queue(preemptor.queue()).quota();
    if (quota.of(beyond.resource()) == Queue.UNLIMITED) {
      return new NothingToTakeBack(room, beyond.queue());
    }
    var asked =
        new Asked(
            preemptor,
            queue -> queue != preemptor.queue() && claim.mayAskWithQuota(queue),
            Long.MAX_VALUE,
            _ -> false);
    return new FairShareReached(
        room,
        beyond.queue(),
        beyond.resource(),
        beyond.used(),
        beyond.asked(),
        beyond.share(),
        search.mayMakeRoom(asked));
  }

  /// What the claim covers, and no queue has fewer GPUs than its quota by it.
  ///
  /// @param keeps is told of the first trial that fails by a quota alone
  private record Owed(Round round, Group preemptor, TrialCondition covered, List<BudgetsKeep> keeps)
      implements TrialCondition {
    @Override
    public boolean holds(List<ChosenUnit> chosen) {
      return covered.holds(chosen) && chosen.stream().allMatch(this::isOwed);
    }

    @Override
    public boolean isWelcome(List<ChosenUnit> chosen) {
      return covered.isWelcome(chosen);
    }

    private boolean isOwed(ChosenUnit each) {
      var queues = round.session().queues();
      int[] ours = queues.chain(preemptor.queue());
      for (MemberState seat : each.unit().seats()) {
        if (seat.isPlaced()) {
          continue; // moved
        }
        if (round.session().charges().atOrigin(seat).of(queues.gpu()) <= 0) {
          return false;
        }
        for (int q : queues.chain(each.group().queue())) {
          if (!isAmong(ours, q) && !keepsItsQuota(q)) {
            return false;
          }
        }
      }
      return true;
    }

    private boolean keepsItsQuota(int q) {
      var queues = round.session().queues();
      int gpu = queues.gpu();
      long left = queues.allocated(q, gpu);
      boolean keeps = !queues.isMeasured(q, gpu) || left >= queues.quota(q, gpu);
      if (!keeps && keeps().isEmpty()) {
        keeps().add(BudgetsKeep.quota(queues.queue(q).name(), left, queues.quota(q, gpu)));
      }
      return keeps;
    }

    private static boolean isAmong(int[] queues, int q) {
      for (int each : queues) {
        if (each == q) {
          return true;
        }
      }
      return false;
    }

    @Override
    public TrialCondition on(PlacementStep part) {
      return new Owed(round, preemptor, covered.on(part), keeps);
    }

    @Override
    public LossBound allowance() {
      return covered.allowance();
    }
  }

  /// What the claim covers.
  private record Covered(Session session, ReclaimRight claim) implements TrialCondition {
    @Override
    public boolean holds(List<ChosenUnit> chosen) {
      return claim.covers(chosen);
    }

    @Override
    public boolean isWelcome(List<ChosenUnit> chosen) {
      return claim.leavesShares(chosen);
    }

    @Override
    public TrialCondition on(PlacementStep part) {
      return new Covered(session, claim.on(part.asked()));
    }

    @Override
    public LossBound allowance() {
      return new ReclaimBound(session, claim);
    }
  }
}
