package dev.berth.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.JobTrace.Job;
import dev.berth.engine.Planner;
import dev.berth.engine.PlannerSettings;
import dev.berth.engine.model.Decision;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Two nodes of eight GPUs and two queues.
final class TraceReplayTest {
  private static final long END = 10_000;

  private static JobTrace trace(Job... jobs) {
    return JobTrace.replay(2, List.of(jobs));
  }

  private static void play(TraceReplay week, long until) {
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    for (var next = week.next(until); next.isPresent(); next = week.next(until)) {
      week.planned(planner.plan(next.get(), Collections.emptySortedMap()));
    }
  }

  /// The gang takes both nodes from 100 to 600; the pod that comes meanwhile waits for its end.
  @Test
  void jobsComeWaitRunAndEnd() {
    var trace = trace(Job.of("a", 16, 100, 500), Job.of("b", 8, 200, 300), Job.of("a", 1, 0, 50));
    var world = new TraceWorld(trace, 42);
    var week = new TraceReplay(world, trace.jobs(), END);
    play(week, 200);
    assertThat(world.runs()).as("the gang alone").isEqualTo(1);
    assertThat(world.allocatedPercent()).isEqualTo(100);
    assertThat(week.ended()).isEqualTo(1);
    play(week, END);
    assertThat(week.arrived()).isEqualTo(3);
    assertThat(week.ended()).isEqualTo(3);
    assertThat(world.allocatedPercent()).isZero();
    assertThat(world.waits()).isZero();
  }

  @Test
  void whatEndsAfterTheWeekStillRuns() {
    var trace = trace(Job.of("a", 1, 0, END + 1), Job.of("b", 1, END, 1));
    var world = new TraceWorld(trace, 42);
    var week = new TraceReplay(world, trace.jobs(), END);
    play(week, END);
    assertThat(world.runs()).isEqualTo(1);
    assertThat(week.arrived()).as("the second comes later").isEqualTo(1);
  }

  /// A borrows the second node; b, its owner by quota, takes it back. What is lost runs anew.
  @Test
  void whatLosesItsPlaceRunsFromTheStart() {
    var trace =
        trace(Job.of("a", 8, 0, 1_000), Job.of("a", 8, 1, 1_000), Job.of("b", 8, 500, 2_000));
    var world = new TraceWorld(trace, 42);
    var week = new TraceReplay(world, trace.jobs(), END);
    play(week, END);
    assertThat(world.victims()).isEqualTo(1);
    assertThat(week.ended()).isEqualTo(3);
  }

  @Test
  void aGangStartsWholeOrWaitsWhole() {
    var trace = trace(Job.of("a", 1, 0, 1), Job.of("a", 16, 0, 1));
    var world = new TraceWorld(trace, 42);
    var _ = world.comes(trace.jobs().getFirst());
    var planner = new Planner(PlannerSettings.DEFAULT).incremental();
    world.carryOut(planner.plan(world.snapshot(), Collections.emptySortedMap()));
    var gang = world.comes(trace.jobs().getLast());
    var plan = planner.plan(world.snapshot(), Collections.emptySortedMap());
    assertThat(plan.decisions()).noneMatch(Decision.Reserve.class::isInstance);
    assertThat(world.waits()).isEqualTo(1);
    world.oneEnds();
    assertThat(world.carryOut(planner.plan(world.snapshot(), Collections.emptySortedMap())))
        .as("both of its pods")
        .isEqualTo(2);
    assertThat(gang.runs()).as("the gang runs").isTrue();
    world.oneEnds();
    assertThat(world.allocatedPercent()).isZero();
    assertThat(world.snapshot().groups()).as("nothing is left of it").isEmpty();
  }

  @Test
  void aFullClusterHasAsManyWaitingAsAsked() {
    var trace = trace(Job.of("a", 8, 0, 1), Job.of("b", 4, 0, 1), Job.of("b", 16, 0, 1));
    var world = new TraceWorld(trace, 42).fill().waiting(20).balanced();
    assertThat(world.allocatedPercent()).isEqualTo(100);
    assertThat(world.waits()).isGreaterThanOrEqualTo(20);
  }
}
