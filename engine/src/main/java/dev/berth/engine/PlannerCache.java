package dev.berth.engine;

import dev.berth.engine.fairness.VictimCandidates;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.placement.Rankings;
import dev.berth.engine.session.Group;
import dev.berth.engine.session.IdleEnds;
import dev.berth.engine.session.RuntimeEnds;
import dev.berth.engine.session.Session;
import dev.berth.engine.victims.SearchProgress;

/// What a planner keeps from one plan to the next, over a cluster or one pool of it.
///
/// @param candidates the candidates for eviction
/// @param progress how far searches came that were cut short
/// @param rankings the nodes in order, for each shape of pod
/// @param endings when groups have run for their max-runtime
/// @param idle groups whose GPUs do nothing
record PlannerCache(
    Session session,
    VictimCandidates candidates,
    SearchProgress progress,
    Rankings rankings,
    RuntimeEnds endings,
    IdleEnds idle) {
  static PlannerCache over(Snapshot snapshot, PlannerSettings settings) {
    var session = Session.forPlanning(snapshot, settings.defaultQueue());
    var endings = new RuntimeEnds(settings.maxRuntimeWarning());
    var idle = new IdleEnds();
    session.groups().forEach(group -> enter(group, session, endings, idle));
    return new PlannerCache(
        session,
        new VictimCandidates(session),
        new SearchProgress(),
        new Rankings(session, settings.strategy()),
        endings,
        idle);
  }

  private static void enter(Group group, Session session, RuntimeEnds endings, IdleEnds idle) {
    var rule = MaxRuntime.of(group.group(), session.queues()::named);
    endings.enter(group, rule, session.now());
    idle.enter(group.group());
  }

  /// Goes on with a later snapshot.
  ///
  /// @return whether it can; else it is spent
  boolean goOn(Snapshot later) {
    var touched = session.rewind();
    var news = session.advance(later);
    news.ifPresent(each -> {
      candidates.turn(touched, each);
      each.gone()
          .forEach(group -> {
            endings.leave(group.key());
            idle.leave(group.key());
          });
      each.come().forEach(group -> enter(group, session, endings, idle));
      if (each.changed()) {
        progress.changed();
      }
    });
    return news.isPresent();
  }
}
