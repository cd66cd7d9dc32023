package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Sentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// What would follow from changes: workloads with another decision than now.
///
/// @param hidden workloads with another decision that the client may not see
public record WhatIfAnswer(String revision, String at, List<Difference> differs, int hidden) {
  public WhatIfAnswer {
    differs = List.copyOf(differs);
  }

  public record Difference(
      String namespace, String name, String queue, Outcome before, Outcome after) {}

  /// @param what `starts`, `is evicted`, `waits`, `stays`
  /// @param pods that would start, or be evicted
  /// @param victims pods that would be evicted for it
  /// @param sentence why it waits
  public record Outcome(String what, int pods, List<Evicted> victims, String sentence) {}

  /// @param pod `namespace/name`; empty = the client may not see it
  public record Evicted(String pod, String cause) {}

  /// @param snapshot as it would be
  public static WhatIfAnswer of(
      String revision, WhatIf.Outcome outcome, Snapshot snapshot, Visible visible) {
    var shown =
        outcome.differs().stream()
            .filter(each -> visible.namespace(each.group().namespace()))
            .map(each -> difference(each, snapshot::group, visible))
            .toList();
    return new WhatIfAnswer(
        revision, snapshot.now().toString(), shown, outcome.differs().size() - shown.size());
  }

  private static Difference difference(
      WhatIf.Difference each,
      Function<dev.berth.engine.model.GroupKey, Optional<PodGroup>> groups,
      Visible visible) {
    var queue = groups.apply(each.group()).map(PodGroup::queue).orElse(QueueName.NONE);
    return new Difference(
        each.group().namespace(),
        each.group().name(),
        queue.value(),
        outcome(each.before(), visible),
        outcome(each.after(), visible));
  }

  private static Outcome outcome(Optional<Decision> decision, Visible visible) {
    return decision
        .map(each -> outcome(each, visible))
        .orElse(new Outcome("stays", 0, List.of(), ""));
  }

  private static Outcome outcome(Decision decision, Visible visible) {
    return switch (decision) {
      case Decision.Reserve reserve ->
          new Outcome(
              "starts",
              reserve.block().size() + reserve.surplus().size(),
              evicted(reserve.victims(), visible),
              "");
      case Decision.Evict(_, var victims) ->
          new Outcome("is evicted", victims.size(), evicted(victims, visible), "");
      case Decision.Withdraw(_, var plans, _) ->
          new Outcome("is planned anew", plans.size(), List.of(), "");
      case Decision.Wait(_, var reason, var ahead) ->
          new Outcome("waits", 0, List.of(), Sentences.of(reason, ahead));
    };
  }

  private static List<Evicted> evicted(List<Victim> victims, Visible visible) {
    return victims.stream()
        .map(each ->
            new Evicted(
                visible.namespace(each.pod().namespace()) ? each.pod().toString() : "",
                cause(each.cause())))
        .toList();
  }

  /// `max_runtime`, as metrics have it.
  static String cause(Decision.Cause cause) {
    return cause.name().toLowerCase(Locale.ROOT);
  }
}
