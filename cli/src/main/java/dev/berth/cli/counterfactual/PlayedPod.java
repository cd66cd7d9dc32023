package dev.berth.cli.counterfactual;

import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WrittenPlan;
import java.time.Instant;
import java.util.List;

/// A pod of a play: what the log shows of it, with all that its group was resolved to told by
/// itself, since priority classes and owners are not in a log.
///
/// @param group none = it is planned alone
record PlayedPod(PodUid uid, PodKey key, GroupKey group, PodGroup logged, Pod offered) {
  /// As it waits.
  Pod waits(long version) {
    return pod(
        version,
        new Pod.Lifecycle(
            Pod.Phase.PENDING, Placement.NONE.node(), List.of(Pod.Lifecycle.GATE), false, ""),
        Placement.NONE);
  }

  Pod runs(long version, Placement at, Instant since) {
    return pod(
        version, new Pod.Lifecycle(Pod.Phase.RUNNING, at.node(), List.of(), false, "", since), at);
  }

  Pod isOver(long version, Placement at, Instant since, Ending how) {
    var phase = how == Ending.SUCCEEDED ? Pod.Phase.SUCCEEDED : Pod.Phase.FAILED;
    return pod(version, new Pod.Lifecycle(phase, at.node(), List.of(), false, "", since), at);
  }

  private Pod pod(long version, Pod.Lifecycle life, Placement at) {
    var asks = offered.asks();
    var manners = new Pod.Manners(logged.takesVictims(), asks.manners().grace());
    var belonging = offered.belonging();
    return new Pod(
        uid,
        key,
        version,
        offered.created(),
        offered.scheduler(),
        life,
        new Pod.Asks(
            asks.request(),
            asks.constraints(),
            logged.priority(),
            logged.preemptibility(),
            manners),
        new Pod.Belonging(
            logged.queue(),
            group,
            0,
            belonging.subGroup(),
            belonging.owner(),
            belonging.taskPriority(),
            "",
            belonging.topology(),
            belonging.patience()),
        new Pod.Written(
            at.slots().isEmpty() ? WrittenPlan.NONE : new WrittenPlan(at, "", 1, life.started()),
            List.of()),
        Pod.Holding.NONE,
        offered.traits().with(List.of()),
        offered.problems());
  }

  /// The object of its group.
  ///
  /// @param ranBefore whether the group goes on running
  static GroupSpec spec(PodGroup logged, GroupKey key, long version, boolean ranBefore) {
    var spec = logged.spec();
    return new GroupSpec(
        key,
        spec.uid(),
        version,
        spec.generation(),
        logged.created(),
        logged.queue(),
        spec.minMember(),
        spec.minSubGroup(),
        spec.subGroups(),
        spec.topology(),
        "",
        logged.preemptibility(),
        spec.patience(),
        Instant.EPOCH,
        ranBefore ? spec.run() : GroupSpec.Run.NONE,
        spec.completions(),
        spec.problems());
  }

  /// Thousandths of GPUs that it has in a place.
  long gpuMillis(Placement at) {
    return offered.asks().request().devices().millisAt(at);
  }
}
