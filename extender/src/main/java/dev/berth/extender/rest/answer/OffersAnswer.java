package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Counterfactual;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.explain.SubmissionTrial;
import dev.berth.engine.forecast.Forecast;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Reserve;
import dev.berth.engine.model.Decision.Reserved;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.Preemptibility;
import dev.berth.extender.rest.answer.WhatIfAnswer.Evicted;
import dev.berth.extender.rest.state.Revision;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Stream;

/// What a workload would get that is not submitted yet: whether it starts now and where, else why
/// not and what it would start with, each proven by a plan.
///
/// @param kind of the workload
/// @param name of the workload
/// @param workloads the groups that its pods would form, by key
/// @param more further groups, which are not told
/// @param plans most plans that are made for all of them: what they do not suffice for is left out
public record OffersAnswer(
    String revision,
    String at,
    String kind,
    String name,
    List<Submitted> workloads,
    int more,
    int plans) {
  public OffersAnswer {
    workloads = List.copyOf(workloads);
  }

  /// One group.
  ///
  /// @param asks `4 × 2 GPUs`, by its first pod
  /// @param starts whether it has places now
  /// @param places where; empty = it has none
  /// @param reason why it waits; empty = it does not
  /// @param forecast when it is likely to start as it is; empty = it starts now, or too little is
  ///   known
  /// @param offers each lets it start
  /// @param cutShort the plans did not suffice to try everything
  /// @param hidden offers that name what the client may not see
  public record Submitted(
      String namespace,
      String name,
      String queue,
      int pods,
      String asks,
      int priority,
      boolean preemptible,
      boolean starts,
      List<Place> places,
      List<Evicted> victims,
      SortedMap<String, String> reason,
      SortedMap<String, String> forecast,
      List<Offer> offers,
      boolean cutShort,
      int hidden) {}

  /// What lets it start.
  ///
  /// @param by the roles that can apply it: `user`, `administrator`, `time`
  /// @param remedies that are made together
  /// @param at from when on it would start
  /// @param victims pods that would be evicted for it
  /// @param againstBudgets how many of these against a disruption budget, and so later
  /// @param patches of the manifests; empty = no manifest says it
  public record Offer(
      List<String> by,
      List<String> remedies,
      String at,
      List<Place> places,
      List<Evicted> victims,
      int againstBudgets,
      List<Patch> patches) {}

  /// Pods on one node.
  ///
  /// @param node empty = the client may not list nodes
  public record Place(String node, int pods) {}

  /// What changes one manifest.
  ///
  /// @param patch a JSON merge patch (RFC 7396)
  public record Patch(String kind, String name, Map<String, Object> patch) {}

  /// What the answer is about.
  ///
  /// @param id of the revision
  /// @param kind of the workload
  /// @param name of the workload
  /// @param patches of the manifests that make remedies
  /// @param forecasts when one that begins to wait now is likely to start
  public record Question(
      String id,
      Revision revision,
      String kind,
      String name,
      int plans,
      Function<List<Remedy>, List<Patch>> patches,
      Function<PodGroup, Optional<Forecast>> forecasts) {}

  public static OffersAnswer of(
      Question question, SubmissionTrial.Outcome outcome, Visible visible) {
    return new OffersAnswer(
        question.id(),
        question.revision().snapshot().now().toString(),
        question.kind(),
        question.name(),
        outcome.told().stream().map(each -> submitted(each, question, outcome, visible)).toList(),
        outcome.more(),
        question.plans());
  }

  private static Submitted submitted(
      SubmissionTrial.Told told,
      Question question,
      SubmissionTrial.Outcome outcome,
      Visible visible) {
    var group = told.group();
    var places = told.places(outcome.plan());
    var shown = VisibleRemedies.of(told.found(), visible);
    var forecast =
        told.waiting()
            .filter(wait -> wait.reason().startsByItself())
            .flatMap(_ -> question.forecasts().apply(group));
    return new Submitted(
        group.key().namespace(),
        group.key().name(),
        group.queue().value(),
        group.members().size(),
        WorkloadAnswer.asks(group),
        group.priority(),
        group.preemptibility() == Preemptibility.PREEMPTIBLE,
        places.isPresent(),
        places.map(it -> places(it, visible)).orElse(List.of()),
        WhatIfAnswer.evicted(victims(places), visible),
        told.waiting()
            .map(wait -> WorkloadAnswer.why(wait, outcome.world(), question.revision().classes()))
            .orElse(WorkloadAnswer.NOTHING),
        forecast.map(WorkloadAnswer::likely).orElse(WorkloadAnswer.NOTHING),
        shown.stream().map(each -> offer(each, told, question, visible)).toList(),
        told.found().isCutShort(),
        told.found().all().size() - shown.size());
  }

  private static Offer offer(
      Counterfactual found, SubmissionTrial.Told told, Question question, Visible visible) {
    var places = SubmissionTrial.places(found.plan(), told.group().key());
    var victims = victims(places);
    return new Offer(
        VisibleRemedies.by(found),
        found.remedies().stream().map(Remedy::words).toList(),
        from(found, question).toString(),
        places.map(it -> places(it, visible)).orElse(List.of()),
        WhatIfAnswer.evicted(victims, visible),
        (int) victims.stream().filter(Victim::againstBudgets).count(),
        question.patches().apply(found.remedies()));
  }

  /// The latest moment that it waits for; now where it waits for none.
  private static Instant from(Counterfactual found, Question question) {
    return found.remedies().stream()
        .flatMap(each -> each instanceof Remedy.NotBefore(var at) ? Stream.of(at) : Stream.empty())
        .max(Instant::compareTo)
        .orElse(question.revision().snapshot().now());
  }

  private static List<Victim> victims(Optional<Reserve> places) {
    return places.map(Decision::victims).orElse(List.of());
  }

  /// In the order of the plan; nodes without their names where the client may not list them.
  private static List<Place> places(Reserve reserve, Visible visible) {
    var counts = new LinkedHashMap<String, Integer>();
    Stream.concat(reserve.block().stream(), reserve.surplus().stream())
        .map(Reserved::placement)
        .forEach(each -> counts.merge(each.node().value(), 1, Integer::sum));
    return counts.entrySet().stream()
        .map(each -> new Place(visible.nodes() ? each.getKey() : "", each.getValue()))
        .toList();
  }
}
