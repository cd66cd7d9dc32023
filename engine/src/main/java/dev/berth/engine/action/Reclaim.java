package dev.berth.engine.action;

import dev.berth.engine.fairness.Claim;
import dev.berth.engine.model.Decision.Cause;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NothingToTakeBack;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.Step;

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
    var search = Search.in(round);
    search.each((claimant, step) -> reclaim(round, search, claimant, step));
  }

  private void reclaim(Round round, Search search, Group claimant, Step step) {
    var session = round.session();
    var claim = new Claim(session, round.shares(), claimant, step.asked(), multiplier);
    if (!claim.isDue()) {
      if (search.candidates().anyOutside(claimant.queue())) {
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
    var debtors =
        search
            .candidates()
            .debtors(
                group -> group.queue() != claimant.queue() && claim.mayAsk(group.queue()),
                group -> Patience.protectsFromReclaim(session, group, claimant));
    if (debtors.isEmpty() && search.candidates().anyOutside(claimant.queue())) {
      var queue = claimant.group().queue();
      search.insteadOfRoom(claimant, room -> new NothingToTakeBack(room, queue));
    }
    search.makeRoom(claimant, debtors, Cause.RECLAIM, claim::covers);
    search.tellProtection(
        claimant, debtors, group -> Patience.protectsFromReclaim(session, group, claimant));
  }
}
