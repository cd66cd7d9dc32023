package dev.berth.bench.http;

import static dev.berth.bench.Worlds.cpuOnly;
import static dev.berth.bench.Worlds.gpus;
import static dev.berth.bench.Worlds.node;
import static dev.berth.bench.Worlds.share;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.bench.Worlds;
import dev.berth.bench.packing.Instance;
import dev.berth.bench.trace.Ask;
import dev.berth.bench.trace.Machine;
import dev.berth.bench.trace.Trace;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparisonTest {
  private static final int PODS = 150;
  private static final NodeName NODE = new NodeName("n00000");

  /// Two models, shares, whole GPUs and pods without any: more than there is room for.
  private static Trace trace() {
    var machines = new ArrayList<Machine>();
    machines.addAll(Collections.nCopies(9, node(8, "G2")));
    machines.addAll(Collections.nCopies(12, node(4, "T4")));
    machines.addAll(Collections.nCopies(5, node(2, "P100")));
    var pods = new ArrayList<Ask>();
    for (int i = 0; i < 25; i++) {
      pods.add(share(470));
      pods.add(gpus(1));
      pods.add(share(810));
      pods.add(new Ask(6_000, 20_000, 1, 1000, "T4|P100"));
      pods.add(cpuOnly(8_000));
      pods.add(gpus(i % 5 == 0 ? 8 : 2));
    }
    return Worlds.trace(machines, pods.toArray(Ask[]::new));
  }

  @Test
  void podsThroughTheExtenderGoWhereTheEngineAlonePutsThem() {
    var comparison = Comparison.of(Instance.of(trace(), 42), PODS);
    assertThat(comparison.inProcess())
        .hasSize(PODS)
        .as("placed on some GPUs")
        .anyMatch(line -> line.matches("p\\d+ n\\d+ \\d(,\\d)*"))
        .as("placed without GPUs")
        .anyMatch(line -> line.matches("p\\d+ n\\d+ -"))
        .as("refused")
        .anyMatch(line -> line.endsWith(" refused"));
    assertThat(comparison.sentence()).endsWith("the same placements as in process");
    assertThat(String.join("\n", comparison.overHttp()))
        .isEqualTo(String.join("\n", comparison.inProcess()));
    assertThat(comparison.goal().isMet()).isTrue();
  }

  @Test
  void anotherGpuIsAnotherPlacement() {
    var comparison =
        new Comparison(List.of("p0 n1 2", "p1 refused"), List.of("p0 n1 3", "p1 refused"), 1);
    assertThat(comparison.goal().text()).isEqualTo("2 pods over HTTP: the same placements");
    assertThat(comparison.goal().isMet()).isFalse();
    assertThat(comparison.sentence()).contains("p0 n1 2", "p0 n1 3");
  }

  /// A run that ended early is no shorter run of the same pods.
  @Test
  void whatTheProductDidNotDoIsADifference() {
    var comparison = new Comparison(List.of("p0 n1 2", "p1 n1 3"), List.of("p0 n1 2"), 1);
    assertThat(comparison.goal().isMet()).isFalse();
    assertThat(comparison.sentence()).contains("in process \"p1 n1 3\", over HTTP \"\"");
  }

  @Test
  void aSlotIsOneGpuForGoodAndAGpuIsOneSlot() {
    var devices = new SlotDevices();
    devices.bound("a", onSlots(0), List.of("GPU-a"));
    devices.bound("b", onSlots(0, 1), List.of("GPU-a", "GPU-b"));
    devices.bound("whole", Placement.on(NODE), List.of());
    assertThatThrownBy(() -> devices.bound("c", onSlots(1), List.of("GPU-a")))
        .isInstanceOf(UnexpectedAnswer.class);
    assertThatThrownBy(() -> devices.bound("d", onSlots(2), List.of("GPU-b")))
        .isInstanceOf(UnexpectedAnswer.class);
    assertThatThrownBy(() -> devices.bound("e", onSlots(0, 1), List.of("GPU-a")))
        .isInstanceOf(UnexpectedAnswer.class);
  }

  private static Placement onSlots(Integer... slots) {
    return new Placement(NODE, List.of(slots), 500);
  }
}
