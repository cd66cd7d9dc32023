package dev.berth.simulator.world;

import static dev.berth.simulator.world.Objects.annotated;
import static dev.berth.simulator.world.Objects.node;
import static dev.berth.simulator.world.Objects.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.client.Watcher;
import dev.berth.controllers.client.Watcher.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorldDeterminismTest {
  /// Everything observable in a world of jobs under a plain scheduler.
  private static List<String> story(long seed) {
    var time = new VirtualTime(Instant.parse("2026-01-01T00:00:00Z"));
    var world = new World(time, WorldSettings.of(seed));
    var heard = new ArrayList<String>();
    world.watch(
        EnumSet.allOf(Kind.class),
        new Watcher() {
          @Override
          public void seen(Kind kind, Map<String, ?> object) {
            heard.add(time.instant() + " seen " + object);
          }

          @Override
          public void gone(Kind kind, Map<String, ?> object) {
            heard.add(time.instant() + " gone " + object);
          }

          @Override
          public void synced(Kind kind) {}
        });
    new Kubelet(world).start();
    new JobController(world).start();
    new KubeScheduler(world, SchedulerSettings.named("default-scheduler"), Optional.empty())
        .start();
    for (int i = 0; i < 3; i++) {
      world.create(Kind.NODE, node("n" + i, 4));
    }
    for (int i = 0; i < 5; i++) {
      var template =
          annotated(
              pod("unused", "default-scheduler", "nvidia.com/gpu", "1"), Kubelet.DURATION, "9s");
      ObjectTree.under(template, "metadata").remove("name");
      world.create(
          Kind.JOB,
          ObjectTree.of(
              "metadata",
              ObjectTree.of("namespace", "team", "name", "job-" + i),
              "spec",
              ObjectTree.of(
                  "parallelism", 4L, "ttlSecondsAfterFinished", 5L, "template", template)));
    }
    time.after(
        Duration.ofSeconds(4),
        () -> {
          var victim = world.list(Kind.POD).getFirst();
          world.evict(ObjectRef.to(Kind.POD, victim), ObjectTree.uid(victim));
        });
    time.runFor(Duration.ofMinutes(2));
    assertThat(world.list(Kind.JOB)).as("every job is done and collected").isEqualTo(List.of());
    assertThat(world.list(Kind.POD)).as("and so are its pods").isEqualTo(List.of());
    return heard;
  }

  @Test
  void theSameSeedTellsTheSameStory() {
    var first = story(42);
    assertThat(first.size() > 100).as("much happens: " + first.size()).isTrue();
    assertThat(story(42)).isEqualTo(first);
  }

  @Test
  void anotherSeedTellsAnother() {
    assertThat(story(43)).isNotEqualTo(story(42));
  }
}
