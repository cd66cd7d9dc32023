package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.replay.LogEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth shadow` on a cluster of the default scheduler that knows nothing of Berth.
class ShadowCommandTest {
  @TempDir private Path folder = Path.of("");

  private final CommandOutput output = new CommandOutput();
  private ServedLists served = new ServedLists(folder);
  private Path log = folder;

  @BeforeEach
  void aClusterWithoutBerth() {
    served = new ServedLists(folder);
    log = folder.resolve("log");
    served.answers.keySet().removeIf(path -> path.contains("berth"));
    served.answers.replaceAll((_, body) ->
        body.replace("\"schedulerName\": \"berth\"", "\"schedulerName\": \"other\"")
            .replace("-uid\"", "-uid\", \"creationTimestamp\": \"2026-01-01T12:00:00Z\""));
  }

  @AfterEach
  void close() {
    served.close();
  }

  private int record(String... more) throws Exception {
    output.reset();
    var arguments =
        new ArrayList<>(List.of("--to", log.toString(), "--kubeconfig", served.kubeconfig()));
    arguments.addAll(List.of(more));
    for (var each : List.of(List.of("--every", "1s"), List.of("--for", "2s"))) {
      if (!arguments.contains(each.getFirst())) {
        arguments.addAll(each);
      }
    }
    return output.run(ShadowRecordCommand::new, arguments.toArray(String[]::new));
  }

  private List<Snapshot> snapshots() throws Exception {
    var snapshots = new ArrayList<Snapshot>();
    for (Path file : DecisionFolder.files(log)) {
      try (var reader = new DecisionFileReader(file)) {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          if (next.get() instanceof LogEntry.Accounted(var snapshot)) {
            snapshots.add(snapshot);
          }
        }
        assertThat(reader.isCut()).as("it ends in the middle of an entry").isFalse();
      }
    }
    return snapshots;
  }

  @Test
  void recordsWhatOthersDoWithGetsAlone() throws Exception {
    assertThat(record()).as(output::wrong).isZero();
    assertThat(output.wrong())
        .contains(
            "first snapshot: 1 node with 4 GPUs; of the pods that ask for GPUs 1 run and 1 wait")
        .contains("their schedulers: other");
    assertThat(output.told()).contains("Wrote ").contains("0 reads failed");
    var snapshots = snapshots();
    assertThat(snapshots).hasSizeGreaterThanOrEqualTo(1);
    assertThat(snapshots.getFirst().groups().stream().map(group -> group.key().toString()))
        .containsExactly("team/runs", "team/waits");
    assertThat(served.calls).isNotEmpty().allMatch(call -> call.startsWith("GET "));
    assertThat(served.calls).noneMatch(call -> call.contains("secret"));
  }

  @Test
  void whatDidNotChangeIsOneObject() throws Exception {
    assertThat(record("--for", "4s")).as(output::wrong).isZero();
    var snapshots = snapshots();
    assertThat(snapshots).hasSizeGreaterThanOrEqualTo(2);
    for (Snapshot each : snapshots) {
      assertThat(each.nodes().getFirst()).isSameAs(snapshots.getFirst().nodes().getFirst());
      assertThat(each.groups().getLast()).isSameAs(snapshots.getFirst().groups().getLast());
    }
  }

  @Test
  void anotherRunGoesOnInTheSameFolderAndTheReportReadsBoth() throws Exception {
    assertThat(record()).as(output::wrong).isZero();
    assertThat(record()).as(output::wrong).isZero();
    assertThat(DecisionFolder.files(log)).hasSize(2);
    output.reset();
    assertThat(output.run(ShadowReportCommand::new, log.toString())).as(output::wrong).isZero();
    assertThat(output.told())
        .contains("FIGURE ")
        .contains("Assumed: default is a queue that workloads name, and there is no such Queue");
    output.reset();
    assertThat(output.run(ShadowReportCommand::new, log.toString(), "-o", "json")).isZero();
    var tree = new ObjectMapper().readTree(output.told());
    assertThat(tree.at("/all/workloads").asInt()).isEqualTo(1);
    assertThat(tree.at("/all/ranBefore").asInt()).isEqualTo(1);
    assertThat(tree.at("/assumedQueues/0").asText()).isEqualTo("default");
    output.reset();
    assertThat(output.run(ShadowReportCommand::new, log.toString(), "-o", "markdown")).isZero();
    assertThat(output.told()).startsWith("### Berth in the shadow: of 1 workload ");
  }

  @Test
  void theNamedSchedulersAloneAreRecorded() throws Exception {
    assertThat(record("--scheduler", "default-scheduler,volcano")).as(output::wrong).isZero();
    assertThat(snapshots().getFirst().groups()).isEmpty();
    assertThat(snapshots().getFirst().strangers()).hasSize(1);
  }

  @Test
  void whatMayNotBeReadIsToldOnce() throws Exception {
    served.forbidden.add("/apis/batch/v1/jobs");
    assertThat(record("--for", "4s")).as(output::wrong).isZero();
    assertThat(output.wrong())
        .containsOnlyOnce(
            "jobs may not be listed by this user (kubectl auth can-i list jobs -A): left out");
  }

  @Test
  void aClusterThatMayNotBeReadIsAnError() throws Exception {
    served.forbidden.add("/api/v1/pods");
    assertThat(record()).isEqualTo(2);
    assertThat(output.wrong()).contains("pods may not be listed by this user");
    assertThat(Files.exists(log)).isTrue();
  }

  @Test
  void optionsThatAreWrongAreErrors() throws Exception {
    assertThat(record("--every", "10ms")).isEqualTo(2);
    assertThat(output.wrong()).contains("--every is 10ms, but must be 1s or more");
    assertThat(record("--max-bytes", "1Mi")).isEqualTo(2);
    assertThat(output.wrong()).contains("--max-bytes is \"1Mi\"", "from 16Mi");
    assertThat(record("--queue-label", "team", "--queue-by", "namespace")).isEqualTo(2);
    assertThat(output.wrong()).contains("--queue-label team and --queue-by namespace", "give one");
    output.reset();
    assertThat(output.run(ShadowReportCommand::new, folder.resolve("none").toString()))
        .isEqualTo(2);
    assertThat(output.wrong()).contains("there is no file and no folder");
  }
}
