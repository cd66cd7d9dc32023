package dev.berth.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BusiestTest {
  /// Shorter than the time between two lines.
  @Test
  @Timeout(20)
  void aShortDemoTellsHowBusyTheGpusWere() {
    var began = Instant.parse("2026-01-01T00:00:00Z");
    var time = new VirtualTime(began);
    var world =
        new World(
            time,
            new WorldSettings(1, Duration.ZERO, Duration.ofMillis(7), Duration.ofMillis(100)));
    var out = new ByteArrayOutputStream();
    var summary =
        new Summary(
            world,
            new DemoJournal(world),
            () -> {
              time.runFor(Duration.ofSeconds(1));
              return LiveViewTest.scene();
            },
            Duration.ofMinutes(1),
            new PrintStream(out, true, StandardCharsets.UTF_8));
    summary.run(began.plusSeconds(2));
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("GPUs in use at the busiest             94.8 %");
  }
}
