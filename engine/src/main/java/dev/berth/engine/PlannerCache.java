package dev.berth.engine;

import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.Rankings;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.SearchProgress;

/// What a planner keeps from one plan to the next, over a cluster or one pool of it.
///
/// @param candidates the candidates for eviction
/// @param progress how far searches came that were cut short
/// @param rankings the nodes in order, for each shape of pod
record PlannerCache(
    Session session, VictimCandidates candidates, SearchProgress progress, Rankings rankings) {
  static PlannerCache over(Snapshot snapshot, PlannerSettings settings) {
    var session = Session.forPlanning(snapshot, settings.defaultQueue());
    return new PlannerCache(
        session,
        new VictimCandidates(session),
        new SearchProgress(),
        new Rankings(session, settings.strategy()));
  }

  /// Goes on with a later snapshot.
  ///
  /// @return whether it can; else it is spent
  boolean goOn(Snapshot later) {
    var touched = session.rewind();
    var news = session.advance(later);
    news.ifPresent(each -> {
      candidates.turn(touched, each);
      if (each.changed()) {
        progress.changed();
      }
    });
    return news.isPresent();
  }
}
