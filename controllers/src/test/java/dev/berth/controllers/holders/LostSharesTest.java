package dev.berth.controllers.holders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.StoppedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.ClientException;
import dev.berth.engine.model.Resource;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A share whose GPU no holder holds is stopped: at once where it is known that another pod has it.
final class LostSharesTest {
  private final World world = new World();
  private final StoppedPods pods = new StoppedPods();
  private final InMemoryEvents events = new InMemoryEvents();

  @BeforeEach
  void start() {
    var lost =
        new LostShares(
            world.ledger,
            new ShareTermination(
                pods, events, Metrics.unseen(), HolderSettings.DEFAULT.lossTermination()),
            world,
            world.workers,
            HolderSettings.DEFAULT);
    world.changed.add(lost::look);
    world.node("n1", 4);
  }

  @Test
  void aShareWhoseGpuIsHeldRunsOn() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    seconds(100);
    assertThat(pods.stopped).isEmpty();
  }

  @Test
  void aHolderThatComesBackWithTheSameGpuInTimeSavesTheShare() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    world.podGone("holder-0");
    seconds(4.5);
    holder(0, "uid-second", "GPU-0");
    seconds(100);
    assertThat(pods.stopped).isEmpty();
    world.podGone("holder-0", "uid-second"); // the grace begins anew
    seconds(4.5);
    assertThat(pods.stopped).isEmpty();
    seconds(1);
    assertThat(pods.stopped).containsExactly("a after PT2S");
  }

  @Test
  void aShareWithoutHolderIsStoppedAfterTheGraceAndTold() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    share("b", 0, "GPU-0");
    world.podGone("holder-0");
    seconds(4.9);
    assertThat(pods.stopped).isEmpty();
    seconds(0.2);
    assertThat(pods.stopped).containsExactlyInAnyOrder("a after PT2S", "b after PT2S");
    assertThat(events.told)
        .hasSize(2)
        .allMatch(event -> event.contains("DeviceLost: Stopped: GPU GPU-0 of node n1 is not kept"))
        .allMatch(event -> event.contains("(no holder holds it)"));
  }

  @Test
  void aHolderThatGotAnotherGpuStopsTheSharesOfItsSlotAtOnce() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    world.podGone("holder-0");
    holder(0, "uid-second", "GPU-3");
    seconds(0.1);
    assertThat(pods.stopped).containsExactly("a after PT2S");
    assertThat(events.told.getFirst()).contains("(its holder got GPU-3)");
  }

  @Test
  void aGpuThatTheHolderOfAnotherSlotHoldsIsKept() {
    holder(0, "GPU-0");
    holder(1, "GPU-1");
    share("a", 0, "GPU-0");
    share("b", 1, "GPU-1");
    world.podGone("holder-0");
    world.podGone("holder-1");
    holder(0, "uid-second", "GPU-1");
    seconds(1);
    assertThat(pods.stopped)
        .as("GPU-0 may come with the other holder")
        .containsExactly("a after PT2S");
    holder(1, "uid-third", "GPU-9");
    seconds(1);
    assertThat(pods.stopped).as("GPU-1 is held").containsExactly("a after PT2S");
  }

  /// As after a reboot, when holders come back with each other's GPUs.
  @Test
  void aGpuThatTheKubeletGaveToAHolderWhichHasNotToldItIsKept() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    world.podGone("holder-0");
    world.pod(
        "holder-1",
        HOLDER.formatted(1),
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: 'Running', containerStatuses: [{state: {running: {}}, allocatedResourcesStatus:"
            + " [{name: 'nvidia.com/gpu', resources: [{resourceID: 'GPU-0'}]}]}]");
    holder(0, "uid-second", "GPU-1");
    seconds(60);
    assertThat(pods.stopped).isEmpty();
  }

  @Test
  void aGpuThatTheKubeletGaveToAnotherPodStopsTheShareAtOnce() {
    holder(0, "GPU-0");
    share("a", 0, "GPU-0");
    world.podGone("holder-0");
    world.pod(
        "whole",
        "",
        "schedulerName: 'default-scheduler', nodeName: 'n1'",
        "phase: 'Running', containerStatuses: [{allocatedResourcesStatus: [{name: 'nvidia.com/gpu',"
            + " resources: [{resourceID: 'GPU-0'}]}]}]");
    seconds(0.1);
    assertThat(pods.stopped).containsExactly("a after PT2S");
    assertThat(events.told.getFirst())
        .contains("(the kubelet gave it to pod default/whole), so another pod may use it");
  }

  @Test
  void aHolderThatHasNotToldItsGpuIsWaitedForLonger() {
    share("a", 0, "GPU-0");
    world.pod("holder-0", "uid-h", HOLDER.formatted(0), "nodeName: 'n1'", "phase: 'Pending'");
    seconds(29);
    assertThat(pods.stopped).isEmpty();
    seconds(2);
    assertThat(pods.stopped).containsExactly("a after PT2S");
  }

  @Test
  void aShareOfTwoGpusNeedsBoth() {
    holder(0, "GPU-0");
    holder(1, "GPU-1");
    world.pod(
        "a",
        "annotations: {'gpu-fraction': '0.3', 'gpu-fraction-num-devices': '2',"
            + " 'berth.dev/gpu-devices': 'GPU-1,GPU-0', 'berth.dev/plan':"
            + " 'node=n1 slots=0,1 millis=300 until=2027-01-01T00:00:00Z'}",
        "nodeName: 'n1'",
        "phase: 'Running'");
    seconds(60);
    assertThat(pods.stopped).as("told in another order").isEmpty();
    world.podGone("holder-1");
    seconds(5.1);
    assertThat(pods.stopped).containsExactly("a after PT2S");
  }

  @Test
  void aStopThatFailsIsTriedAgainAndOneThatLeavesIsNotStopped() {
    pods.failures.add(ClientException.Kind.UNREACHABLE);
    share("a", 0, "GPU-0");
    seconds(5.1);
    assertThat(pods.stopped).hasSize(1);
    assertThat(events.told).isEmpty();
    seconds(1);
    assertThat(pods.stopped).hasSize(2);
    world.pod(
        "a",
        "uid-a",
        "deletionTimestamp: '2026-01-01T00:00:00Z', annotations: {'gpu-fraction': '0.3',"
            + " 'berth.dev/gpu-devices': 'GPU-0', 'berth.dev/plan':"
            + " 'node=n1 slots=0 millis=300 until=2027-01-01T00:00:00Z'}",
        "nodeName: 'n1'",
        "phase: 'Running'");
    seconds(100);
    assertThat(pods.stopped).hasSize(2);
  }

  @Test
  void nothingIsStoppedOnStaleData() {
    world.fresh = false;
    share("a", 0, "GPU-0");
    seconds(60);
    assertThat(pods.stopped).isEmpty();
    world.fresh = true;
    seconds(2);
    assertThat(pods.stopped).hasSize(1);
  }

  /// The GPU of a share counts as given out though no holder holds it.
  @Test
  void aGpuInUseWithoutHolderCountsAsGivenOut() {
    share("a", 0, "GPU-0");
    world.pod(
        "whole",
        "",
        "nodeName: 'n1', containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu':"
            + " '4'}}}]",
        "phase: 'Running'");
    assertThat(world.ledger.overfull())
        .singleElement()
        .satisfies(node -> {
          assertThat(node.givenOut()).isEqualTo(5);
          assertThat(node.device()).isEqualTo(Resource.NVIDIA);
        });
  }

  private static final String HOLDER =
      "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '%d'}";

  private void holder(int slot, String gpu) {
    holder(slot, "uid-holder-" + slot, gpu);
  }

  private void holder(int slot, String uid, String gpu) {
    world.pod(
        "holder-" + slot,
        uid,
        HOLDER.formatted(slot),
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: 'Running', containerStatuses: [{state: {running: {}}, lastState: {terminated:"
            + " {exitCode: 0, message: '%s'}}}]".formatted(gpu));
  }

  private void share(String name, int slot, String gpu) {
    world.pod(
        name,
        ("annotations: {'gpu-fraction': '0.3', 'berth.dev/gpu-devices': '%s', 'berth.dev/plan':"
                + " 'node=n1 slots=%d millis=300 until=2027-01-01T00:00:00Z'}")
            .formatted(gpu, slot),
        "nodeName: 'n1'",
        "phase: 'Running'");
  }

  private void seconds(double seconds) {
    world.workers.turn(Duration.ofMillis((long) (seconds * 1000)));
  }
}
