package dev.berth.engine.action;

import dev.berth.engine.fairness.Allowance;
import dev.berth.engine.fairness.Claim;
import dev.berth.engine.fairness.Debtors.Asked;
import dev.berth.engine.fairness.VictimOrder.Chosen;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NothingToTakeBack;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Step;
import dev.berth.engine.victims.Agreement;
import java.util.List;

/// Takes back what other queues borrowed, for a queue that stays within its fair share.
///
/// Victims are preemptible groups of other queues, in victim order, as far as the [Claim] covers
/// what they lose: the side that loses was above its share before each piece, and afterwards no
/// side of the claimant is above its share and more saturated than a sibling that lost something.
public final class Reclaim implements Action {
  private final double multiplier;

  /// @param multiplier of the claimant's saturation, 1 or more: larger reclaims less
  public Reclaim(double multiplier) {
    this.multiplier = multiplier;
  }

  @Override
  public void run(Round round) {
    var debtors = round.debtors();
    var search = Search.in(round, each -> debtors.isAnyOutside(each.queue()));
    search.each((claimant, step) -> reclaim(round, search, claimant, step));
  }

  private void reclaim(Round round, Search search, Group claimant, Step step) {
    var session = round.session();
    var claim = new Claim(session, round.shares(), claimant, step.asked(), multiplier);
    if (!claim.isDue()) {
      if (round.debtors().isAnyOutside(claimant.queue())) {
        claim
            .beyondShare()
            .ifPresent(beyond ->
                search.insteadOfRoom(
                    claimant,
                    room ->
                        new FairShareReached(
                            room,
                            beyond.queue(),
                            beyond.resource(),
                            beyond.used(),
                            beyond.asked(),
                            beyond.share())));
      }
      return;
    }
    var asked =
        new Asked(
            claimant,
            queue -> queue != claimant.queue() && claim.mayAsk(queue),
            Long.MAX_VALUE,
            group -> Patience.protectsFromReclaim(session, group, claimant));
    var debtors = round.debtors();
    if (!debtors.isAny(asked) && debtors.isAnyOutside(claimant.queue())) {
      var queue = claimant.group().queue();
      search.insteadOfRoom(claimant, room -> new NothingToTakeBack(room, queue));
    }
    search.makeRoom(asked, Cause.RECLAIM, new Covered(claim));
    search.tellProtection(asked);
  }

  /// What the claim covers.
  private record Covered(Claim claim) implements Agreement {
    @Override
    public boolean holds(List<Chosen> chosen) {
      return claim.covers(chosen);
    }

    @Override
    public Agreement on(Step part) {
      return new Covered(claim.on(part.asked()));
    }

    @Override
    public Allowance allowance() {
      return claim.allowance();
    }
  }
}
