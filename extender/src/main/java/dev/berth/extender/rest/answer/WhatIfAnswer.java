package dev.berth.extender.rest.answer;

import dev.berth.engine.explain.Departure;
import dev.berth.engine.explain.WaitSentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.Decision.Victim;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Snapshot;
import dev.berth.extender.rest.state.Revision;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// What would follow from changes: workloads with another decision than now, and those that lose
/// pods.
///
/// @param departures pods that leave by the plan, and not by that of now; by workload and
///   beneficiary
/// @param gone workloads that lose all their pods with the changes themselves
/// @param losses those that lose some of them so
/// @param hidden workloads in these lists that the client may not see
public record WhatIfAnswer(
    String revision,
    String at,
    List<Difference> differs,
    List<Leaves> departures,
    List<Key> gone,
    List<Loses> losses,
    int hidden) {
  public WhatIfAnswer {
    differs = List.copyOf(differs);
    departures = List.copyOf(departures);
    gone = List.copyOf(gone);
    losses = List.copyOf(losses);
  }

  /// A workload of which pods leave.
  ///
  /// @param evicted pods that wait again
  /// @param moved pods that are placed elsewhere by the same plan
  /// @param beneficiary for which they leave; empty = for no other, or the client may not see it
  /// @param sentence as `berth what-if` says it
  public record Leaves(
      String namespace,
      String name,
      String queue,
      int evicted,
      int moved,
      List<String> causes,
      SortedMap<String, String> beneficiary,
      String sentence) {}

  /// A workload that loses some of its pods.
  public record Loses(
      String namespace, String name, String queue, int lost, int left, String sentence) {}

  /// A workload.
  public record Key(String namespace, String name, String queue) {}

  public record Difference(
      String namespace, String name, String queue, Outcome before, Outcome after) {}

  /// @param what `starts`, `is evicted`, `waits`, `stays`
  /// @param pods that would start, or be evicted
  /// @param victims pods that would be evicted for it
  /// @param sentence why it waits
  public record Outcome(String what, int pods, List<Evicted> victims, String sentence) {}

  /// @param pod `namespace/name`; empty = the client may not see it
  public record Evicted(String pod, String cause) {}

  /// @param after as it would be
  public static WhatIfAnswer of(
      String revision, Revision from, WhatIf.Outcome outcome, Snapshot after, Visible visible) {
    var world = new World(from, after, visible);
    var concerned = new TreeSet<GroupKey>();
    outcome.differs().forEach(each -> concerned.add(each.group()));
    outcome.departures().forEach(each -> concerned.add(each.group()));
    outcome.losses().forEach(each -> concerned.add(each.group()));
    concerned.addAll(outcome.gone());
    concerned.removeIf(world::shows);
    return new WhatIfAnswer(
        revision,
        after.now().toString(),
        outcome.differs().stream()
            .filter(each -> world.shows(each.group()))
            .map(each -> difference(each, world))
            .toList(),
        outcome.departures().stream()
            .filter(each -> world.shows(each.group()))
            .map(each -> leaves(each, world))
            .toList(),
        outcome.gone().stream().filter(world::shows).map(each -> key(each, world)).toList(),
        outcome.losses().stream()
            .filter(each -> world.shows(each.group()))
            .map(each -> loses(each, world))
            .toList(),
        concerned.size());
  }

  /// The cluster as it is and as it would be.
  private record World(Revision before, Snapshot after, Visible visible) {
    boolean shows(GroupKey key) {
      return visible.namespace(key.namespace());
    }

    String queue(GroupKey key) {
      return after
          .group(key)
          .or(() -> before.snapshot().group(key))
          .map(PodGroup::queue)
          .orElse(QueueName.NONE)
          .value();
    }
  }

  private static Key key(GroupKey group, World world) {
    return new Key(group.namespace(), group.name(), world.queue(group));
  }

  private static Loses loses(WhatIf.Loss each, World world) {
    return new Loses(
        each.group().namespace(),
        each.group().name(),
        world.queue(each.group()),
        each.lost(),
        each.left(),
        each.words());
  }

  private static Leaves leaves(Departure each, World world) {
    boolean isNamed = each.isForOther() && world.shows(each.beneficiary());
    var beneficiary = new TreeMap<String, String>();
    if (isNamed) {
      beneficiary.put("namespace", each.beneficiary().namespace());
      beneficiary.put("name", each.beneficiary().name());
    }
    return new Leaves(
        each.group().namespace(),
        each.group().name(),
        world.queue(each.group()),
        each.evicted(),
        each.moved(),
        each.causes().stream().map(WhatIfAnswer::cause).toList(),
        beneficiary,
        isNamed ? each.words() : each.wordsWithoutBeneficiary());
  }

  private static Difference difference(WhatIf.Difference each, World world) {
    return new Difference(
        each.group().namespace(),
        each.group().name(),
        world.queue(each.group()),
        outcome(each.before(), world, world.before().snapshot()),
        outcome(each.after(), world, world.after()));
  }

  /// @param snapshot of which the decision is
  private static Outcome outcome(Optional<Decision> decision, World world, Snapshot snapshot) {
    return decision
        .map(each -> outcome(each, world, snapshot))
        .orElse(new Outcome("stays", 0, List.of(), ""));
  }

  private static Outcome outcome(Decision decision, World world, Snapshot snapshot) {
    var visible = world.visible();
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
      case Decision.Wait wait ->
          new Outcome(
              "waits", 0, List.of(), WaitSentences.of(wait, snapshot, world.before().classes()));
    };
  }

  /// Pods that leave, without the names of those that the client may not see.
  static List<Evicted> evicted(List<Victim> victims, Visible visible) {
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
