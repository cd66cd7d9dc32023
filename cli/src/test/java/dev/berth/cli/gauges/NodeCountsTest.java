package dev.berth.cli.gauges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.engine.model.Amounts;
import dev.berth.engine.model.Node;
import dev.berth.engine.model.Node.Accelerator;
import dev.berth.engine.model.NodeName;
import dev.berth.engine.model.NodeView;
import dev.berth.engine.model.NodeView.Holder;
import dev.berth.engine.model.NodeView.Slot;
import dev.berth.engine.model.Resource;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NodeCountsTest {
  private static final String H100 = "H100";
  private final Tallies tallies = new Tallies();
  private final NodeCounts counts = new NodeCounts();

  private static NodeView node(boolean ready, int healthy, long used, Slot... slots) {
    var gpus =
        new Accelerator(
            Resource.NVIDIA, healthy, 8, H100, 81_920, Node.Mig.NONE, "", Node.Fractions.UNTOLD);
    return new NodeView(
        new Node(
            new NodeName("n"), 1, new TreeMap<>(), List.of(), false, ready, Amounts.NONE, gpus),
        Amounts.of(Resource.NVIDIA, used),
        Amounts.NONE,
        Amounts.of(Resource.NVIDIA, 1),
        List.of(slots),
        new TreeSet<>());
  }

  private double gpus(String state) {
    return tallies.of(ClusterGauge.GPUS).stream()
        .filter(sample -> sample.labels().equals(List.of(H100, state)))
        .mapToDouble(ClusterGauge.Sample::value)
        .sum();
  }

  private double sum(ClusterGauge gauge) {
    return tallies.of(gauge).stream().mapToDouble(ClusterGauge.Sample::value).sum();
  }

  /// Eight GPUs: one unhealthy, two whole, one shared by 700 thousandths, one held and unused.
  private static NodeView mixed(boolean ready) {
    return node(
        ready,
        7,
        4,
        new Slot(0, Holder.REPORTED, "GPU-0", 700, 200),
        new Slot(1, Holder.STARTING, "", 0, 0));
  }

  @Test
  void eachGpuIsInOneState() {
    counts.count(mixed(true), tallies);
    assertThat(gpus("whole")).isEqualTo(2);
    assertThat(gpus("shared")).isEqualTo(1);
    assertThat(gpus("idle_held")).isEqualTo(1);
    assertThat(gpus("free")).isEqualTo(3);
    assertThat(gpus("unhealthy")).isEqualTo(1);
    assertThat(sum(ClusterGauge.GPUS)).isEqualTo(8);
    assertThat(sum(ClusterGauge.GPUS_ALLOCATED)).isEqualTo(2.7);
    assertThat(sum(ClusterGauge.GPUS_FRAGMENTED)).isEqualTo(0.3);
    assertThat(sum(ClusterGauge.GPUS_TERMINATING)).isEqualTo(0.2);
    assertThat(sum(ClusterGauge.GPUS_OTHER_SCHEDULERS)).isEqualTo(1);
    assertThat(sum(ClusterGauge.HOLDERS)).isEqualTo(2);
    assertThat(tallies.of(ClusterGauge.NODES_WITH_FREE_GPUS))
        .contains(
            new ClusterGauge.Sample(List.of("2"), 1), new ClusterGauge.Sample(List.of("4"), 0));
  }

  @Test
  void whatIsFreeOnANodeThatTakesNoPodsIsUnavailable() {
    counts.count(mixed(false), tallies);
    assertThat(gpus("free")).isZero();
    assertThat(gpus("unavailable")).isEqualTo(3);
    assertThat(sum(ClusterGauge.NODES_WITH_FREE_GPUS)).isZero();
  }

  @Test
  void aPlanOntoRoomThatIsBeingLeftCountsItOnce() {
    counts.count(node(true, 8, 11, new Slot(0, Holder.REPORTED, "GPU-0", 1400, 700)), tallies);
    assertThat(gpus("whole")).isEqualTo(7);
    assertThat(sum(ClusterGauge.GPUS)).isEqualTo(8);
    assertThat(sum(ClusterGauge.GPUS_ALLOCATED)).isEqualTo(8);
  }

  @Test
  void aDevicePluginThatOffersNothingMakesAllUnavailable() {
    counts.count(node(true, 0, 0), tallies);
    assertThat(gpus("unavailable")).isEqualTo(8);
    assertThat(sum(ClusterGauge.GPUS)).isEqualTo(8);
  }

  @Test
  void whatWasCountedCanBeTakenAway() {
    counts.count(mixed(true), tallies);
    counts.count(mixed(true), tallies.negated());
    for (ClusterGauge gauge : ClusterGauge.values()) {
      assertThat(tallies.of(gauge)).allMatch(sample -> sample.value() == 0);
    }
  }
}
