package dev.berth.cli.doctor;

import static dev.berth.cli.doctor.Written.wrong;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionAndClockCheckTest {
  @ParameterizedTest
  @CsvSource({"v1.33.9, ERROR", "v1.34.1, WARN", "v1.35.0, WARN", "v1.36.3, OK", "v1.40.0+k, OK"})
  void theApiServer(String version, Severity severity) {
    assertThat(VersionCheck.findings(new Written().version(version).facts()).getFirst().severity())
        .isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({"v1.37.0, KubeletNewer", "v1.33.0, ''", "v1.32.9, KubeletOlder", "v1.36.1, ''"})
  void aKubelet(String version, String code) {
    var facts =
        new Written()
            .with(
                Source.NODES,
                "{metadata: {name: a}, status: {nodeInfo: {kubeletVersion: " + version + "}}}")
            .facts();
    assertThat(wrong(VersionCheck.findings(facts)))
        .isEqualTo(
            code.isEmpty()
                ? java.util.List.of()
                : java.util.List.of("ERROR versions/" + code + " node a"));
  }

  @Test
  void anOldGpuNode() {
    var facts =
        new Written()
            .with(
                Source.NODES,
                "{metadata: {name: a}, status: {allocatable: {nvidia.com/gpu: '1'}, nodeInfo:"
                    + " {kubeletVersion: v1.35.0, containerRuntimeVersion:"
                    + " 'containerd://1.6.36'}}}")
            .facts();
    assertThat(wrong(VersionCheck.findings(facts)))
        .containsExactly(
            "WARN versions/ResourceHealthStatus node a",
            "WARN versions/Containerd node a",
            "WARN versions/GpuMemoryUnknown node a");
    assertThat(wrong(VersionCheck.findings(new Written().gpuNode("a").facts()))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, OK", "-2, OK", "3, WARN", "-3, WARN", "31, ERROR"})
  void theClockOfThisMachine(int ahead, Severity severity) {
    var facts = new Written().skew(Duration.ofSeconds(ahead)).facts();
    assertThat(ClockCheck.findings(facts).getFirst().severity()).isEqualTo(severity);
  }

  @ParameterizedTest
  @CsvSource({"11:59:55, ''", "12:00:05, NodeAhead", "11:59:00, NodeBehind"})
  void theClockOfANode(String renewed, String code) {
    var facts =
        new Written()
            .gpuNode("a")
            .with(
                Source.NODE_LEASES,
                "{metadata: {name: a}, spec: {renewTime: '2026-03-01T" + renewed + ".000000Z'}}")
            .facts();
    assertThat(wrong(ClockCheck.findings(facts)))
        .isEqualTo(
            code.isEmpty()
                ? java.util.List.of()
                : java.util.List.of("WARN clock/" + code + " node a"));
  }

  @Test
  void aNodesClockIsComparedWithTheServersNotWithOurs() {
    var facts =
        new Written()
            .gpuNode("a")
            .skew(Duration.ofMinutes(5))
            .with(
                Source.NODE_LEASES,
                "{metadata: {name: a}, spec: {renewTime: '2026-03-01T11:54:58.000000Z'}}")
            .facts();
    assertThat(wrong(ClockCheck.findings(facts))).containsExactly("ERROR clock/Skew this machine");
  }
}
