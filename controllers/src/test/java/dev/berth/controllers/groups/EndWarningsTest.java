package dev.berth.controllers.groups;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.InMemoryEvents;
import dev.berth.controllers.UntouchedPods;
import dev.berth.controllers.World;
import dev.berth.controllers.client.PodWarning;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.MaxRuntime;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodKey;
import dev.berth.engine.model.PodUid;
import dev.berth.engine.model.QueueName;
import dev.berth.engine.session.RuntimeEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which pods say that their group ends soon, where its PodGroup should and does not.
final class EndWarningsTest {
  private static final GroupKey TRAIN = new GroupKey("default", "train");

  private final World world = new World().node("n1", 8);
  private final InMemoryEvents events = new InMemoryEvents();
  private final List<String> warned = new ArrayList<>();
  private final Instant start = world.workers.time().instant();
  private final EndWarnings warnings =
      new EndWarnings(
          new Announcer(
              events,
              new WarnedPods(),
              world.workers,
              new GroupSettings(
                  Duration.ofSeconds(1), Duration.ofSeconds(3), 1, 1, 1, Duration.ofSeconds(60))),
          world.workers);

  private final class WarnedPods extends UntouchedPods {
    @Override
    public void warns(PodKey pod, PodUid uid, PodWarning warning) {
      warned.add(
          "%s %s +%ss"
              .formatted(
                  pod.name(),
                  warning.isTrue(),
                  Duration.between(start, warning.since()).toSeconds()));
    }
  }

  private PodGroup gang(String... names) {
    world.group("train", 1, "");
    for (String name : names) {
      world.pod(
          name,
          "labels: {'berth.dev/pod-group': 'train'}",
          "nodeName: 'n1'",
          "phase: 'Running', startTime: '%s'".formatted(start));
    }
    return world.ledger.group(TRAIN).orElseThrow();
  }

  private RuntimeEnd ending(Instant since) {
    return new RuntimeEnd(
        new MaxRuntime(Duration.ofHours(1), QueueName.NONE),
        start.plusSeconds(600),
        Duration.ofMinutes(10),
        since);
  }

  private Instant now() {
    return world.workers.time().instant();
  }

  private void seconds(int seconds) {
    world.workers.turn(Duration.ofSeconds(seconds));
  }

  /// A PodGroup may be grown to the size that an object may have: no status is written into it any
  /// more, and its pods would run for ever.
  @Test
  void podsSayItWhereThePodGroupDoesNotInTime() {
    warnings.look(gang("a", "b"), ending(Instant.EPOCH), true, now());
    seconds(110);
    assertThat(warned).as("its PodGroup may still say it").isEmpty();
    seconds(20);
    assertThat(warned).containsExactly("a true +120s", "b true +120s");
  }

  @Test
  void aPodThatComesLaterSaysSinceWhenTheOthersAreWarned() {
    warnings.look(gang("a"), ending(Instant.EPOCH), true, now());
    seconds(130);
    warnings.look(gang("b"), ending(start.plusSeconds(120)), true, now());
    seconds(10);
    assertThat(warned).contains("a true +120s", "b true +120s").doesNotContain("b true +130s");
  }

  @Test
  void podsNeedNotSayItWhereThePodGroupDoes() {
    var gang = gang("a");
    warnings.look(gang, ending(Instant.EPOCH), true, now());
    seconds(60);
    warnings.look(gang, ending(start), true, now());
    seconds(600);
    assertThat(warned).isEmpty();
  }

  @Test
  void nothingMoreIsToldOfAGroupThatIsGone() {
    var names = new String[20];
    for (int i = 0; i < names.length; i++) {
      names[i] = "p" + i;
    }
    warnings.look(gang(names), ending(Instant.EPOCH), true, now());
    seconds(1);
    int told = events.told.size();
    assertThat(told).as("one a second, five at once").isLessThan(10);
    warnings.gone(TRAIN);
    seconds(600);
    assertThat(events.told).hasSize(told);
    assertThat(warned).isEmpty();
  }
}
