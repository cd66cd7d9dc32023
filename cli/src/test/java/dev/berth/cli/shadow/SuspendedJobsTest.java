package dev.berth.cli.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.world.ObjectTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuspendedJobsTest {
  private static final String CREATED = "2026-01-01T12:00:00Z";

  private final SuspendedJobs jobs = new SuspendedJobs();

  private static Map<String, Object> job(boolean suspended, Map<String, Object> status) {
    var pod =
        ObjectTree.of(
            "metadata",
            ObjectTree.of("labels", ObjectTree.of("app", "train")),
            "spec",
            ObjectTree.of("containers", List.of(ObjectTree.of("name", "main"))));
    return ObjectTree.thaw(
        ObjectTree.of(
            "apiVersion",
            "batch/v1",
            "kind",
            "Job",
            "metadata",
            ObjectTree.of(
                "name",
                "train",
                "namespace",
                "team",
                "uid",
                "j",
                "creationTimestamp",
                CREATED,
                "labels",
                ObjectTree.of("kueue.x-k8s.io/queue-name", "user-queue")),
            "spec",
            ObjectTree.of("suspend", suspended, "parallelism", 2L, "template", pod),
            "status",
            status));
  }

  private static Map<String, Object> pod(String uid) {
    return ObjectTree.thaw(
        ObjectTree.of(
            "kind",
            "Pod",
            "metadata",
            ObjectTree.of(
                "name",
                uid,
                "namespace",
                "team",
                "uid",
                uid,
                "ownerReferences",
                ObjectTree.ownedBy("batch/v1", "Job", "train", "j"))));
  }

  private List<String> pods(List<Map<String, Object>> objects) {
    return jobs.filled(new ArrayList<>(objects)).stream()
        .filter(object -> ObjectTree.text(object, "kind").equals("Pod"))
        .map(ObjectTree::uid)
        .toList();
  }

  @Test
  void aSuspendedJobHasThePodsThatItWillHave() {
    var filled = jobs.filled(List.of(job(true, Map.of())));
    assertThat(filled).hasSize(3);
    var pod = filled.getLast();
    assertThat(ObjectTree.name(pod)).isEqualTo("train-suspended-1");
    assertThat(ObjectTree.text(pod, "metadata", "creationTimestamp")).isEqualTo(CREATED);
    assertThat(ObjectTree.label(pod, "app")).isEqualTo("train");
    assertThat(ObjectTree.maps(pod, "metadata", "ownerReferences"))
        .isEqualTo(ObjectTree.ownedBy("batch/v1", "Job", "train", "j"));
    assertThat(ObjectTree.maps(pod, "spec", "containers")).hasSize(1);
  }

  @Test
  void itsPodsAreTheSameAsThoseThatWereMadeUp() {
    var madeUp = pods(List.of(job(true, Map.of())));
    assertThat(madeUp).containsExactly("j-suspended-0", "j-suspended-1");
    var running = job(false, ObjectTree.of("startTime", "2026-01-01T12:10:00Z"));
    assertThat(pods(List.of(running))).as("not made yet").isEqualTo(madeUp);
    assertThat(pods(List.of(running, pod("a")))).containsExactlyElementsOf(madeUp);
    assertThat(pods(List.of(running, pod("b"), pod("a"))))
        .as("each keeps what it took")
        .containsExactly("j-suspended-1", "j-suspended-0");
    assertThat(pods(List.of(running, pod("a"), pod("b"), pod("c"))))
        .as("another is its own")
        .containsExactly("j-suspended-0", "j-suspended-1", "c");
  }

  @Test
  void whatIsSuspendedAgainWaitsAnew() {
    assertThat(pods(List.of(job(true, Map.of())))).hasSize(2);
    var running = job(false, ObjectTree.of("startTime", "2026-01-01T12:10:00Z"));
    assertThat(pods(List.of(running, pod("a"), pod("b")))).hasSize(2);
    var condition =
        ObjectTree.of(
            "type", "Suspended", "status", "True", "lastTransitionTime", "2026-01-01T12:20:00Z");
    var again = job(true, ObjectTree.of("conditions", List.of(condition)));
    var filled = jobs.filled(new ArrayList<>(List.of(again)));
    assertThat(filled.stream().skip(1).map(ObjectTree::uid))
        .containsExactly("j-suspended-2", "j-suspended-3");
    assertThat(ObjectTree.text(filled.getLast(), "metadata", "creationTimestamp"))
        .isEqualTo("2026-01-01T12:20:00Z");
  }

  @Test
  void podsThatNeverComeAreGivenUp() {
    assertThat(pods(List.of(job(true, Map.of())))).hasSize(2);
    for (int i = 0; i < 3; i++) {
      assertThat(pods(List.of(job(false, Map.of())))).as("read " + i).hasSize(2);
    }
    assertThat(pods(List.of(job(false, Map.of())))).isEmpty();
  }

  @Test
  void aJobThatNoKueueSuspendedHasNone() {
    var own = job(true, Map.of());
    ObjectTree.under(ObjectTree.under(own, "metadata"), "labels").clear();
    assertThat(pods(List.of(own))).isEmpty();
    var over = job(true, ObjectTree.of("completionTime", "2026-01-01T12:20:00Z"));
    assertThat(pods(List.of(over))).isEmpty();
  }
}
