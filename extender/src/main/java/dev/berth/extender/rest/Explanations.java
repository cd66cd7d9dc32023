package dev.berth.extender.rest;

import dev.berth.engine.Planner;
import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Counterfactuals.Found;
import dev.berth.engine.explain.SubmissionTrial;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.bounds.ClientQuota;
import dev.berth.extender.rest.ManifestReader.SubmittedWorkload;
import dev.berth.extender.rest.answer.ExplanationAnswer;
import dev.berth.extender.rest.answer.OffersAnswer;
import dev.berth.extender.rest.answer.Visible;
import dev.berth.extender.rest.answer.WhatIfAnswer;
import dev.berth.extender.rest.state.Revision;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// What would let a workload start, and what would follow from changes: by plans over a copy of the
/// cluster, on one thread of the least priority, for which parties take turns. The planner's own
/// thread is not concerned.
final class Explanations {
  private static final int MOST_ASKING = 32;

  private final Planner planner;
  private final int plans;
  private final Studies<Explained> explanations;
  private final Studies<Supposed> whatIfs;
  private final Studies<Offered> offers;
  private final ClientQuota asking = new ClientQuota(MOST_ASKING);

  private record Explained(Revision revision, Found found) {}

  private record Supposed(Revision revision, WhatIf.Outcome outcome, Snapshot after) {}

  private record Offered(Revision revision, SubmissionTrial.Outcome outcome) {}

  Explanations(Planner planner, int plans) {
    this.planner = planner;
    this.plans = plans;
    var turns = new ClientTurns(thread());
    this.explanations = new Studies<>(turns);
    this.whatIfs = new Studies<>(turns);
    this.offers = new Studies<>(turns);
  }

  private static Executor thread() {
    var thread =
        new ThreadPoolExecutor(
            1,
            1,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work ->
                Thread.ofPlatform()
                    .name("what-if")
                    .daemon()
                    .priority(Thread.MIN_PRIORITY)
                    .unstarted(work));
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  /// @param id of a revision
  ExplanationAnswer explain(
      GroupKey key, Revision now, Function<Revision, String> id, Visible visible) {
    var explained =
        inPlace(
            visible.party(),
            party -> explanations.answer(party, key, () -> new Explained(now, found(key, now))));
    var revision = explained.revision();
    return ExplanationAnswer.of(
        id.apply(revision), revision, key, explained.found(), plans, visible);
  }

  /// One party waits for a part of the answers alone: what else it asks is refused at once, so that
  /// places are left for all others.
  private <R> R inPlace(String party, Function<String, R> question) {
    if (asking.take(party, 1) != ClientQuota.Answer.TAKEN) {
      throw RestRequests.refused("Other explanations, offers and what-ifs are under way");
    }
    try {
      return question.apply(party);
    } finally {
      asking.leave(party, 1);
    }
  }

  private Found found(GroupKey key, Revision now) {
    boolean waits = now.findings().waits().containsKey(key);
    return waits
        ? Counterfactuals.of(
            planner, now.snapshot(), now.findings().staleSince(), key, plans, now.classes())
        : Found.NOTHING;
  }

  /// @param body that the changes were read from: the same body is the same question
  WhatIfAnswer whatIf(
      Object body,
      List<Change> changes,
      Revision now,
      Function<Revision, String> id,
      Visible visible) {
    var supposed =
        inPlace(
            visible.party(), party -> whatIfs.answer(party, body, () -> supposed(changes, now)));
    return WhatIfAnswer.of(
        id.apply(supposed.revision()),
        supposed.revision(),
        supposed.outcome(),
        supposed.after(),
        visible);
  }

  private Supposed supposed(List<Change> changes, Revision now) {
    var whatIf = new WhatIf(planner, now.snapshot(), now.findings().staleSince());
    return new Supposed(now, whatIf.outcome(changes), whatIf.with(changes));
  }

  /// @param question that the workload was read from: the same manifest is the same question
  /// @param forecasts when one that begins to wait now is likely to start
  OffersAnswer offers(
      Object question,
      SubmittedWorkload workload,
      Revision now,
      Function<Revision, String> id,
      Function<PodGroup, Optional<Forecast>> forecasts,
      Visible visible) {
    var offered =
        inPlace(
            visible.party(), party -> offers.answer(party, question, () -> offered(workload, now)));
    offered.outcome().told().forEach(each -> Queries.mayAsk(each.group().queue(), visible));
    return OffersAnswer.of(
        new OffersAnswer.Question(
            id.apply(offered.revision()),
            offered.revision(),
            workload.kind(),
            workload.name(),
            plans,
            workload::patches,
            forecasts),
        offered.outcome(),
        visible.lenient());
  }

  private Offered offered(SubmittedWorkload workload, Revision now) {
    return new Offered(
        now,
        SubmissionTrial.of(
            planner,
            now.snapshot(),
            now.findings().staleSince(),
            workload.groups(now.snapshot()),
            plans,
            now.classes()));
  }
}
