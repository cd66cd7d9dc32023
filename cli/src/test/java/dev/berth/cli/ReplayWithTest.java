package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.cli.decisions.DirectLog;
import dev.berth.engine.model.Queue;
import dev.berth.simulator.chaos.ChaosRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth replay LOG --with queues.yaml`.
class ReplayWithTest {
  @TempDir private Path folder = Path.of("");

  private final CommandOutput output = new CommandOutput();
  private Path manifests = Path.of("");

  @BeforeEach
  void raiseTheLimit() throws IOException {
    manifests = folder.resolve("queues.yaml");
    Files.writeString(
        manifests,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Queue
        metadata: {name: speech}
        spec: {quota: {gpu: 16}, limit: {gpu: 16}}
        """);
  }

  private void log() throws IOException {
    new LoggedTrace(3)
        .queue("speech", 16, 8)
        .queue("vision", 8, Queue.UNLIMITED)
        .job("speech", 8, 0, 1000)
        .job("vision", 8, 5, 1500)
        .job("speech", 8, 10, 1000)
        .log(folder, 10_000);
  }

  private int replay(String... more) {
    output.reset();
    var arguments = new String[more.length + 3];
    arguments[0] = folder.toString();
    arguments[1] = "--with";
    arguments[2] = manifests.toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return output.run(ReplayCommand::new, arguments);
  }

  @Test
  void aTableTellsEachQueue() throws IOException {
    log();
    assertThat(replay()).as(output::wrong).isZero();
    assertThat(output.told())
        .contains("after, with those of " + manifests + ", of which speech differs from the log.")
        .containsPattern("\nQUEUE +WORKLOADS +SOONER +LATER +ONLY AFTER +ONLY BEFORE +MEDIAN WAIT")
        .containsPattern("\nspeech +2 +1 +0 +0 +0 +0s +16m\\d+s → 0s +0 +4\\.4\\R")
        .containsPattern("\nvision +1 +0 +0 +0 +0 +0s +0s +0 +3\\.3\\R")
        .containsPattern("\nall +3 +1 +0 +0 +0 +0s +16m\\d+s → 0s +0 +7\\.8\\R")
        .contains("3 of the 3 workloads that came and started in the log start within a minute");
  }

  @Test
  void aMergeRequestGetsAComment() throws IOException {
    log();
    assertThat(replay("-o", "markdown")).as(output::wrong).isZero();
    assertThat(output.told())
        .startsWith("### Berth: of 3 workloads 1 would start sooner, 0 later or not\n")
        .contains("| Queue | Workloads | Sooner | Later | Only after | Only before | Median wait |")
        .contains("\n| speech | 2 | 1 | 0 | 0 | 0 | 0s | 16m")
        .contains("<details><summary>Workloads that differ</summary>")
        .containsPattern(
            "\\| default/p\\d+ \\| speech \\| 2026-01-01T12:16:\\S+ \\| 2026-01-01T12:00:");
  }

  @Test
  void programsGetJson() throws IOException {
    log();
    assertThat(replay("-o", "json")).as(output::wrong).isZero();
    var tree = new ObjectMapper().readTree(output.told());
    assertThat(tree.at("/changedQueues/0").asText()).isEqualTo("speech");
    assertThat(tree.at("/queues/0/startSooner").asInt()).isEqualTo(1);
    assertThat(tree.at("/queues/0/before/p90WaitSeconds").asDouble()).isBetween(980.0, 1000.0);
    assertThat(tree.at("/queues/0/after/p90WaitSeconds").asDouble()).isBetween(0.0, 2.0);
    assertThat(tree.at("/all/workloads").asInt()).isEqualTo(3);
    assertThat(tree.at("/workloads")).hasSize(1);
  }

  @Test
  void whatIsWrongInManifestsIsNamed() throws IOException {
    log();
    Files.writeString(
        manifests,
        """
        apiVersion: berth.dev/v1alpha1
        kind: Queue
        metadata: {name: speech}
        spec: {limits: {gpu: 4}, quota: {gpus: 2, gpu: lots}}
        """);
    assertThat(replay()).isEqualTo(2);
    assertThat(output.told()).isEmpty();
    assertThat(output.wrong().lines())
        .hasSize(3)
        .allMatch(line -> line.startsWith("berth: " + manifests + ": "))
        .anyMatch(line -> line.contains("limits") && line.contains("Queue speech"))
        .anyMatch(line -> line.contains("gpus") && line.contains("did you mean gpu?"))
        .anyMatch(line -> line.contains("lots") && line.contains("Queue speech"));
    Files.delete(manifests);
    assertThat(replay()).isEqualTo(2);
    assertThat(output.wrong()).contains(manifests + ": there is no such file or folder");
  }

  @Test
  void plansOfSeveralProcessesAtATimeAreRefused() throws IOException {
    log();
    log();
    assertThat(replay()).isEqualTo(2);
    assertThat(output.wrong()).contains("goes back from ").contains("Give the file of one of them");
    assertThat(replay("--at", "1")).isEqualTo(2);
    assertThat(output.wrong()).contains("--with stands alone");
    output.reset();
    assertThat(output.run(ReplayCommand::new, folder.toString(), "-o", "json")).isEqualTo(2);
    assertThat(output.wrong()).contains("-o json says how --with tells");
  }

  /// Gangs, shares, faults, nodes that come and go: whatever a log holds can be played, and an
  /// unused queue without quota changes nothing.
  @Test
  void logsOfChaosCanBePlayed() throws Exception {
    try (var log = new DirectLog(new DecisionFolder(folder, Long.MAX_VALUE))) {
      var factory =
          SimulatedReplica.replicaFactory(settings -> Wiring.policy(settings, log.ofPlanner()));
      for (long seed = 1; seed <= 8; seed++) {
        var _ = ChaosRun.run(seed, factory, _ -> {});
      }
    }
    Files.writeString(
        manifests,
        """
        {apiVersion: berth.dev/v1alpha1, kind: Queue, metadata: {name: unused}, spec: {weight: {gpu: 0}}}
        """);
    int started = 0;
    int near = 0;
    for (Path file : DecisionFolder.files(folder)) {
      output.reset();
      assertThat(
              output.run(
                  ReplayCommand::new,
                  file.toString(),
                  "--with",
                  manifests.toString(),
                  "-o",
                  "json"))
          .as(output::wrong)
          .isZero();
      var tree = new ObjectMapper().readTree(output.told());
      assertThat(tree.at("/workloads")).as(file.toString()).isEmpty();
      assertThat(tree.at("/all/before")).isEqualTo(tree.at("/all/after"));
      started += tree.at("/startedInLog").asInt();
      near += tree.at("/startedWithinAMinuteOfLog").asInt();
    }
    assertThat(started).isGreaterThan(60);
    assertThat(near * 10).as("%d of %d", near, started).isGreaterThan(started * 8);
  }
}
