package dev.berth.controllers.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.World;
import dev.berth.engine.Staleness;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class WatchedGroupsTest {
  private static final Duration WARNING = Duration.ofMinutes(30);
  private static final String GATED = "schedulingGates: [{name: 'berth.dev/queued'}]";

  /// What a roll knows that went on from snapshot to snapshot is what one knows that is new.
  @Test
  void goingOnAndBeginningAnewKnowTheSame() {
    var seen = new HashSet<String>();
    for (long seed = 0; seed < 30; seed++) {
      var random = new Random(seed);
      var world = new World().node("n1", 64);
      var kept = new WatchedGroups(Staleness::isStale, WARNING);
      for (int step = 0; step < 60; step++) {
        for (int change = random.nextInt(4); change > 0; change--) {
          change(world, random);
        }
        var snapshot = world.snapshot();
        kept.turn(snapshot);
        var anew = new WatchedGroups(Staleness::isStale, WARNING);
        anew.turn(snapshot);
        assertThat(facts(kept)).as("seed %s, step %s", seed, step).isEqualTo(facts(anew));
        seen.add(facts(kept).replaceAll("[^a-z]", ""));
      }
    }
    assertThat(seen).as("different states").hasSizeGreaterThan(20);
  }

  private static String facts(WatchedGroups roll) {
    return "%s stale %s mortal %s until %s"
        .formatted(
            roll.anyGroupWaits(),
            List.copyOf(roll.stale().keySet()),
            List.copyOf(roll.mortal()),
            roll.nextEnd(Instant.EPOCH));
  }

  private static void change(World world, Random random) {
    int group = random.nextInt(4);
    String name = "pod-" + group + "-" + random.nextInt(3);
    String metadata =
        group == 0
            ? "annotations: {'berth.dev/max-runtime': '10m'}"
            : "labels: {'berth.dev/pod-group': 'group-%s'}".formatted((char) ('a' + group));
    switch (random.nextInt(6)) {
      case 0 -> world.group("group-" + (char) ('a' + group), 1 + random.nextInt(3), "");
      case 1 -> world.podGone(name);
      case 2 -> world.pod(name, metadata, GATED, "phase: 'Pending'");
      case 3 ->
          world.queue(
              "default", random.nextBoolean() ? "maxRuntime: '2h'" : "maxRuntime: '1h'", "");
      case 4 -> world.pod(name, metadata, "nodeName: 'n1'", "phase: 'Running'");
      default -> world.pod(name, metadata, "nodeName: 'n1'", "phase: 'Succeeded'");
    }
  }
}
