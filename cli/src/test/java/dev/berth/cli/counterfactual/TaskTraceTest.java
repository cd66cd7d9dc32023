package dev.berth.cli.counterfactual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.counterfactual.LoggedTask.Ending;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Standing;
import dev.berth.engine.request.PodManifest;
import dev.berth.simulator.world.ObjectTree;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Snapshots are 15 seconds apart; objects tell their moments to the second.
class TaskTraceTest {
  private static final Instant ZERO = Instant.parse("2026-01-01T12:00:00.250Z");
  private static final String CREATED = "2026-01-01T12:00:05Z";
  private static final String STARTED = "2026-01-01T12:00:21Z";

  private static Instant at(long seconds) {
    return ZERO.plusSeconds(seconds);
  }

  private static Instant second(long seconds) {
    return Instant.parse("2026-01-01T12:00:00Z").plusSeconds(seconds);
  }

  /// @param status of the pod; `deleted` in it stands for a deletion timestamp
  private static Member member(String created, Standing standing, Map<String, Object> status) {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.putAll(ObjectTree.of("name", "p", "namespace", "n", "uid", "u"));
    metadata.put("creationTimestamp", created);
    if (status.containsKey("deleted")) {
      metadata.put("deletionTimestamp", "2026-01-01T12:00:50Z");
    }
    var limits = ObjectTree.of("limits", ObjectTree.of("nvidia.com/gpu", "2"));
    var containers = List.of(ObjectTree.of("name", "main", "resources", limits));
    Pod pod =
        PodManifest.read(
                ObjectTree.of(
                    "metadata",
                    metadata,
                    "spec",
                    ObjectTree.of("nodeName", "worker", "containers", containers),
                    "status",
                    status))
            .orElseThrow();
    return new Member(pod, standing, new TreeMap<>());
  }

  private static Member waits() {
    return member(CREATED, new Standing.Waiting(), Map.of());
  }

  private static Member runs(String started) {
    return member(
        CREATED,
        new Standing.Bound(Placement.on(new NodeName("worker"))),
        ObjectTree.of("phase", "Running", "startTime", started));
  }

  private static Member ended(String finished) {
    var terminated = ObjectTree.of("terminated", ObjectTree.of("finishedAt", finished));
    return member(
        CREATED,
        new Standing.Over(true),
        ObjectTree.of(
            "phase",
            "Succeeded",
            "startTime",
            STARTED,
            "containerStatuses",
            List.of(ObjectTree.of("state", terminated))));
  }

  private static Member deleted() {
    return member(
        CREATED,
        new Standing.Leaving(Placement.on(new NodeName("worker"))),
        ObjectTree.of("phase", "Running", "startTime", STARTED, "deleted", true));
  }

  @Test
  void aMomentThatLiesBetweenTwoSnapshotsIsKnown() {
    var trace = new TaskTrace(waits(), at(0), at(15), false);
    trace.sees(runs(STARTED), at(30));
    trace.sees(ended("2026-01-01T12:00:41Z"), at(45));
    var task = trace.task(at(60));
    assertThat(task.arrived()).isEqualTo(second(5));
    assertThat(trace.started()).isEqualTo(second(21));
    assertThat(task.run()).isEqualTo(Duration.ofSeconds(20));
    assertThat(task.ending()).isEqualTo(Ending.SUCCEEDED);
    assertThat(task.observed())
        .isEqualTo(new LoggedTask.Observed(second(21), 0, 2000.0 * 20_000, false));
  }

  /// It was there before, held by another's gate; it cannot have started before it was seen to
  /// wait, nor ended after it was seen to be over.
  @Test
  void aMomentThatDoesNotLieBetweenThemIsThatOfTheSnapshot() {
    var trace = new TaskTrace(waits(), at(15), at(30), false);
    trace.sees(runs("2026-01-01T12:00:29Z"), at(45));
    trace.sees(ended("2026-01-01T12:01:01Z"), at(60));
    var task = trace.task(at(60));
    assertThat(task.arrived()).isEqualTo(at(30));
    assertThat(trace.started()).isEqualTo(at(45));
    assertThat(task.run()).isEqualTo(Duration.ofSeconds(15));
  }

  /// The snapshot came within that second.
  @Test
  void aMomentWithinTheSecondOfASnapshotIsAfterIt() {
    var trace = new TaskTrace(waits(), at(5), at(20), false);
    trace.sees(runs("2026-01-01T12:00:20Z"), at(35));
    assertThat(trace.task(at(40)).arrived()).isEqualTo(at(5));
    assertThat(trace.started()).isEqualTo(at(20));
  }

  @Test
  void whatIsFirstSeenOnANodeHasNotWaitedUntilThen() {
    var trace = new TaskTrace(runs("2026-01-01T12:00:08Z"), at(0), at(15), false);
    assertThat(trace.task(at(15)).arrived()).isEqualTo(second(5));
    assertThat(trace.started()).isEqualTo(second(8));
    assertThat(trace.isFirst()).isFalse();
  }

  @Test
  void theFirstSnapshotShowsWhatWaitsAndRunsFromTheBeginning() {
    var waits = new TaskTrace(waits(), Instant.MIN, at(15), true);
    assertThat(waits.task(at(30)).arrived()).isEqualTo(at(15));
    var runs = new TaskTrace(runs("2026-01-01T12:00:08Z"), Instant.MIN, at(15), true);
    assertThat(runs.isFirst()).isTrue();
    assertThat(runs.task(at(30)).arrived()).isEqualTo(at(15));
    assertThat(runs.task(at(30)).started()).isEqualTo(second(8));
    assertThat(runs.task(at(30)).observed().gpuMillis()).isEqualTo(2000.0 * 15_000);
  }

  @Test
  void aPodThatWasDeletedWhileItRanIsOneTaskWithTheNext() {
    var trace = new TaskTrace(runs(STARTED), at(15), at(30), false);
    trace.sees(deleted(), at(45));
    trace.gone(at(60));
    assertThat(trace.isDeleted()).isTrue();
    assertThat(trace.isFollowed(at(75), second(61))).isTrue();
    assertThat(trace.isFollowed(at(1000), second(900))).isFalse();
    assertThat(trace.isFollowed(at(75), second(10))).isFalse();
    trace.continues(waits(), at(75));
    trace.sees(runs("2026-01-01T12:01:20Z"), at(90));
    var task = trace.task(at(100));
    assertThat(task.isRunKnown()).isFalse();
    assertThat(task.observed().started()).isEqualTo(second(21));
    assertThat(task.observed().evictions()).isEqualTo(1);
    assertThat(task.observed().runsOn()).isTrue();
    assertThat(task.observed().gpuMillis()).isEqualTo(2000.0 * (39_250 + 20_250));
  }

  @Test
  void whatEndsByItselfIsNotFollowed() {
    var trace = new TaskTrace(runs(STARTED), at(15), at(30), false);
    trace.sees(ended("2026-01-01T12:00:41Z"), at(45));
    assertThat(trace.isDeleted()).isFalse();
    assertThat(trace.isFollowed(at(60), second(46))).isFalse();
  }
}
