package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.controllers.crd.PodGroupStatus;
import dev.berth.engine.model.Fact;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.GroupSpec.Completions;
import dev.berth.engine.model.Membership;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.WorkloadPhase;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// What the status says of a gang of a Job of several waves, of which members have completed.
final class DesiredGroupStatusTest {
  private static final GroupKey KEY = new GroupKey("default", "train");

  private final World world = new World().node("n1", 8).group("train", 2, "");
  private Completions says = new Completions(6, 0, 0);

  private void pod(String name, String phase) {
    boolean waits = phase.equals("Pending");
    world.pod(
        name,
        "labels: {'berth.dev/pod-group': 'train'}",
        waits ? "schedulingGates: [{name: 'berth.dev/queued'}]" : "nodeName: 'n1'",
        "phase: '%s'".formatted(phase));
    group(name);
  }

  private void says(int left, int succeeded) {
    says = new Completions(left, succeeded, 0);
    group("a");
  }

  private void group(String pod) {
    var spec = world.ledger.object(KEY).orElseThrow();
    var shaped = spec.with(says);
    world.ledger.record(
        new Fact.PodGrouped(new PodUid("uid-" + pod), new Membership(shaped, "", false, "")));
  }

  private PodGroupStatus status() {
    return DesiredGroupStatus.status(
        world.ledger.group(KEY).orElseThrow(),
        DesiredGroupStatus.ReasonText.NONE,
        Fate.NONE,
        Duration.ofMinutes(1),
        new TreeMap<>(),
        PodGroupStatus.NONE,
        world.workers.time().instant());
  }

  @Test
  void betweenTwoWavesItNeitherRunsNorHasItFinished() {
    pod("a", "Running");
    pod("b", "Running");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.RUNNING);
    pod("a", "Succeeded");
    assertThat(status().phase()).as("another comes in its stead").isEqualTo(WorkloadPhase.RUNNING);
    pod("b", "Succeeded");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.PENDING);
    says(4, 2);
    assertThat(status().phase()).isEqualTo(WorkloadPhase.PENDING);
    assertThat(status().members().succeeded()).isEqualTo(2);
    pod("c", "Pending");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.PENDING);
    pod("c", "Running");
    assertThat(status().phase()).as("one of two").isEqualTo(WorkloadPhase.QUEUED);
    assertThat(status().conditions().getLast().reason()).isEqualTo("NotStale");
    pod("d", "Running");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.RUNNING);
    assertThat(status().conditions().getLast().reason()).isEqualTo("AtMinimum");
  }

  @Test
  void itHasFinishedWhenNothingIsLeftToRun() {
    pod("a", "Running");
    pod("b", "Running");
    says(2, 0);
    pod("a", "Succeeded");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.RUNNING);
    pod("b", "Succeeded");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.FINISHED);
  }

  /// It has no `completions`: one that completed is enough.
  @Test
  void aWorkQueueHasFinishedWhenOneHasCompletedAndNoneRuns() {
    says = new Completions(Completions.UNTIL_ONE_HAS, 0, 0);
    pod("a", "Running");
    pod("b", "Running");
    pod("a", "Succeeded");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.RUNNING);
    pod("b", "Failed");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.FINISHED);
  }

  @Test
  void membersThatFailedComeAgainUntilTheJobHasFailed() {
    pod("a", "Failed");
    pod("b", "Failed");
    assertThat(status().phase()).isEqualTo(WorkloadPhase.PENDING);
    says(0, 0);
    assertThat(status().phase()).isEqualTo(WorkloadPhase.FINISHED);
  }
}
