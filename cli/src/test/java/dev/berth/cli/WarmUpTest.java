package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.config.Config;
import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.controllers.lease.WarmStandby;
import dev.berth.controllers.loop.Workers;
import dev.berth.simulator.world.Chance;
import dev.berth.simulator.world.ObjectTree;
import dev.berth.simulator.world.TimeWorkers;
import dev.berth.simulator.world.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final Workers workers = new TimeWorkers(time, new Chance(1, "workers"));
  private final AtomicInteger handedOn = new AtomicInteger();
  private final WarmStandby kept = new WarmStandby(new Counted());
  private final AtomicBoolean leads = new AtomicBoolean();

  @Test
  void itPlansWhatIsKeptAndHandsNothingOn() throws Exception {
    keep();
    assertThat(warmUp().once(time.instant())).as("decisions").isEqualTo(1);
    assertThat(handedOn).hasValue(0);
    kept.handOn();
    assertThat(handedOn).as("all is still there").hasValue(3);
  }

  @Test
  void itEndsByItselfOrWhenTheProcessLeads() throws Exception {
    keep();
    warmUp().start();
    time.runFor(Duration.ofSeconds(30));
    long after = time.happened();
    time.runFor(Duration.ofMinutes(5));
    assertThat(time.happened()).isEqualTo(after);

    leads.set(true);
    warmUp().start();
    time.runFor(Duration.ofSeconds(1));
    assertThat(time.happened()).as("one look").isEqualTo(after + 1);
  }

  private WarmUp warmUp() throws Exception {
    return new WarmUp(Config.read(Map.of()), kept, () -> true, leads::get, workers);
  }

  /// A node, a queue, and a pod that fits.
  private void keep() {
    var amounts =
        ObjectTree.of("nvidia.com/gpu", "8", "cpu", "64", "memory", "256Gi", "pods", "110");
    kept.seen(
        Kind.NODE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "n1", "uid", "uid-n1", "resourceVersion", "1"),
            "status",
            ObjectTree.of("allocatable", amounts, "capacity", amounts)));
    kept.seen(
        Kind.QUEUE,
        ObjectTree.of(
            "metadata",
            ObjectTree.of("name", "default", "uid", "uid-q", "resourceVersion", "2"),
            "spec",
            ObjectTree.of(
                "quota", ObjectTree.of("gpu", 8L, "cpu", "unlimited", "memory", "unlimited"))));
    kept.seen(
        Kind.POD,
        ObjectTree.of(
            "metadata",
            ObjectTree.of(
                "namespace", "default", "name", "a", "uid", "uid-a", "resourceVersion", "3"),
            "spec",
            ObjectTree.of(
                "schedulerName",
                "berth",
                "schedulingGates",
                List.of(ObjectTree.of("name", "berth.dev/queued")),
                "containers",
                List.of(
                    ObjectTree.of(
                        "name",
                        "main",
                        "resources",
                        ObjectTree.of("limits", ObjectTree.of("nvidia.com/gpu", "1")))))));
  }

  private final class Counted implements Watcher {
    @Override
    public void seen(Kind kind, Map<String, ?> object) {
      handedOn.incrementAndGet();
    }

    @Override
    public void gone(Kind kind, Map<String, ?> object) {}

    @Override
    public void synced(Kind kind) {}
  }
}
