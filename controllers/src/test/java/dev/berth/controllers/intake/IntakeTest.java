package dev.berth.controllers.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controllers.Metrics;
import dev.berth.controllers.door.Watcher.Kind;
import dev.berth.engine.ledger.Ledger;
import dev.berth.engine.ledger.LedgerSettings;
import dev.berth.engine.model.PodUid;
import java.util.List;
import java.util.Map;
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
  void anObjectThatCannotBeReadStopsNothing() {
    intake.seen(Kind.POD, Map.of());
    intake.seen(Kind.POD, Map.of("metadata", "not an object"));
    intake.seen(Kind.NODE, Map.of("metadata", Map.of("name", 7), "status", List.of()));
    intake.seen(Kind.POD, pod("a", "1", List.of()));
    assertThat(ledger.pod(new PodUid("uid-a"))).isPresent();
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
}
