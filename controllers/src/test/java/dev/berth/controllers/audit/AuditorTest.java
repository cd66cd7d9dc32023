package dev.berth.controllers.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.Metrics;
import dev.berth.controllers.World;
import dev.berth.engine.model.Resource;
import io.prometheus.client.CollectorRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class AuditorTest {
  private final World world = new World().node("n1", 2);
  private final InMemoryEvents events = new InMemoryEvents();
  private final CollectorRegistry registry = new CollectorRegistry();
  private final Auditor auditor =
      new Auditor(
          world.ledger,
          events,
          new Metrics(registry),
          world,
          world.workers,
          new AuditSettings(Duration.ofMinutes(1)));

  @BeforeEach
  void start() {
    auditor.start();
  }

  @Test
  void whereAllIsWellNothingIsSaid() {
    holder(0, "GPU-0");
    runs("a", 0, "GPU-0");
    whole("b", 1);
    minutes(5);
    assertThat(events.told).isEmpty();
    assertThat(count("devices_overcommitted")).isZero();
  }

  @Test
  void whatIsWrongTwiceIsToldOnceAnHourAndCountedUntilItIsRight() {
    whole("a", 2);
    whole("b", 1);
    minutes(1.5);
    assertThat(events.told).as("it may pass").isEmpty();
    minutes(1);
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith("n1 DevicesOvercommitted: 3 of 2 nvidia.com/gpu are given out.");
    assertThat(count("devices_overcommitted")).isEqualTo(1);
    minutes(50);
    assertThat(events.told).hasSize(1);
    minutes(20);
    assertThat(events.told).hasSize(2);
    world.podGone("b");
    minutes(1);
    assertThat(count("devices_overcommitted")).isZero();
  }

  @Test
  void whatPassesIsNotTold() {
    whole("a", 2);
    whole("b", 1);
    minutes(1.5);
    world.podGone("b");
    minutes(1);
    whole("c", 1);
    minutes(1);
    assertThat(events.told).as("seen in no two looks in a row").isEmpty();
  }

  @Test
  void aShareOnAnotherDeviceThanTheOneHeldIsToldAndStaysCounted() {
    holder(0, "GPU-0");
    runs("a", 0, "GPU-1");
    minutes(2.5);
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith(
            "uid-a DeviceNotHeld: It runs on GPU-1, and the holder of device slot 0 of node n1"
                + " holds GPU-0 by now");
    var room = world.snapshot().nodes().getFirst();
    assertThat(room.used().of(Resource.NVIDIA)).as("both devices").isEqualTo(2);
    assertThat(room.slots()).allMatch(slot -> !slot.isOpen(), "nobody joins");
    world.podGone("a");
    assertThat(world.snapshot().nodes().getFirst().used().of(Resource.NVIDIA)).isEqualTo(1);
  }

  @Test
  void theOrderInWhichDevicesAreToldIsNoDrift() {
    world.node("n1", 3);
    holder(0, "GPU-0");
    holder(1, "GPU-1");
    world.pod(
        "a",
        "annotations: {'gpu-fraction': '0.3', 'gpu-fraction-num-devices': '2',"
            + " 'berth.dev/gpu-devices': 'GPU-1,GPU-0'}",
        "nodeName: 'n1'",
        "phase: 'Running'");
    minutes(2.5);
    assertThat(events.told).isEmpty();
    holder(1, "GPU-9");
    minutes(2.5);
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith("uid-a DeviceNotHeld: It runs on GPU-1, and the holder of device slot 1 ");
  }

  @Test
  void aShareWithoutAHolderIsTold() {
    runs("a", 0, "GPU-0");
    minutes(2.5);
    assertThat(events.told)
        .singleElement(STRING)
        .startsWith("uid-a HolderMissing: No holder of device slot 0 of node n1 has told");
  }

  @Test
  void aShareThatWasNeverToldItsDeviceIsTold() {
    holder(0, "GPU-0");
    runs("a", 0, "");
    minutes(2.5);
    assertThat(events.told).singleElement(STRING).startsWith("uid-a DeviceUntold: ");
  }

  @Test
  void oneDeviceInTwoSlotsIsTold() {
    holder(0, "GPU-0");
    holder(1, "GPU-0");
    minutes(2.5);
    assertThat(events.told).singleElement(STRING).startsWith("n1 DeviceToldTwice: ");
  }

  @Test
  void aHolderThatStaysThoughItsSlotOrItsNodeIsGoneIsTold() {
    holder(0, "GPU-0");
    holder(7, "GPU-7");
    minutes(2.5);
    assertThat(events.told).singleElement(STRING).startsWith("uid-holder-7 HolderOrphaned: ");
    world.podGone("holder-7");
    world.nodeGone("n1");
    minutes(2.5);
    assertThat(events.told).hasSize(2).allMatch(told -> told.contains(" HolderOrphaned: Node n1 "));
    assertThat(count("holder_orphaned")).isEqualTo(1);
  }

  @Test
  void staleEyesSeeNothing() {
    world.fresh = false;
    whole("a", 2);
    whole("b", 1);
    minutes(10);
    assertThat(events.told).isEmpty();
    world.fresh = true;
    minutes(3);
    assertThat(events.told).hasSize(1);
  }

  private double count(String kind) {
    return Optional.ofNullable(
            registry.getSampleValue(
                "berth_device_drifts", new String[] {"kind"}, new String[] {kind}))
        .orElse(-1.0);
  }

  private void whole(String name, int devices) {
    world.pod(
        name,
        "",
        "nodeName: 'n1', containers: [{name: 'main', resources: {limits: {'nvidia.com/gpu': '%d'}}}]"
            .formatted(devices),
        "phase: 'Running'");
  }

  private void runs(String name, int slot, String device) {
    world.pod(
        name,
        ("annotations: {'gpu-fraction': '0.3', 'berth.dev/gpu-devices': '%s', 'berth.dev/plan':"
                + " 'node=n1 slots=%d millis=300 until=2026-01-01T00:00:00Z'}")
            .formatted(device, slot),
        "nodeName: 'n1'",
        "phase: 'Running'");
  }

  private void holder(int slot, String uuid) {
    world.pod(
        "holder-" + slot,
        "labels: {'berth.dev/holder': 'true'}, annotations: {'berth.dev/holder-slot': '%d'}"
            .formatted(slot),
        "nodeName: 'n1', containers: [{name: 'hold', resources: {limits: {'nvidia.com/gpu':"
            + " '1'}}}]",
        "phase: 'Running', containerStatuses: [{state: {terminated: {exitCode: 0, message: '%s'}}}]"
            .formatted(uuid));
  }

  private void minutes(double minutes) {
    world.workers.turn(Duration.ofMillis((long) (minutes * 60_000)));
  }
}
