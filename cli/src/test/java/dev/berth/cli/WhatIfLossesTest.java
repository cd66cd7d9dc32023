package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `berth what-if` names every workload that a change destroys, and none that it leaves as it is.
final class WhatIfLossesTest {
  private final CommandOutput output = new CommandOutput();

  @TempDir private Path folder = Path.of("");

  private Path gangs() throws IOException {
    return Files.writeString(
        folder.resolve("gangs.yaml"),
        """
        apiVersion: v1
        kind: List
        items:
            - {apiVersion: v1, kind: Node, metadata: {name: a}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "3"}}}
            - {apiVersion: v1, kind: Node, metadata: {name: b}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "1"}}}
            - {apiVersion: berth.dev/v1alpha1, kind: PodGroup, metadata: {name: ring}, spec: {minMember: 2}}
            - {apiVersion: berth.dev/v1alpha1, kind: PodGroup, metadata: {name: half}, spec: {minMember: 1}}
            - {apiVersion: v1, kind: Pod, metadata: {name: ring-0, labels: {berth.dev/pod-group: ring}}, spec: {schedulerName: berth, nodeName: a, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}
            - {apiVersion: v1, kind: Pod, metadata: {name: ring-1, labels: {berth.dev/pod-group: ring}}, spec: {schedulerName: berth, nodeName: a, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}
            - {apiVersion: v1, kind: Pod, metadata: {name: half-0, labels: {berth.dev/pod-group: half}}, spec: {schedulerName: berth, nodeName: a, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}
            - {apiVersion: v1, kind: Pod, metadata: {name: half-1, labels: {berth.dev/pod-group: half}}, spec: {schedulerName: berth, nodeName: b, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}, status: {phase: Running}}
        """);
  }

  @Test
  void aDrainNamesGangsOfWhichPodsAreGone() throws IOException {
    String file = gangs().toString();
    assertThat(output.run(WhatIfCommand::new, "-f", file, "--drain", "a")).isZero();
    assertThat(output.told())
        .isEqualTo(
            """
            default/ring: is gone
            default/half: loses 1 of its 2 pods, which has no controller
            """);
    output.reset();
    assertThat(output.run(WhatIfCommand::new, "-f", file, "--end", "ring")).isZero();
    assertThat(output.told()).isEqualTo("default/ring: is gone\n");
  }

  @Test
  void whatIsAsBeforeIsNotToldOf() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("waits.yaml"),
            Files.readString(gangs())
                + """
                - {apiVersion: v1, kind: Node, metadata: {name: c}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "9", nvidia.com/gpu: "1"}}}
                - {apiVersion: v1, kind: Pod, metadata: {name: waits}, spec: {schedulerName: berth, containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]}}
                """
                    .indent(4));
    assertThat(output.run(WhatIfCommand::new, "-f", file.toString(), "--end", "ring")).isZero();
    assertThat(output.told()).isEqualTo("default/ring: is gone\n");
  }

  @Test
  void whereThereIsNoQueueNoneIsListed() throws IOException {
    assertThat(output.run(WhatIfCommand::new, "-f", gangs().toString(), "--limit", "reserch=3"))
        .isEqualTo(2);
    assertThat(output.wrong())
        .isEqualTo("berth: there is no queue reserch; there is no Queue at all\n");
  }
}
