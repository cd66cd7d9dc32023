package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `berth workloads` and `berth explain` tell of the forecast on a PodGroup, of a dump.
final class ToldForecastsTest {
  private static final String STATUS =
      "{phase: Queued, forecast: {median: '2026-01-01T14:10:00Z', p90: '2026-01-01T16:30:00Z',"
          + " updated: '2026-01-01T13:58:00Z'}}";
  private static final String LINE =
      "  Likely to start: by 14:10 with even odds, by 16:30 with nine of ten (UTC; forecast of 2m"
          + " ago).";

  private final CommandOutput output = new CommandOutput();
  @TempDir private Path folder = Path.of("");

  /// One GPU, which `runs` has, at 14:00.
  ///
  /// @param queue of the group `train`, of one pod
  /// @param node of that pod; empty = it waits
  private String dump(String status, String queue, String node) throws IOException {
    String place =
        node.isEmpty() ? "schedulingGates: [{name: berth.dev/queued}]" : "nodeName: " + node;
    Path file = folder.resolve("dump.yaml");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: Node
          metadata: {name: n1, creationTimestamp: "2026-01-01T14:00:00Z"}
          status: {allocatable: {cpu: "64", memory: 256Gi, pods: "110", nvidia.com/gpu: "2"}}
        - apiVersion: v1
          kind: Pod
          metadata: {name: runs, namespace: team}
          spec: {schedulerName: berth, nodeName: n1, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 1}}}]}
          status: {phase: Running}
        - apiVersion: berth.dev/v1alpha1
          kind: PodGroup
          metadata: {name: train, namespace: team}
          spec: {minMember: 1, queue: QUEUE}
          status: STATUS
        - apiVersion: v1
          kind: Pod
          metadata: {name: train-0, namespace: team, labels: {berth.dev/pod-group: train}}
          spec: {schedulerName: berth, PLACE, containers: [{name: main, image: work, resources: {limits: {nvidia.com/gpu: 2}}}]}
        """
            .replace("QUEUE", queue)
            .replace("STATUS", status)
            .replace("PLACE", place));
    return file.toString();
  }

  private String starts(String file) {
    output.reset();
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-o", "wide"))
        .as(output.wrong())
        .isZero();
    var lines = output.told().lines().toList();
    int from = lines.getFirst().indexOf("STARTS");
    int to = lines.getFirst().indexOf("REASON");
    return lines.stream()
        .filter(line -> line.contains(" train "))
        .map(line -> line.substring(from, to).strip())
        .findFirst()
        .orElseThrow();
  }

  private String explained(String file) {
    output.reset();
    assertThat(output.run(Explain::new, "-f", file, "team/train")).as(output.wrong()).isZero();
    return output.told();
  }

  @Test
  void aWorkloadThatWaitsHasTheOneOfItsStatus() throws IOException {
    String file = dump(STATUS, "default", "");
    assertThat(starts(file)).isEqualTo("~10m (p90 2h)");
    assertThat(explained(file).lines()).contains(LINE);
  }

  /// Nothing else in a dump of a cluster at rest says when it was made.
  @Test
  void aDumpIsNotOlderThanAForecastInIt() throws IOException {
    String file = dump(STATUS.replace("13:58", "14:05"), "default", "");
    assertThat(starts(file)).isEqualTo("~5m (p90 2h)");
    assertThat(explained(file)).contains("(UTC; forecast of 0s ago)");
  }

  @Test
  void programsGetTheMoments() throws IOException {
    String file = dump(STATUS, "default", "");
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-o", "json")).isZero();
    JsonNode json = new ObjectMapper().readTree(output.told());
    output.reset();
    assertThat(output.run(WorkloadsCommand::new, "-f", file, "-o", "yaml")).isZero();
    assertThat(new ObjectMapper(new YAMLFactory()).readTree(output.told())).isEqualTo(json);
    var items = json.at("/workloads");
    assertThat(items.at("/1/forecast").toString())
        .isEqualTo(
            "{\"median\":\"2026-01-01T14:10:00Z\",\"p90\":\"2026-01-01T16:30:00Z\","
                + "\"updated\":\"2026-01-01T13:58:00Z\"}");
    assertThat(items.get(0).has("forecast")).as("of one that runs").isFalse();
  }

  @Test
  void thereIsNoneWithoutOneInTheStatus() throws IOException {
    String file = dump("{phase: Queued}", "default", "");
    assertThat(starts(file)).isEqualTo("-");
    assertThat(explained(file)).doesNotContain("Likely");
  }

  /// Berth was down when it was bound.
  @Test
  void oneThatIsBoundHasNone() throws IOException {
    String file = dump(STATUS, "default", "n1");
    assertThat(starts(file)).isEqualTo("-");
    assertThat(explained(file)).doesNotContain("Likely");
  }

  @Test
  void oneThatStartsNotByItselfHasNone() throws IOException {
    String file = dump(STATUS, "lost", "");
    assertThat(starts(file)).isEqualTo("-");
    assertThat(explained(file)).doesNotContain("Likely");
  }
}
