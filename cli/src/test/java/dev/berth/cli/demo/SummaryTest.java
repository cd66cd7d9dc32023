package dev.berth.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher.Kind;
import dev.berth.simulator.world.ObjectRef;
import dev.berth.simulator.world.VirtualTime;
import dev.berth.simulator.world.World;
import dev.berth.simulator.world.WorldSettings;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

final class SummaryTest {
  private static final DemoJournal.Totals MUCH = tally(2, 1);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
  private final World world = new World(time, WorldSettings.of(42));
  private final DemoJournal journal = new DemoJournal(world);
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Summary summary =
      new Summary(
          world,
          journal,
          LiveViewTest::scene,
          Duration.ofMinutes(1),
          new PrintStream(printed, true, UTF_8));

  private static DemoJournal.Totals tally(int shares, int gangs) {
    return new DemoJournal.Totals(
        5, shares, 3, gangs, 4, 1, List.of(ofMillis(100), ofMillis(1000), ofMillis(2500)));
  }

  private static Duration ofMillis(long millis) {
    return Duration.ofMillis(millis);
  }

  /// Two pods have the only GPU of a node.
  private void giveOutTwice() {
    put(
        Kind.NODE,
        "{metadata: {name: n1}, status: {allocatable: {nvidia.com/gpu: '1', pods: '110'}}}");
    for (String pod : List.of("a", "b")) {
      put(
          Kind.POD,
          "{metadata: {name: %s, namespace: default}, spec: {nodeName: n1, containers: [{name: main,"
                  .formatted(pod)
              + " resources: {limits: {nvidia.com/gpu: '1'}}}]}, status: {phase: Running}}");
    }
  }

  private void put(Kind kind, String yaml) {
    world.adopt(kind, new Yaml().load(yaml));
  }

  @Test
  void tellsWhatWasPlacedAndHowLongItWaited() {
    summary.look(LiveViewTest.scene());
    assertThat(summary.table(MUCH))
        .containsExactly(
            "",
            "pods placed                                 5",
            "  with a share of a GPU                     2",
            "  with whole GPUs                           3",
            "gangs placed                                1",
            "pods finished                               4",
            "pods evicted                                1",
            "wait, created to bound, p50            1.00 s",
            "wait, created to bound, p99            2.50 s",
            "GPUs in use at the busiest             94.8 %",
            "invariants broken                           0",
            "gangs being bound at the end                0",
            "",
            "All well: gangs and shares were placed, no device was given out twice.");
    assertThat(summary.isGood(MUCH)).as("the summary is good").isTrue();
  }

  @Test
  void isNotGoodWithoutGangsOrWithoutShares() {
    for (var few : List.of(tally(0, 1), tally(2, 0))) {
      assertThat(summary.isGood(few)).as(few.toString()).isFalse();
      assertThat(summary.table(few)).endsWith("Failed: no gang or no share was placed.");
    }
  }

  @Test
  void isNotGoodWithABrokenRuleThoughItHoldsAgain() {
    giveOutTwice();
    summary.look();
    world.remove(new ObjectRef(Kind.POD, "default", "b"));
    time.runFor(Duration.ofSeconds(5));
    summary.look();
    assertThat(summary.isGood(MUCH)).as("the summary is good").isFalse();
    assertThat(summary.table(MUCH))
        .contains(
            "invariants broken                           1",
            "  2026-01-01T00:00:00Z node n1 gives out 2 of its 1 nvidia.com/gpu")
        .endsWith("Failed: an invariant was broken.");
  }

  @Test
  void theVerdictIsPrintedAtTheEnd() {
    assertThat(summary.run(time.instant())).as("nothing was placed").isFalse();
    assertThat(printed.toString(UTF_8))
        .contains("pods placed                                 0\n")
        .endsWith("Failed: no gang or no share was placed.\n");
  }
}
