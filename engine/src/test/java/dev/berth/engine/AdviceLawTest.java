package dev.berth.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.explain.Change;
import dev.berth.engine.explain.Counterfactuals;
import dev.berth.engine.explain.Remedy;
import dev.berth.engine.explain.Sentences;
import dev.berth.engine.explain.WhatIf;
import dev.berth.engine.model.Decision;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.Plan;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.model.Reason;
import dev.berth.engine.model.Reason.ExceededResource;
import dev.berth.engine.model.Reason.FairShareReached;
import dev.berth.engine.model.Reason.NoRoom;
import dev.berth.engine.model.Reason.NonPreemptibleOverQuota;
import dev.berth.engine.model.Reason.OverLimit;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a group that limits or quotas refuse is told to help: all of it together does, and what is
/// told besides is in the way.
///
/// Each group is asked alone: others that wait may take what is raised. What quotas of a GPU model
/// refuse is left out: it depends on the node that each member gets.
class AdviceLawTest {
  static LongStream seeds() {
    return Seeds.worlds(300);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void allThatIsToldToBeRaisedHelpsTogether(long seed) {
    var cluster = Worlds.random(seed);
    var planner = new Planner(PlannerSettings.DEFAULT);
    var world = cluster.snapshot();
    for (Decision each : plan(planner, world, List.of()).decisions()) {
      if (each instanceof Decision.Wait) {
        asked(planner, world, each.group());
      }
    }
  }

  /// Nothing is evicted; it may come before others and take what is free. Where a quota is told,
  /// min-runtimes, budgets and the queues above may forbid it.
  @ParameterizedTest
  @MethodSource("seeds")
  void whereNoLargerQuotaIsToldNoneHelps(long seed) {
    var planner = new Planner(PlannerSettings.DEFAULT);
    var world = Worlds.random(seed).snapshot();
    for (Decision each : plan(planner, world, List.of()).decisions()) {
      if (each instanceof Decision.Wait(var group, FairShareReached reached, _)
          && !reached.quotaHelps()) {
        long most = reached.used() + reached.asked();
        var raise = new Remedy.RaiseQuota(reached.queue(), reached.resource(), 0, most);
        var changes = Counterfactuals.changes(world, group, List.of(raise));
        assertThat(WhatIf.decision(plan(planner, world, changes), group))
            .as("%s with %s", group, raise)
            .get()
            .matches(
                then -> !(then instanceof Decision.Reserve reserve) || reserve.victims().isEmpty());
      }
    }
  }

  private static void asked(Planner planner, Snapshot world, GroupKey group) {
    var alone = withoutOthers(world, group);
    var plan = plan(planner, world, alone);
    var before = reason(plan, group);
    boolean isAlone = plan.decisions().stream().noneMatch(each -> wants(each, group));
    if (!isAlone || !isOfQueue(before) || has(world, group) || isByModel(before)) {
      return;
    }
    var changes = new ArrayList<>(alone);
    changes.addAll(Counterfactuals.changes(world, group, raises(before)));
    var after = reason(plan(planner, world, changes), group);
    var room = besides(before).stream().filter(NoRoom.class::isInstance).toList();
    assertThat(isOfQueue(after))
        .as("%s: %s, then %s", group, Sentences.of(before), after)
        .isFalse();
    if (room.isEmpty()) {
      assertThat(after)
          .as("%s: %s", group, Sentences.of(before))
          .isNotInstanceOfAny(NoRoom.class, Reason.NeverFits.class);
    } else if (!((NoRoom) room.getFirst()).mayBeMade()) {
      assertThat(after).as("%s: %s", group, Sentences.of(before)).isInstanceOf(NoRoom.class);
    }
  }

  /// Groups that have nothing, and wait.
  private static List<Change> withoutOthers(Snapshot world, GroupKey group) {
    return world.groups().stream()
        .filter(each -> !each.key().equals(group))
        .filter(each ->
            each.members().stream()
                .allMatch(member -> member.standing() instanceof Standing.Waiting))
        .map(each -> (Change) new Change.RemoveGroup(each.key()))
        .toList();
  }

  private static boolean wants(Decision decision, GroupKey group) {
    return !decision.group().equals(group) && !(decision instanceof Decision.Evict);
  }

  /// Whether any of its members has a place: it takes one step after the other.
  private static boolean has(Snapshot world, GroupKey group) {
    return world.group(group).orElseThrow().members().stream()
        .anyMatch(member -> !(member.standing() instanceof Standing.Waiting));
  }

  private static Plan plan(Planner planner, Snapshot world, List<Change> changes) {
    return new WhatIf(planner, world, Collections.emptySortedMap()).plan(changes);
  }

  /// `Starting` where it does not wait.
  private static Reason reason(Plan plan, GroupKey group) {
    return WhatIf.decision(plan, group).orElseThrow() instanceof Decision.Wait wait
        ? wait.reason()
        : new Reason.Starting(1, 0, 0);
  }

  private static boolean isOfQueue(Reason reason) {
    return reason instanceof OverLimit || reason instanceof NonPreemptibleOverQuota;
  }

  private static List<Reason> besides(Reason reason) {
    return switch (reason) {
      case OverLimit over -> over.besides();
      case NonPreemptibleOverQuota over -> over.besides();
      default -> List.of();
    };
  }

  private static boolean isByModel(Reason reason) {
    return raises(reason).toString().contains("resource=gpu/");
  }

  private static List<Remedy> raises(Reason reason) {
    var raises = new ArrayList<Remedy>();
    switch (reason) {
      case OverLimit over -> over.excesses().forEach(each -> raises.add(limit(over.queue(), each)));
      case NonPreemptibleOverQuota over ->
          over.excesses().forEach(each -> raises.add(quota(over.queue(), each)));
      default -> {}
    }
    besides(reason).forEach(each -> raises.addAll(raises(each)));
    return raises;
  }

  private static Remedy limit(QueueName queue, ExceededResource each) {
    return new Remedy.RaiseLimit(
        queue, each.resource(), each.most(), Math.max(each.most(), each.used() + each.asked()));
  }

  private static Remedy quota(QueueName queue, ExceededResource each) {
    return new Remedy.RaiseQuota(
        queue, each.resource(), each.most(), Math.max(each.most(), each.used() + each.asked()));
  }
}
