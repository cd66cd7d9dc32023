package dev.berth.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.cli.bench.LoggedTrace;
import dev.berth.cli.decisions.DecisionFileReader;
import dev.berth.cli.decisions.DecisionFolder;
import dev.berth.engine.model.Pod;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodGroup.Member;
import dev.berth.engine.model.Queue;
import dev.berth.engine.model.Snapshot;
import dev.berth.engine.model.Standing;
import dev.berth.engine.replay.LogEntry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job of 8 GPUs that runs for 100 seconds, and one that waits for it, looked at each minute.
class EndedPodsTest {
  @TempDir private Path folder = Path.of("");

  private List<Snapshot> looks = List.of();

  @BeforeEach
  void look() throws Exception {
    new LoggedTrace(1)
        .queue("a", 8, Queue.UNLIMITED)
        .job("a", 8, 0, 100)
        .job("a", 8, 10, 1000)
        .looks(folder, 200, 60);
    looks = looks(folder);
  }

  /// Each call makes objects of its own.
  static List<Snapshot> looks(Path folder) throws Exception {
    var looks = new ArrayList<Snapshot>();
    for (Path file : DecisionFolder.files(folder)) {
      try (var reader = new DecisionFileReader(file)) {
        for (var next = reader.next(); next.isPresent(); next = reader.next()) {
          if (next.get() instanceof LogEntry.Accounted(var snapshot)) {
            looks.add(snapshot.of(snapshot.nodes(), snapshot.queues(), going(snapshot)));
          }
        }
      }
    }
    return looks;
  }

  /// The groups of which a pod goes on, as a cluster has them.
  private static List<PodGroup> going(Snapshot snapshot) {
    return snapshot.groups().stream()
        .filter(group ->
            group.members().stream()
                .anyMatch(member -> !(member.standing() instanceof Standing.Over)))
        .toList();
  }

  private Pod ran() {
    return looks.get(1).groups().stream()
        .flatMap(group -> group.members().stream())
        .filter(member -> member.standing() instanceof Standing.Bound)
        .findFirst()
        .orElseThrow()
        .pod();
  }

  private static List<Member> ended(Snapshot shown) {
    return shown.groups().stream()
        .flatMap(group -> group.members().stream())
        .filter(member -> member.standing() instanceof Standing.Over)
        .toList();
  }

  private static Pod over(Pod pod, Pod.Phase phase) {
    return new Pod(
        pod.uid(),
        pod.key(),
        pod.version(),
        pod.created(),
        pod.scheduler(),
        new Pod.Lifecycle(
            phase,
            pod.life().node(),
            List.of(),
            false,
            "",
            Instant.EPOCH,
            List.of(),
            false,
            Instant.EPOCH.plusSeconds(7)),
        pod.asks(),
        pod.belonging(),
        pod.written(),
        pod.holding(),
        pod.traits(),
        pod.problems());
  }

  @Test
  void aPodThatSucceededIsShownOnceMoreAsThat() {
    var pod = over(ran(), Pod.Phase.SUCCEEDED);
    var shown = EndedPods.shown(looks.get(1), looks.get(2), Map.of(pod.uid(), pod));
    assertThat(ended(shown))
        .singleElement()
        .satisfies(member -> {
          assertThat(member.standing()).isEqualTo(new Standing.Over(true));
          assertThat(member.pod()).isEqualTo(pod);
        });
    assertThat(shown.groups()).hasSize(looks.get(2).groups().size() + 1);
    assertThat(shown.groups()).isSortedAccordingTo((a, b) -> a.key().compareTo(b.key()));
    var after = EndedPods.shown(shown, looks.get(3), Map.of(pod.uid(), pod));
    assertThat(ended(after)).as("once").isEmpty();
  }

  @Test
  void aPodThatIsGoneWithoutAnEndWasDeleted() {
    var shown = EndedPods.shown(looks.get(1), looks.get(2), Map.of());
    assertThat(ended(shown))
        .singleElement()
        .satisfies(member -> {
          assertThat(member.standing()).isEqualTo(new Standing.Over(false));
          assertThat(member.pod().uid()).isEqualTo(ran().uid());
          assertThat(member.pod().life().leaving()).as("deleted").isTrue();
          assertThat(member.pod().life().finished()).isEqualTo(Instant.MAX);
        });
  }

  @Test
  void whatIsGoneWithItsNodeIsToldByTheNode() {
    var without = looks.get(2).of(List.of(), looks.get(2).queues(), looks.get(2).groups());
    assertThat(ended(EndedPods.shown(looks.get(1), without, Map.of()))).isEmpty();
  }

  /// It ran between two looks.
  @Test
  void aPodThatWaitedAndIsOverIsShown() {
    var waits =
        looks.get(1).groups().stream()
            .flatMap(group -> group.members().stream())
            .filter(member -> member.standing() instanceof Standing.Waiting)
            .findFirst()
            .orElseThrow()
            .pod();
    var nothing = looks.get(2).of(looks.get(2).nodes(), looks.get(2).queues(), List.of());
    var pod = over(waits, Pod.Phase.FAILED);
    assertThat(ended(EndedPods.shown(looks.get(1), nothing, Map.of(pod.uid(), pod))))
        .extracting(Member::standing)
        .containsExactlyInAnyOrder(new Standing.Over(false), new Standing.Over(false));
    assertThat(ended(EndedPods.shown(looks.get(1), nothing, Map.of())))
        .as("one that waited and is gone has not ended")
        .hasSize(1);
  }

  @Test
  void partsThatSayTheSameAreThoseOfBefore() throws Exception {
    var others = looks(folder);
    for (int i = 0; i < looks.size(); i++) {
      var shared = SharedParts.of(looks.get(i), others.get(i));
      assertThat(shared).isEqualTo(others.get(i));
      assertThat(shared.nodes()).isSameAs(looks.get(i).nodes());
      assertThat(shared.groups().getFirst()).isSameAs(looks.get(i).groups().getFirst());
      assertThat(shared.queues()).isSameAs(looks.get(i).queues());
      assertThat(shared.past()).isSameAs(looks.get(i).past());
    }
    var next = SharedParts.of(looks.get(1), others.get(2));
    assertThat(next).isEqualTo(others.get(2));
    assertThat(next.queues()).isSameAs(looks.get(1).queues());
    assertThat(next.nodes().getFirst().node()).isSameAs(looks.get(1).nodes().getFirst().node());
  }
}
