package dev.berth.controllers.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.GroupKey;
import dev.berth.engine.model.PodGroup;
import dev.berth.engine.model.PodUid;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class IntakeTest {
  private final Ledger ledger = new Ledger(LedgerSettings.DEFAULT, () -> {});
  private final Intake intake =
      new Intake(ledger, List.of(Kind.POD, Kind.NODE, Kind.JOB), Metrics.unseen());

  @Test
  void isSyncedWhenEveryKindHasDelivered() {
    intake.synced(Kind.POD);
    intake.synced(Kind.NODE);
    assertThat(intake.isSynced()).isFalse();
    assertThat(intake.awaited()).containsExactly("jobs");
    intake.synced(Kind.JOB);
    assertThat(intake.isSynced()).isTrue();
    assertThat(intake.whenSynced()).isCompleted();
  }

  @Test
  void aPodIsKnownAndForgotten() {
    intake.seen(Kind.POD, pod("a", "1", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isPresent();
    intake.gone(Kind.POD, pod("a", "2", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isEmpty();
  }

  @Test
  void aPodOfAnOwnerThatNobodyWatchesIsAGroupOfOne() {
    intake.seen(Kind.POD, pod("a", "1", List.of(owner("ReplicaSet", "apps/v1"))));
    assertThat(group("uid-a").map(PodGroup::key)).contains(new GroupKey("default", "a"));
  }

  @Test
  void suchAnOwnerComesBackWithItsNextPod() {
    var owner = owner("ReplicaSet", "apps/v1");
    intake.seen(Kind.POD, pod("a", "1", List.of(owner)));
    intake.gone(Kind.POD, farewell("a", "2"));
    intake.seen(Kind.POD, pod("b", "3", List.of(owner)));
    assertThat(group("uid-b").map(PodGroup::key)).contains(new GroupKey("default", "b"));
  }

  @Test
  void aJobSaysWhichGroupItsPodsForm() {
    intake.seen(Kind.POD, pod("a", "1", List.of(owner("Job", "batch/v1"))));
    intake.seen(
        Kind.JOB,
        Map.of(
            "metadata",
            Map.of(
                "name",
                "owner",
                "namespace",
                "default",
                "uid",
                "uid-owner",
                "resourceVersion",
                "2",
                "annotations",
                Map.of("berth.dev/min-member", "2")),
            "spec",
            Map.of("parallelism", 4)));
    assertThat(group("uid-a").map(PodGroup::key).map(GroupKey::name).orElse(""))
        .startsWith("owner-");
  }

  @Test
  void anObjectThatCannotBeReadStopsNothing() {
    intake.seen(Kind.POD, Map.of());
    intake.seen(Kind.POD, Map.of("metadata", "not an object"));
    intake.seen(Kind.NODE, Map.of("metadata", Map.of("name", 7), "status", List.of()));
    intake.seen(Kind.POD, pod("a", "1", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isPresent();
  }

  private Optional<PodGroup> group(String uid) {
    return ledger.groupOf(new PodUid(uid));
  }

  private static Map<String, ?> pod(String name, String version, List<?> owners) {
    return Map.of(
        "metadata",
        Map.of(
            "name",
            name,
            "namespace",
            "default",
            "uid",
            "uid-" + name,
            "resourceVersion",
            version,
            "ownerReferences",
            owners),
        "spec",
        Map.of("schedulerName", "berth", "containers", List.of(Map.of("name", "main"))),
        "status",
        Map.of("phase", "Pending"));
  }

  /// As the reflector gives it after a new list.
  private static Map<String, ?> farewell(String name, String version) {
    return Map.of(
        "metadata",
        Map.of(
            "name",
            name,
            "namespace",
            "default",
            "uid",
            "uid-" + name,
            "resourceVersion",
            version));
  }

  private static Map<String, ?> owner(String kind, String apiVersion) {
    return Map.of(
        "apiVersion",
        apiVersion,
        "kind",
        kind,
        "name",
        "owner",
        "uid",
        "uid-owner",
        "controller",
        true);
  }
}
